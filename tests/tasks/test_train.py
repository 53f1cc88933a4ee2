"""Fits are noted one by one, and taken up from there."""

import json

import pytest

from smoothrank import honest
from tasks.choose import choose
from tasks.config import Params
from tasks.fetch import fetch_source
from tasks.problem import make_problem
from tasks.train import fits_folder, forget_fits, train

PARAMS = {"selection": {"folds": 2, "repeats": 1, "scales": ["standard", "none"]}}


@pytest.fixture
def problem(tmp_path, monkeypatch):
    monkeypatch.setenv("SMOOTHRANK_HOME", str(tmp_path))
    source = fetch_source("glass-0-4_vs_5")
    return make_problem(source, "smooth", "honest", Params.model_validate(PARAMS))


@pytest.fixture
def counted(monkeypatch):
    """Count the fits that are really made."""
    made = []
    original = honest.fit_fold

    def fit(*arguments):
        made.append(arguments)
        return original(*arguments)

    monkeypatch.setattr("tasks.train.fit_fold", fit)
    return made


def test_every_scaling_on_every_fold(problem, counted):
    found = train(problem, 0.001)
    assert found["value"] == 0.001
    assert {scale: len(fits) for scale, fits in found["fits"].items()} == {
        "standard": 2,
        "none": 2,
    }
    assert len(counted) == 4


def test_noted_fits_are_not_made_again(problem, counted):
    whole = train(problem, 0.001)
    path = fits_folder(problem) / "0.001.jsonl"
    lines = path.read_text().splitlines(keepends=True)
    path.write_text("".join(lines[:2]) + lines[2][:40])
    counted.clear()
    again = train(problem, 0.001)
    assert len(counted) == 2
    for scale in ("standard", "none"):
        for one, other in zip(whole["fits"][scale], again["fits"][scale], strict=True):
            assert one["auc_by_iteration"] == other["auc_by_iteration"]
            assert one["prototypes"] == other["prototypes"]
    assert len(path.read_text().splitlines()) == 4
    counted.clear()
    train(problem, 0.001)
    assert counted == []


def test_notes_can_be_forgotten(problem, counted):
    train(problem, 0.001)
    forget_fits(problem)
    counted.clear()
    train(problem, 0.001)
    assert len(counted) == 4


def test_choice_is_of_the_values_tried(problem):
    stored = json.loads(json.dumps([train(problem, value) for value in (0.001, 0.1)]))
    chosen = choose(problem, stored)
    assert chosen["value"] in (0.001, 0.1)
    assert chosen["scale"] in (None, "standard")
    assert len(chosen["cv_auc"]) == 4
    assert chosen["cv_auc_mean"] == max(mean for _, _, mean in chosen["cv_auc"])
