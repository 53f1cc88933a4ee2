"""The plan of a search, who goes on, and the sample that candidates are compared on."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from smoothrank.selection.choice import SCALE_ORDER, Candidate
from smoothrank.selection.fold_fit import FoldFit
from smoothrank.selection.halving import (
    FEWEST_VALUES,
    LARGEST_SAMPLE,
    SMALLEST_SAMPLE,
    HalvingRound,
    SearchPlan,
    best_candidates,
    comparable,
    plan_search,
    search_seconds,
    stratified_sample,
    thinned,
)

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
    plan = plan_search(rows, features, len(VALUES), len(SCALE_ORDER), folds, budget)
    planned = [(value, scale) for value in plan.values(VALUES) for scale in SCALE_ORDER]
    last = run(plan, auc_of, planned)
    assert max(planned, key=auc_of.__getitem__) == last[0]
    assert len(last) == plan.rounds[-1].n_candidates


@given(
    st.integers(20, 10**6),
    st.integers(1, 2000),
    st.integers(1, 20),
    st.integers(1, 3),
    st.integers(2, 30),
    st.floats(0.5, 10**5),
)
def test_a_plan_is_within_its_budget_or_as_small_as_it_gets(
    rows, features, n_values, n_scales, folds, budget
):
    sizes = (rows, features, n_values, n_scales, folds)
    plan, n = plan_search(*sizes, budget), n_values * n_scales
    assert plan == plan_search(*sizes, budget)
    assert plan.n_rows <= rows
    assert plan.rounds[0].n_candidates == len(plan.values(range(n_values))) * n_scales
    assert plan.step == 1 or plan.rounds[0].n_candidates >= FEWEST_VALUES * n_scales
    assert plan.rounds[-1].n_folds == folds
    counts = [(-r.n_candidates, r.n_folds) for r in plan.rounds]
    assert counts == sorted(counts)
    estimate = search_seconds(plan.n_rows, features, plan.n_fits)
    assert estimate <= 0.51 * budget or plan.n_rows <= SMALLEST_SAMPLE
    assert plan.n_fits <= n * folds


def plan(rows, features, budget):
    return plan_search(rows, features, 13, 3, 10, budget)


def rounds(found):
    return [(r.n_candidates, r.n_folds) for r in found.rounds]


def test_small_data_is_searched_wholly_and_large_data_by_halves():
    assert plan(110, 4, 100.0) == SearchPlan(110, (HalvingRound(39, 10),))
    whole = plan(500, 8, 60.0)
    assert rounds(whole) == [(39, 5), (39, 10)]
    assert (whole.n_rows, whole.step, whole.n_fits) == (500, 1, 390)
    assert rounds(plan(75_000, 10, 300.0)) == [(39, 5), (13, 10)]
    assert plan(75_000, 10, 300.0).n_rows == LARGEST_SAMPLE
    assert plan(4350, 85, 3600.0).n_rows == 4350


def test_where_time_is_short_the_grid_is_thinned_before_the_rows():
    short = plan(514, 9, 15.0)
    assert (short.n_rows, short.step) == (514, 2)
    assert rounds(short) == [(21, 5), (7, 10)]
    shorter = plan(4350, 85, 60.0)
    assert rounds(shorter) == [(15, 5), (5, 10)]
    assert (shorter.step, shorter.n_fits) == (3, 100)
    assert SMALLEST_SAMPLE <= shorter.n_rows < 4350


@given(st.integers(1, 30), st.integers(1, 5))
def test_a_thinned_grid_keeps_its_ends_and_has_no_large_holes(n_values, step):
    kept = thinned(range(n_values), step)
    assert kept[0] == 0
    assert len(set(kept)) == len(kept) == (n_values - 1) // step + 1
    if len(kept) > 1:
        assert kept[-1] == n_values - 1
        assert np.diff(kept).max() <= 2 * step


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
