"""The choice of parameter, scaling and number of prototypes, against every choice one by one."""

from itertools import product
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from sklearn.linear_model import LogisticRegression
from sklearn.metrics import roc_auc_score

from smoothrank import L1Ranking, SmoothRankingPrototype
from smoothrank.errors import SmoothrankError
from smoothrank.selection.choice import choose_honest, choose_paper, choose_smallest
from smoothrank.selection.fold_fit import FoldFit, fit_fold
from smoothrank.selection.folds import honest_folds, paper_folds
from tests.support.oracles.paper_protocol import paper_protocol, paper_split

SCALES = [None, "standard", "quantile"]


def fold(*aucs, staged=True):
    return FoldFit(tuple(aucs), len(aucs), 0.0, [], [], 0.0, staged)


@st.composite
def grids(draw):
    values = draw(st.lists(st.sampled_from([0.001, 0.1, 1.0]), min_size=1, max_size=3, unique=True))
    scales = draw(st.lists(st.sampled_from(SCALES), min_size=1, max_size=3, unique=True))
    n_folds = draw(st.integers(1, 3))
    aucs = st.lists(st.sampled_from([0.5, 0.75, 1.0]), min_size=1, max_size=4)
    return {key: [fold(*draw(aucs)) for _ in range(n_folds)] for key in product(values, scales)}


def naive_choice(fits):
    """Try every value, scaling and number; better, then fewer, smaller, plainer."""
    found = []
    for (value, scale), folds in fits.items():
        for number in range(1, max(len(f.auc_by_iteration) for f in folds) + 1):
            reads = [f.auc_by_iteration[min(number, len(f.auc_by_iteration)) - 1] for f in folds]
            mean = round(sum(reads) / len(reads), 9)
            key = (-mean, number, value, SCALES.index(scale))
            found.append((key, (value, scale, number, mean)))
    return min(found, key=lambda one: one[0])[1]


@given(grids())
@settings(max_examples=300, deadline=None)
def test_choice_is_the_best_of_all(fits):
    choice = choose_honest(fits)
    value, scale, number, mean = naive_choice(fits)
    assert (choice.value, choice.scale, choice.n_prototypes) == (value, scale, number)
    assert choice.cv_auc_mean == pytest.approx(mean)
    assert choice.cv_auc_by_value.keys() == fits.keys()
    assert max(choice.cv_auc_by_value.values()) == pytest.approx(mean)


def test_all_folds_are_read_at_the_same_number():
    fits: dict[Any, Any] = {
        (1.0, None): [fold(0.9, 0.5), fold(0.5, 0.9)],
        (2.0, None): [fold(0.8), fold(0.8)],
    }
    assert choose_honest(fits).value == 2.0
    assert choose_paper(fits, "best").value == 1.0


def test_a_fold_that_stopped_keeps_its_last_auc():
    choice = choose_honest({(1.0, None): [fold(0.6, 0.9), fold(0.5, 0.6, 0.9)]})
    assert choice.n_prototypes == 3
    assert choice.cv_auc_mean == pytest.approx(0.9)
    assert choice.cv_auc_std == pytest.approx(0.0)


def test_mean_and_deviation_are_those_at_the_choice():
    choice = choose_honest({(1.0, None): [fold(0.6, 0.7), fold(0.8, 0.9)]})
    assert (choice.cv_auc_mean, choice.cv_auc_std) == pytest.approx(
        (0.8, np.std([0.7, 0.9], ddof=1))
    )


def test_a_method_without_iterations_has_no_number():
    choice = choose_honest({(1.0, "standard"): [fold(0.6, staged=False)]})
    assert choice.n_prototypes is None


def test_papers_rule_by_the_last_iteration():
    fits: dict[Any, Any] = {(1.0, None): [fold(1.0, 0.5)], (2.0, None): [fold(0.6, 0.8)]}
    assert choose_paper(fits, "last").value == 2.0
    assert choose_paper(fits, "best").value == 1.0
    assert choose_paper(fits, "best").n_prototypes is None


@pytest.mark.parametrize("fits", [{}, {(1.0, None): []}])
def test_nothing_to_choose_from_is_said(fits):
    with pytest.raises(SmoothrankError, match="no fits"):
        choose_honest(fits)
    with pytest.raises(SmoothrankError, match="no fits"):
        choose_paper(fits, "last")


def test_an_unknown_rule_is_refused():
    with pytest.raises(SmoothrankError, match="'best' or 'last'"):
        choose_paper({(1.0, None): [fold(0.5)]}, "first")  # type: ignore[arg-type]


def test_folds_are_stratified_and_use_every_row_once_a_repeat():
    y = np.repeat([1, -1], [12, 48])
    folds = honest_folds(y, 4, 3, seed=0)
    assert len(folds) == 12
    assert np.array_equal(np.bincount(np.concatenate([v for _, v in folds])), np.full(60, 3))
    for train, validation in folds:
        assert sorted([*train, *validation]) == list(range(60))
        assert np.sum(y[validation] == 1) == 3
    again, other = honest_folds(y, 4, 3, seed=0), honest_folds(y, 4, 3, seed=1)
    assert all(np.array_equal(a[1], b[1]) for a, b in zip(folds, again, strict=True))
    assert not all(np.array_equal(a[1], b[1]) for a, b in zip(folds, other, strict=True))
    assert not np.array_equal(folds[0][1], folds[4][1])


def test_a_rare_class_limits_the_folds(recwarn):
    assert len(honest_folds(np.repeat([1, -1], [3, 40]), 5, 2, seed=0)) == 6
    assert not recwarn.list


@pytest.mark.parametrize(
    ("y", "n_folds", "n_repeats", "message"),
    [
        ([1, -1, -1, -1], 5, 1, "two rows at least; the rows are -1: 3, 1: 1"),
        ([1, 1], 5, 1, "two classes"),
        ([1, 1, -1, -1], 1, 1, "at least two folds"),
        ([1, 1, -1, -1], 2, 0, "one repeat"),
    ],
)
def test_impossible_folds_are_refused(y, n_folds, n_repeats, message):
    with pytest.raises(SmoothrankError, match=message):
        honest_folds(y, n_folds, n_repeats, seed=0)


@pytest.fixture(scope="module")
def problem():
    rng = np.random.default_rng(0)
    X = rng.standard_normal((80, 3))
    return X, np.where(X[:, 0] + X[:, 1] ** 2 > 1.0, 1, -1)


def test_a_fold_of_prototypes_is_what_its_estimator_does(problem):
    X, y = problem
    train, validation = honest_folds(y, 3, 1, seed=0)[0]
    estimator = SmoothRankingPrototype(1e-3, solver="highs", max_prototypes=4)
    fit = fit_fold(estimator, X, y, train, validation)
    model = SmoothRankingPrototype(1e-3, solver="highs", max_prototypes=4).fit(X[train], y[train])
    expected = [
        roc_auc_score(y[validation], scores)
        for scores in model.staged_decision_function(X[validation])
    ]
    assert fit.auc_by_iteration == pytest.approx(expected)
    assert fit.n_prototypes == np.sum(np.abs(model.weights_) >= 1e-3)
    assert fit.gap == max(step.gap for step in model.history_)
    order = np.argsort(-np.abs(model.weights_))[: fit.n_prototypes]
    assert np.array_equal(fit.prototypes, model.prototypes_[order])
    assert np.array_equal(fit.weights, model.weights_[order])
    assert fit.seconds > 0
    assert fit.staged
    assert not hasattr(estimator, "weights_")


def test_a_fold_of_a_norm_has_one_auc(problem):
    X, y = problem
    train, validation = honest_folds(y, 3, 1, seed=0)[0]
    fit = fit_fold(L1Ranking(10.0), X, y, train, validation)
    model = L1Ranking(10.0).fit(X[train], y[train])
    scores = model.decision_function(X[validation])
    assert fit.auc_by_iteration == pytest.approx([roc_auc_score(y[validation], scores)])
    assert (fit.gap, fit.n_prototypes) == (model.gap_, model.n_features_used_)
    assert not fit.staged
    assert {tuple(row) for row in fit.prototypes} <= {tuple(row) for row in X[train]}
    assert len(fit.prototypes) == min(fit.n_prototypes, 100)


def test_a_fold_of_ones_own_estimator(problem):
    X, y = problem
    train, validation = honest_folds(y, 3, 1, seed=0)[0]
    fit = fit_fold(LogisticRegression(), X, y, train, validation)
    assert len(fit.auc_by_iteration) == 1
    assert np.isnan(fit.gap)
    assert (fit.prototypes, fit.weights, fit.n_prototypes) == ([], [], 3)


def test_papers_rule_is_that_of_the_papers_experiment(problem):
    X, y = problem
    grid = (1e-3, 1e-1)
    expected = paper_protocol(X, y, grid=grid, solver="highs")
    split = paper_split(X, y)
    fits: dict[Any, Any] = {
        (C, None): [
            fit_fold(
                SmoothRankingPrototype(C, first_prototype="first", solver="highs"),
                split.X_train, split.y_train, train, validation,
            )
            for train, validation in paper_folds(split.X_train, split.y_train)
        ]
        for C in grid
    }  # fmt: skip
    choice = choose_paper(fits, "best")
    assert choice.value == expected.C
    assert choice.cv_auc_mean == pytest.approx(expected.cv_auc)
    assert list(choice.cv_auc_by_value.values()) == pytest.approx(expected.cv_auc_by_C)


def of_sizes(*aucs_by_size):
    return {
        (float(size), None): [fold(auc, staged=False) for auc in aucs]
        for size, *aucs in aucs_by_size
    }


def test_the_smallest_within_one_standard_error_of_the_best():
    """Three columns are behind by 0.02 and 0.04: 0.03 with a standard error of 0.01."""
    fits = of_sizes((1, 0.7, 0.8), (3, 0.88, 0.86), (8, 0.9, 0.9), (20, 0.9, 0.9))
    found = choose_smallest(fits)
    assert (found.value, found.scale, found.n_prototypes) == (8.0, None, None)
    assert found.cv_auc_mean == pytest.approx(0.9)
    assert set(found.cv_auc_by_value) == set(fits)


def test_a_small_one_that_is_behind_by_chance_is_good_enough():
    """Behind by 0.04 on one fold and ahead by 0.02 on the other: 0.01 with an error of 0.03."""
    found = choose_smallest(of_sizes((2, 0.86, 0.92), (8, 0.9, 0.9)))
    assert found.value == 2.0
    assert found.cv_auc_mean == pytest.approx(0.89)


def test_with_one_fold_the_smallest_of_the_best_is_chosen():
    assert choose_smallest(of_sizes((1, 0.8), (2, 0.9), (3, 0.9))).value == 2.0


def test_nothing_to_choose_from_is_an_error():
    with pytest.raises(SmoothrankError, match="no fits to choose from"):
        choose_smallest({})
