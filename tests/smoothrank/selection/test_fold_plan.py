"""The plan of a search that has nothing to drop: its laws, and what it is for real methods."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from smoothrank.selection.cost import SMALL_COST, Cost
from smoothrank.selection.fold_plan import FIT_SHARE, FoldSearch, plan_folds
from smoothrank.selection.halving import SMALLEST_SAMPLE
from smoothrank.selection.methods import method

searches = st.builds(
    FoldSearch,
    n_rows=st.integers(20, 10**6),
    n_features=st.integers(1, 2000),
    n_candidates=st.integers(1, 40),
    n_passes=st.integers(1, 3),
    n_folds=st.integers(2, 30),
    n_processes=st.integers(1, 2),
)
costs = st.builds(
    Cost,
    seconds=st.floats(0.0, 5.0),
    factor=st.floats(1e-7, 0.1),
    rows=st.floats(0.1, 2.5),
    features=st.floats(0.0, 1.0),
    refit=st.floats(0.0, 3.0),
)
budgets = st.floats(0.5, 10**5)


def size(plan):
    return plan.rounds[-1].n_folds, plan.n_rows


@given(searches, costs, budgets)
def test_a_plan_is_within_its_budget_or_as_small_as_it_gets(search, cost, budget):
    plan = plan_folds(search, cost, budget)
    assert plan == plan_folds(search, cost, budget)
    assert plan.step == 1
    assert {one.n_candidates for one in plan.rounds} == {search.n_candidates}
    n_folds, n_rows = size(plan)
    smallest = (min(3, search.n_folds), min(SMALLEST_SAMPLE, search.n_rows))
    assert smallest <= (n_folds, n_rows) <= (search.n_folds, search.n_rows)
    is_within = search.seconds(cost, n_folds, n_rows) <= FIT_SHARE * budget
    assert is_within or (n_folds, n_rows) == smallest


@given(searches, costs, budgets, st.floats(1.0, 100.0))
def test_more_time_never_means_fewer_folds_or_rows(search, cost, budget, times):
    less, more = plan_folds(search, cost, budget), plan_folds(search, cost, times * budget)
    assert size(less)[0] <= size(more)[0]
    assert size(less)[1] <= size(more)[1]


@pytest.mark.parametrize(
    ("budget", "folds", "rows"),
    [(600.0, 10, 2000), (100.0, 5, 2000), (70.0, 3, 2000), (60.0, 3, 1750), (10.0, 3, 500)],
)
def test_folds_are_saved_before_rows(budget, folds, rows):
    cost = Cost(seconds=0.0, factor=0.01, features=0.0, refit=0.5)
    assert size(plan_folds(FoldSearch(2000, 10, 7, 1, 10), cost, budget)) == (folds, rows)


def test_two_folds_come_first_unless_all_are_done_in_no_time():
    search = FoldSearch(400, 10, 7, 1, 10)
    rounds = plan_folds(search, SMALL_COST, 120.0).rounds
    assert [(one.n_candidates, one.n_folds) for one in rounds] == [(7, 2), (7, 10)]
    assert len(plan_folds(search, SMALL_COST, 3600.0).rounds) == 1


def test_every_method_takes_longer_on_more_rows():
    for name in ("smooth", "l1", "ranking-cg", "smoothrank-small", "smoothrank-best"):
        cost = method(name).cost
        assert 0.0 < cost.of_fit(100, 10) < cost.of_fit(1000, 10) < cost.of_refit(10_000, 10)
