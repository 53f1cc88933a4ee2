"""The plan of a search, who goes on, and the sample that candidates are compared on."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from smoothrank.halving import (
    LARGEST_SAMPLE,
    SMALLEST_SAMPLE,
    Round,
    SearchPlan,
    best_candidates,
    comparable,
    plan_search,
    search_seconds,
    stratified_sample,
)
from smoothrank.honest import SCALE_ORDER, Candidate, FoldFit

VALUES = tuple(10.0**k for k in range(-6, 7))
CANDIDATES = [(value, scale) for value in VALUES for scale in SCALE_ORDER]


def fold(*aucs):
    return FoldFit(aucs, len(aucs), 0.0, [], [], 0.1)


def run(plan, auc_of, candidates):
    """Go through the rounds of a plan with given validation AUCs."""
    present = list(candidates)
    for round_ in plan.rounds:
        fits = {c: [fold(auc_of[c])] * round_.n_folds for c in present}
        present = list(best_candidates(fits, round_.n_candidates))
    return present


@given(
    st.permutations(range(len(CANDIDATES))),
    st.integers(50, 200_000),
    st.integers(1, 300),
    st.integers(2, 20),
    st.floats(1, 3600),
)
def test_without_noise_the_best_is_among_the_last(order, rows, features, folds, budget):
    auc_of = {c: 0.5 + place / 100 for c, place in zip(CANDIDATES, order, strict=True)}
    plan = plan_search(rows, features, len(CANDIDATES), folds, budget)
    last = run(plan, auc_of, CANDIDATES)
    assert max(CANDIDATES, key=auc_of.__getitem__) == last[0]
    assert len(last) == plan.rounds[-1].n_candidates


@given(
    st.integers(20, 10**6),
    st.integers(1, 2000),
    st.integers(1, 60),
    st.integers(2, 30),
    st.floats(0.5, 10**5),
)
def test_a_plan_is_within_its_budget_or_as_small_as_it_gets(rows, features, n, folds, budget):
    plan = plan_search(rows, features, n, folds, budget)
    assert plan == plan_search(rows, features, n, folds, budget)
    assert plan.n_rows <= rows
    assert plan.rounds[0].n_candidates == n
    assert plan.rounds[-1].n_folds == folds
    counts = [(-r.n_candidates, r.n_folds) for r in plan.rounds]
    assert counts == sorted(counts)
    estimate = search_seconds(plan.n_rows, features, plan.n_fits)
    assert estimate <= 0.51 * budget or plan.n_rows <= SMALLEST_SAMPLE
    assert plan.n_fits <= n * folds


def test_small_data_is_searched_wholly_and_large_data_by_halves():
    assert plan_search(110, 4, 39, 10, 100.0) == SearchPlan(110, (Round(39, 10),))
    whole = plan_search(500, 8, 39, 10, 60.0)
    assert [r.n_candidates for r in whole.rounds] == [39, 39, 39]
    assert whole.n_rows == 500
    assert whole.n_fits == 390
    halves = plan_search(4350, 85, 39, 10, 60.0)
    assert [(r.n_candidates, r.n_folds) for r in halves.rounds] == [(39, 2), (13, 5), (5, 10)]
    assert halves.n_fits == 78 + 39 + 25
    assert SMALLEST_SAMPLE <= halves.n_rows < 4350
    assert plan_search(75_000, 10, 39, 10, 300.0).n_rows == LARGEST_SAMPLE
    assert plan_search(4350, 85, 39, 10, 3600.0).n_rows == 4350


def test_one_more_fold_is_no_disadvantage():
    easy, hard = fold(0.9), fold(0.5)
    fits: dict[Candidate, list[FoldFit]] = {
        (1.0, None): [easy, hard],
        (2.0, None): [fold(0.8)],
        (3.0, None): [],
    }
    assert best_candidates(fits, 1) == ((1.0, None),)
    assert comparable(fits) == {(1.0, None): [easy], (2.0, None): [fold(0.8)]}


def test_of_equals_fewer_prototypes_smaller_values_and_plainer_scalings_go_on():
    fits = {
        (2.0, "quantile"): [fold(0.8)],
        (2.0, None): [fold(0.8)],
        (1.0, "quantile"): [fold(0.8)],
        (0.1, None): [fold(0.7, 0.8)],
    }
    best = [(1.0, "quantile"), (2.0, None), (2.0, "quantile"), (0.1, None)]
    assert list(best_candidates(fits, 4)) == best


@pytest.mark.parametrize("rare", [20, 300, 4000])
def test_a_sample_keeps_what_is_rare(rare):
    y = np.full(10_000, -1)
    y[np.random.default_rng(0).choice(10_000, rare, replace=False)] = 1
    rows = stratified_sample(y, 2000, seed=3)
    assert len(set(rows.tolist())) == 2000
    assert np.array_equal(rows, np.sort(rows))
    assert np.array_equal(rows, stratified_sample(y, 2000, seed=3))
    assert np.sum(y[rows] == 1) == {20: 20, 300: 300, 4000: 800}[rare]
    assert np.array_equal(stratified_sample(y, 10_000, seed=3), np.arange(10_000))
