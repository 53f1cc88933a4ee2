"""The registry of methods, and the experiment with them."""

from __future__ import annotations

import numpy as np
import pytest
from sklearn.datasets import make_classification
from sklearn.linear_model import LogisticRegression

from smoothrank.errors import SmoothrankError
from smoothrank.selection.experiment import run_experiment
from smoothrank.selection.methods import METHODS, Method, method, method_names, register
from smoothrank.selection.splits import paper_parts
from tasks.benchmark.paper_tables import paper_features_used
from tests.support.registries import restored

PAPER_NAMES = ("smooth", "ranking-cg", "ranking-cg-unbounded", "l1", "linf", "ranking-svm")


@pytest.fixture
def empty_place():
    with restored(METHODS):
        yield


@pytest.fixture(scope="module")
def zoo(load_or_skip):
    from smoothrank.tables.one_hot import Encoder

    data = load_or_skip("zoo-3")
    return Encoder().fit_transform(data.X), data.y


def test_the_papers_methods_are_known():
    assert method_names()[: len(PAPER_NAMES)] == PAPER_NAMES
    for name in PAPER_NAMES:
        chosen = method(name)
        assert len(chosen.grid) == 13
        assert list(chosen.grid) == sorted(chosen.grid)
        assert hasattr(chosen.make(chosen.grid[0]), "fit")


def test_an_unknown_name_is_refused_with_those_that_are_known():
    with pytest.raises(SmoothrankError, match=r"no method 'l3'.*ranking-svm"):
        method("l3")


def test_a_taken_name_is_refused():
    with pytest.raises(SmoothrankError, match="already"):
        register(Method("l1", LogisticRegression, (1.0,)))


def test_a_users_own_estimator_runs_in_the_protocol(empty_place):
    X, y = make_classification(n_samples=120, weights=[0.7], random_state=0)
    register(Method("logistic", lambda C: LogisticRegression(C=C), (0.01, 1.0, 100.0)))
    result = run_experiment(method("logistic"), X, 2 * y - 1, paper_parts(2 * y - 1))
    assert result.value in (0.01, 1.0, 100.0)
    assert result.cv_auc == max(np.mean(aucs) for aucs in result.fold_aucs.values())
    assert 0.5 < result.test_auc <= 1.0
    assert 0 < result.n_used <= 20


@pytest.mark.parametrize(
    ("name", "test_auc", "n_used"), [("l1", 1.0, 11), ("linf", 1.0, 75), ("ranking-svm", 1.0, None)]
)
def test_the_papers_experiment_on_zoo(name, test_auc, n_used, zoo):
    X, y = zoo
    result = run_experiment(method(name), X, y, paper_parts(y))
    assert result.test_auc == pytest.approx(test_auc)
    assert n_used is None or result.n_used == n_used
    assert result.gap <= result.worst_gap <= 1e-3


def test_the_smallest_value_is_chosen_on_a_tie(empty_place):
    X, y = make_classification(n_samples=120, class_sep=5.0, random_state=0)
    register(Method("tied", lambda C: LogisticRegression(C=1.0), (0.1, 1.0, 10.0)))
    assert run_experiment(method("tied"), X, 2 * y - 1, paper_parts(2 * y - 1)).value == 0.1


@pytest.mark.parametrize("name", ["ranking-cg", "ranking-cg-unbounded", "ranking-cg-five-back"])
def test_one_ranking_cg_fit_gives_the_whole_path(name):
    X, y = make_classification(
        n_samples=120, n_features=3, n_informative=3, n_redundant=0, class_sep=0.5, random_state=1
    )
    chosen = method(name)
    grid = (0.01, 0.03, 0.05)
    fits = list(chosen.fit_grid(chosen, X, 2 * y - 1, grid))
    assert fits[0].n_used > fits[-1].n_used
    for alpha, fit in zip(grid, fits, strict=True):
        alone = chosen.make(alpha).fit(X, 2 * y - 1)
        assert fit.n_used == len(alone.weights_)
        np.testing.assert_array_equal(fit.stages(X)[-1], last_scores(alone, X))


def test_one_rank_boost_fit_gives_all_numbers_of_rounds():
    X, y = make_classification(n_samples=120, weights=[0.8], random_state=1)
    chosen = method("rank-boost")
    for rounds, fit in zip((3, 17), chosen.fit_grid(chosen, X, y, (3, 17)), strict=True):
        alone = chosen.make(rounds).fit(X, y)
        assert fit.n_used == alone.n_columns_
        np.testing.assert_array_equal(fit.stages(X)[-1], alone.model_.score(X))


@pytest.mark.parametrize("name", ["rank-boost", "rank-net", "dictionary"])
def test_other_rankers_run_in_the_protocol(name):
    X, y = make_classification(n_samples=120, weights=[0.7], random_state=0)
    result = run_experiment(method(name), X, 2 * y - 1, paper_parts(2 * y - 1))
    assert result.value in method(name).grid
    assert result.test_auc > 0.8


def test_ranking_cg_has_room_for_the_most_columns_of_the_tables():
    most = paper_features_used()["ranking-cg"].max()
    assert method("ranking-cg").make(1e-5).max_prototypes > most


def test_the_two_stops_of_ranking_cg():
    assert method("ranking-cg").make(1e-3).columns_back == 1
    assert method("ranking-cg-five-back").make(1e-3).columns_back == 5


@pytest.mark.parametrize(
    ("name", "value", "scale", "words", "label", "logged"),
    [
        ("smooth", 0.1, None, "C = 0.1, no scaling", "C=0.1", {"C": 0.1, "log10_C": -1.0}),
        ("l1", 100.0, "standard", "C = 100, standard scaling", "C=100", {"C": 100, "log10_C": 2}),
        ("smoothrank-small", 1.0, None, "1 column", "columns=1", {"columns": 1.0}),
        ("smoothrank-small", 12.0, None, "12 columns", "columns=12", {"columns": 12.0}),
        ("smoothrank-best", 1.0, None, "an average", "an average", {}),
    ],
)
def test_a_candidate_in_words_and_under_its_own_name(name, value, scale, words, label, logged):
    chosen = method(name)
    assert chosen.describe(value, scale) == words
    assert chosen.label(value) == label
    assert chosen.logged(value) == pytest.approx(logged)


def test_another_parameter_has_its_own_name():
    mine = Method("mine", LogisticRegression, (1.0, 2.0), parameter="depth")
    assert mine.describe(2.0, None) == "depth = 2, no scaling"
    assert mine.label(2.0) == "depth=2"
    assert mine.logged(2.0) == {"depth": 2.0}


def last_scores(model, X):
    return list(model.staged_decision_function(X))[-1]
