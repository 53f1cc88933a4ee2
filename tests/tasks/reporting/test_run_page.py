"""The report of a run: what it says, in which order, and that names from the data are harmless."""

from __future__ import annotations

import re
from dataclasses import replace
from html.parser import HTMLParser
from pathlib import Path

import numpy as np
import pandas as pd
import pytest

from smoothrank.estimators.score import score_of
from smoothrank.persistence.model_file import load_tabular_model
from tasks.assessment.classify import decide_classes
from tasks.assessment.peers import compare_peers, fit_peers
from tasks.assessment.thresholds import alternatives, confusion
from tasks.problem.problem import load_data, make_problem
from tasks.problem.source import fetch_source
from tasks.project.config import Params
from tasks.reporting.pages import macros
from tasks.reporting.run.prototypes import weight_in_words
from tasks.reporting.run.verdict import headline, make_checks, may_be_used
from tasks.results.drift import Drift
from tasks.results.registration import Registration
from tasks.results.tracked_run import TrackedRun
from tasks.steps.choose import choose
from tasks.steps.evaluate import evaluate
from tasks.steps.refit import refit
from tasks.steps.report import Findings, report, summary
from tasks.steps.split import split
from tasks.steps.train import train
from tasks.tracking.retrain_result import make_outcome
from tasks.validation.result import Failure, ValidationResult

VALIDATION = ValidationResult(True, "table", "0" * 64, 7, ())
NASTY = "<script>alert(1)</script>"
VOID = {"meta", "link", "br", "input"}


class Checker(HTMLParser):
    """Finds tags that are not closed, names given twice, and scripts."""

    def __init__(self):
        super().__init__()
        self.open, self.names, self.scripts = [], [], 0

    def handle_starttag(self, tag, attributes):
        if tag not in VOID:
            self.open.append(tag)
        self.scripts += tag == "script"
        self.names += [value for name, value in attributes if name == "id"]

    def handle_startendtag(self, tag, attributes):
        self.names += [value for name, value in attributes if name == "id"]

    def handle_endtag(self, tag):
        assert self.open.pop() == tag


def rows(n_columns=3, n_rows=120):
    rng = np.random.default_rng(1)
    is_rare = rng.random(n_rows) < 0.3
    frame = pd.DataFrame({f"column {i}": rng.normal(size=n_rows) for i in range(n_columns)})
    frame["column 0"] += np.where(is_rare, 1.5, 0.0)
    return frame.assign(y=np.where(is_rare, "<b>rare", "usual"))


def retrained(home, frame, method="smooth", value=0.1):
    """Return the outcome of all steps but those of Prefect and MLflow, and the page."""
    file = home / "table.csv"
    frame.to_csv(file, index=False)
    params = Params.model_validate(
        {
            "selection": {
                "folds": 2,
                "repeats": 1,
                "scales": ["standard"],
                "grids": {method: [value]},
            }
        }
    )
    problem = make_problem(fetch_source(str(file), "y", "<b>rare"), method, "honest", params)
    trained = [train(problem, value) for value in problem.grid]
    chosen = choose(problem, trained)
    model = refit(problem, chosen)
    evaluation = evaluate(problem, model)
    peers = compare_peers(problem, model, fit_peers(problem))
    tracked = TrackedRun("0" * 32, "1", "m-1")
    given = Registration("smoothrank-table", 1, True, "so")
    outcome = make_outcome(problem, split(problem), chosen, evaluation, tracked, given, peers)
    found = Findings(VALIDATION, evaluation)
    path = report(problem, outcome, model, found, trained, chosen)
    page = Path(path).read_text(encoding="utf-8")
    return outcome, page, load_tabular_model(model), load_data(problem)


@pytest.fixture(scope="module")
def home(tmp_path_factory):
    with pytest.MonkeyPatch.context() as patch:
        folder = tmp_path_factory.mktemp("reports")
        patch.setenv("SMOOTHRANK_HOME", str(folder))
        yield folder


@pytest.fixture(scope="module")
def small(home):
    return retrained(home, rows().rename(columns={"column 1": NASTY}))


@pytest.fixture(scope="module")
def wide(home):
    return retrained(home, rows(85), "l1")


@pytest.fixture(params=["small", "wide"])
def any_page(request):
    return request.getfixturevalue(request.param)[1]


def test_page_is_whole_and_asks_for_nothing(any_page):
    checker = Checker()
    checker.feed(any_page)
    assert checker.open == []
    assert len(checker.names) == len(set(checker.names))
    assert "http" not in any_page
    assert "src=" not in any_page
    assert '<meta name="viewport"' in any_page


def test_names_from_the_data_are_only_text(small):
    page = small[1]
    checker = Checker()
    checker.feed(page)
    assert checker.scripts == 1
    assert NASTY not in page
    assert "&lt;script&gt;alert(1)&lt;/script&gt;" in page
    assert "<b>rare" not in page
    assert "(&lt;b&gt;rare)" in page


def test_decision_comes_first(any_page):
    titles = re.findall(r"<h2[^>]*>([^<]*)</h2>", any_page)
    assert titles == [
        "The decision",
        "What drives it",
        "Against two plain peers",
        "Where to draw the line",
        "Figures",
        "How it was chosen",
        "The data",
        "Provenance",
    ]
    assert "version 1 is the new champion</h1>" in any_page
    assert "May it be used?" in any_page


def test_weights_are_said_in_words(small):
    outcome, page, model, _ = small
    weights = score_of(model.classifier).weights
    assert page.count("rows near it are negative (usual)</td>") == np.sum(weights > 0)
    assert page.count("rows near it are positive (&lt;b&gt;rare)</td>") == np.sum(weights < 0)
    assert weight_in_words(2.0, ("no", "yes")) == "rows near it are negative (no)"
    assert weight_in_words(-2.0, ("negative", "positive")) == "rows near it are positive"
    assert outcome.n_prototypes == len(weights)


def test_a_prototype_of_negative_weight_draws_scores_up(small):
    """The words hold: moving a row onto such a prototype raises its score."""
    _, _, model, data = small
    score = score_of(model.classifier)
    row = data.X[data.test][:1]
    for prototype, weight in zip(score.in_data_units(), score.weights, strict=True):
        single = score.only(np.flatnonzero(score.weights == weight))
        rises = single.score(prototype[None, :])[0] > single.score(row)[0]
        assert rises == (weight < 0)


def test_thresholds_are_those_of_predict(small):
    outcome, page, model, data = small
    scored = model.scored(data.raw_test)
    is_rare = data.y[data.test] == 1
    is_said = (scored["class"] == model.positive).to_numpy()
    assert outcome.confusion.true_positives == np.sum(is_said & is_rare)
    assert outcome.confusion.false_positives == np.sum(is_said & ~is_rare)
    assert f"a probability of {model.threshold:.3g}</caption>" in page
    score, probability = scored["score"].to_numpy(), scored["probability"].to_numpy()
    for one in alternatives(score, probability, is_rare):
        other = replace(model, threshold=one.threshold).scored(data.raw_test)
        if one.option.startswith("--top"):
            decide_classes(model, other, int(one.option.split()[1]))
        said = (other["class"] == model.positive).to_numpy()
        assert one.confusion == confusion(said, is_rare), one.name


def test_features_that_matter_come_first_and_the_rest_is_folded(small, wide):
    pattern = r'id="prototypes".*?<tbody>\s*<tr class="matters"><th[^>]*>([^<]*)'
    first = re.search(pattern, small[1], re.DOTALL)
    assert first is not None
    assert first[1] == "column 0"
    assert "<details>" not in small[1].partition("What drives it</h2>")[2].partition("<section")[0]
    folded = wide[1].partition("<details>")[2]
    assert "the other 73 features, which matter less" in folded
    assert "The 20 heaviest are shown" in wide[1] or wide[0].n_prototypes <= 20


def test_what_speaks_against_the_model_is_said(small):
    outcome = small[0]
    refused = replace(outcome, promoted=False, reason="it is worse")
    assert headline(refused) == "table: version 1 did not become champion"
    checks = make_checks(refused, VALIDATION, 30)
    assert checks[0].state == "no"
    assert may_be_used(checks).startswith("May it be used? Not as it is")
    warned = replace(VALIDATION, warnings=(Failure("levels", "kind", "<i> is new"),))
    check = make_checks(outcome, warned, 30)[1]
    assert (check.state, "&lt;i&gt; is new" in macros.checks([check])) == ("care", True)
    moved = Drift({"column 1": 0.4}, ("column 1",))
    states = {c.name: c.state for c in make_checks(outcome, VALIDATION, 30, moved)}
    assert states["Drift"] == "care"
    few = {c.name: c.state for c in make_checks(replace(outcome, test_auc_low=0.7), VALIDATION, 3)}
    assert few["Test"] == "care"
    chance = make_checks(replace(outcome, test_auc_low=0.45), VALIDATION, 30)
    assert "no better than chance" in next(c.text for c in chance if c.name == "Test")


def test_summary_is_short(small):
    names = [name for name, _ in summary(small[0])]
    assert names == [
        *("data", "chosen", "CV AUC", "test AUC", "peers"),
        *("prototypes", "threshold", "model", "because"),
    ]
    assert dict(summary(small[0]))["threshold"].startswith("0.5: finds ")
