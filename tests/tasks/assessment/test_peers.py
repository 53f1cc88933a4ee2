"""The peers: what they are fitted on, and who is said to have won."""

from __future__ import annotations

import numpy as np
import pytest
from sklearn.metrics import roc_auc_score

from tasks.assessment import peers
from tasks.assessment.measures import measures
from tasks.assessment.thresholds import alternatives, confusion
from tasks.results.peers import Peer
from tests.tasks.reporting.test_run_page import home, retrained, rows  # noqa: F401


@pytest.fixture(scope="module")
def problem(home):  # noqa: F811
    from tasks.problem.problem import make_problem
    from tasks.problem.source import fetch_source
    from tasks.project.config import Params

    file = home / "peers.csv"
    rows(n_rows=400).to_csv(file, index=False)
    return make_problem(fetch_source(str(file), "y", "<b>rare"), "smooth", "honest", Params())


def peer(name, auc, own, p):
    return Peer(name, auc, 0.5, 0.1, seconds=1.0, n_train=100, difference=own - auc, p=p)


def test_both_are_fitted_on_the_training_rows_and_scored_on_the_others(problem):
    from tasks.problem.problem import load_data

    found = peers.fit_peers(problem)
    data = load_data(problem)
    assert [one.name for one in found] == list(peers.NAMES) == ["logistic", "boosting"]
    for one in found:
        assert len(one.probability) == len(data.test)
        assert roc_auc_score(data.y[data.test], one.probability) > 0.7
        assert one.seconds < 60


def test_of_many_rows_a_sample_of_both_classes_is_taken(problem, monkeypatch):
    from tasks.problem.problem import load_data

    monkeypatch.setattr(peers, "MOST_ROWS", 100)
    data = load_data(problem)
    sample = peers.training_sample(data)
    assert len(sample) == 100
    assert set(sample) <= set(data.train)
    share = np.mean(data.y[data.train] == 1)
    assert np.mean(data.y[sample] == 1) == pytest.approx(share, abs=0.02)


def test_who_won_is_said_honestly():
    others = [peer("logistic", 0.84, 0.86, 0.2), peer("boosting", 0.88, 0.86, 0.01)]
    assert peers.verdict(0.86, 4, others) == (
        "gradient boosting 0.880, logistic regression 0.840: this model, 0.860 with 4 prototypes, "
        "is second; gradient boosting is significantly better (p = 0.01)"
    )
    others = [peer("logistic", 0.84, 0.86, 0.2), peer("boosting", 0.85, 0.86, 0.0001)]
    assert "is first; it is significantly better (p < 0.001)" in peers.verdict(0.86, 1, others)
    others = [peer("logistic", 0.9, 0.86, 0.3), peer("boosting", 0.88, 0.86, 0.4)]
    said = peers.verdict(0.86, 1, others)
    assert "is third; the difference from logistic regression may be chance (p = 0.3)" in said
    assert "it equals" in peers.verdict(1.0, 1, [peer("logistic", 1.0, 1.0, 1.0)])
    assert peers.verdict(1.0, 1, []) == ""


def test_recall_at_a_precision():
    flags = np.array([True, False, True, False, False])
    said = np.array([0.9, 0.8, 0.7, 0.2, 0.1])
    assert measures(said, flags, 0.6).recall_at_precision == 1.0
    assert measures(said, flags, 0.7).recall_at_precision == 0.5
    assert measures(1 - said, flags, 0.9).recall_at_precision == 0.0
    assert measures(flags.astype(float), flags, 0.5).brier == 0.0


def test_thresholds_count_rows():
    rng = np.random.default_rng(0)
    said, flags = rng.random(200), rng.random(200) < 0.2
    found = {one.option: one for one in alternatives(said, said, flags)}
    assert found["--top 2"].confusion.reported == 2
    assert found["--top 20"].confusion.reported == 20
    assert found["--cost-fp 1 --cost-fn 5"].threshold == pytest.approx(1 / 6)
    for one in found.values():
        assert one.confusion.rows == 200
        assert one.confusion.positives == flags.sum()
    tied = alternatives(np.ones(200), said, flags)[-1].confusion
    assert tied.reported == 20
    assert tied.true_positives == flags[:20].sum()
    nothing = confusion(np.zeros(200, dtype=bool), flags)
    assert np.isnan(nothing.precision)
    assert nothing.recall == 0.0
