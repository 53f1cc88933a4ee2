"""The report of a model that can be explained, and of one that has no prototypes."""

from __future__ import annotations

import re
from types import SimpleNamespace
from typing import Any

import numpy as np
import pytest
from markupsafe import escape

from smoothrank.columns.explanation import moves
from smoothrank.tables.explained_table import ExplainedTable
from tasks.reporting.run import run_facts
from tasks.reporting.run.explained_model import examples
from tasks.reporting.run.prototypes import find_drivers, weight_in_words
from tests.support.quick_teacher import quick_teacher
from tests.tasks.reporting.test_run_page import Checker, home, retrained, rows  # noqa: F401

CLOSENESS = "a weighted sum of its closeness to"
DISTANCE = "a weighted sum of its distances to"


def coloured():
    """Rows of which the green ones are rare."""
    frame = rows(2, 160)
    rng = np.random.default_rng(2)
    is_rare = frame["y"] == "<b>rare"
    usual = rng.choice(["blue", "red"], len(frame))
    return frame.assign(colour=np.where(is_rare & (rng.random(len(frame)) < 0.8), "<i>g", usual))


@pytest.fixture(scope="module")
def bumps(home):  # noqa: F811
    with quick_teacher():
        return retrained(home, coloured(), "smoothrank-small", 3)


@pytest.fixture(scope="module")
def distances(home):  # noqa: F811
    return retrained(home, coloured(), "smooth")


@pytest.fixture(scope="module")
def average(home):  # noqa: F811
    with quick_teacher():
        return retrained(home, coloured(), "smoothrank-best", 1)


def part_of(page, name):
    return page.partition(f'<section id="{name}"')[2].partition("</section>")[0]


def test_pages_are_whole(bumps, average):
    for _, page, _, _ in (bumps, average):
        checker = Checker()
        checker.feed(page)
        assert checker.open == []
        assert len(checker.names) == len(set(checker.names))
        assert "<i>g" not in page


def test_closeness_is_told_from_distance(bumps, distances):
    near, far = part_of(bumps[1], "drivers"), part_of(distances[1], "drivers")
    assert CLOSENESS in near
    assert DISTANCE not in near
    assert "A positive weight means that being near raises the score" in near
    assert DISTANCE in far
    assert CLOSENESS not in far
    assert "A negative weight means that being near raises the score" in far


@pytest.mark.parametrize("kind", ["bumps", "distances"])
def test_signs_in_words_agree_with_scores(kind, request):
    """A row put on a prototype that is called positive has a higher score than one far away."""
    _, page, model, data = request.getfixturevalue(kind)
    drivers = find_drivers(model, data)
    score = model.classifier.model_
    heaviest = np.argsort(-np.abs(score.weights), kind="stable")
    far = data.X.max(axis=0, keepdims=True) + 1e3
    for number, column in enumerate(heaviest):
        single = score.only(np.array([column]))
        rises = bool(single.score(drivers.prototypes[[number]]) > single.score(far))
        words = weight_in_words(drivers.repulsion[number], drivers.labels)
        assert words.startswith("rows near it are positive") == rises
        cell = re.search(rf">prototype {number + 1}<.*?<td class=\"words\">([^<]*)</td>", page)
        assert cell is not None
        assert cell[1].endswith(str(escape(words)))


def test_the_model_is_told_in_the_tables_words(bumps):
    _, page, model, _ = bumps
    section, explained = part_of(page, "drivers"), ExplainedTable(model)
    for place, effect in zip(explained.places, explained.effects, strict=True):
        assert f"<small>{escape(place)}</small>" in section
        assert f">{moves(effect)}: rows near it are " in section
    assert "colour is &lt;i&gt;g" in section
    assert "colour_" not in section
    base = f"{explained.base:.2g}".replace("-", "−")
    assert f"A row far from every prototype has a score of {base}." in section
    for title in ("The prototypes.", "What matters overall."):
        assert f"<figcaption>{title}" in section


def test_what_matters_overall_is_the_mean_size_of_the_parts(bumps):
    _, page, model, data = bumps
    means = ExplainedTable(model).mean_parts(data.raw_test)
    names = ExplainedTable(model).names
    section = part_of(page, "drivers")
    drawn = section.partition('id="overall-title"')[2].partition("</svg>")[0]
    shown = [name for name in re.findall(r">([^<>]+)</text>", drawn) if name in names]
    assert shown == [names[j] for j in np.argsort(-means)]
    assert f"over {len(data.test)} test rows" in section


def test_two_rows_are_explained(bumps):
    _, page, model, data = bumps
    section = part_of(page, "drivers")
    scored = model.scored(data.raw_test)
    top = int(scored["score"].to_numpy().argmax())
    (found,) = ExplainedTable(model).explain(data.raw_test.iloc[[top]])
    assert "The test row with the highest score. Probability " in section
    assert "The test row nearest to the threshold. Probability " in section
    for part in found.columns:
        assert f"<li>{escape(str(part))}</li>" in section
    assert f">{escape(found.features[0].said)}</text>" in section


def test_examples_are_the_highest_score_and_another_row_near_the_threshold():
    score = np.array([0.1, 2.0, 1.9, -3.0])
    probability = np.array([0.2, 0.52, 0.45, 0.01])
    flags = np.zeros(4, dtype=bool)
    tested = run_facts.Tested(score, probability, flags, flags, threshold=0.5)
    assert [one.row for one in examples(tested)] == [1, 2]
    assert tested.probability.tolist() == [0.2, 0.52, 0.45, 0.01]


def test_an_average_says_that_it_has_no_prototypes_and_what_matters(average):
    section = part_of(average[1], "drivers")
    assert "not a sum over a few prototypes" in section
    assert "AUC lost if shuffled" in section
    drawn = section.partition('id="overall-title"')[2].partition("</svg>")[0]
    shown = [name for name in re.findall(r">([^<>]+)</text>", drawn) if "col" in name]
    assert sorted(shown) == ["colour", "column 0", "column 1"]
    assert shown[-1] == "column 1"


def test_calibration_has_the_brier_score_and_that_of_the_base_rate(bumps):
    outcome, page, model, data = bumps
    is_rare = data.y[data.test] == 1
    probability = model.scored(data.raw_test)["probability"].to_numpy()
    brier = float(np.mean((probability - is_rare) ** 2))
    base = float(np.mean((is_rare.mean() - is_rare) ** 2))
    assert outcome.test_brier == pytest.approx(brier)
    assert f"Brier score {brier:.4f}; {base:.4f} for always saying" in part_of(page, "figures")
    assert outcome.to_json()["test_brier"] == pytest.approx(brier)


def test_too_many_columns_are_not_shuffled(average, monkeypatch):
    from tasks.reporting.run import shuffled_columns as module

    monkeypatch.setattr(module, "MOST_COLUMNS", 2)
    _, _, model, data = average
    run: Any = SimpleNamespace(model=model, data=data)
    (said,) = module.shuffled_columns(run)
    assert "shuffling" not in said
