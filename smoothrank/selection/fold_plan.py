"""The plan of a search that has nothing to drop: fewer folds where time is short, then fewer rows.

A method with a path fits its whole grid in one pass, so that fewer values would save nothing; and a
single candidate is only measured. As in `smoothrank.selection.halving`, the plan depends on sizes
and budget, not on a clock.
"""

from __future__ import annotations

from bisect import bisect_right
from dataclasses import dataclass
from math import ceil

from smoothrank.selection.cost import Cost
from smoothrank.selection.halving import (
    AT_ONCE_SHARE,
    PROCESSES,
    SMALLEST_SAMPLE,
    HalvingRound,
    SearchPlan,
)

FEWER_FOLDS = (5, 3)
FIRST_FOLDS = 2
"""Folds of the first round: they tell how fast the machine is before the others begin."""

FIT_SHARE = 0.75
"""The share of the budget that the search and the refit together may take, as estimated."""


@dataclass(frozen=True)
class FoldSearch:
    """What is to be searched.

    Parameters
    ----------
    n_rows, n_features : int
        Size of the training part.
    n_candidates : int
        How many candidates all passes over a fold fit.
    n_passes : int
        Passes over a fold: one for each scaling.
    n_folds : int
        Folds in all.
    n_processes : int
        Processes that work at the same time.
    """

    n_rows: int
    n_features: int
    n_candidates: int
    n_passes: int
    n_folds: int
    n_processes: int = PROCESSES

    def seconds(self, cost: Cost, n_folds: int, n_rows: int) -> float:
        """Estimate the search on some folds of a sample of rows, and the refit on all rows."""
        turns = ceil(n_folds * self.n_passes / self.n_processes)
        search = turns * cost.of_fit(n_rows, self.n_features)
        return search + cost.of_refit(self.n_rows, self.n_features)


def plan_folds(search: FoldSearch, cost: Cost, budget: float) -> SearchPlan:
    """Plan a search of all candidates that fits a budget.

    Parameters
    ----------
    search : FoldSearch
        What is to be searched.
    cost : Cost
        How long a pass takes.
    budget : float
        Seconds.
    """
    limit = FIT_SHARE * budget
    fewer = [number for number in FEWER_FOLDS if number < search.n_folds]
    for n_folds in (search.n_folds, *fewer):
        seconds = search.seconds(cost, n_folds, search.n_rows)
        if seconds <= limit:
            at_once = seconds <= AT_ONCE_SHARE * budget
            return SearchPlan(search.n_rows, _rounds(search, n_folds, at_once=at_once))
    smallest = min(SMALLEST_SAMPLE, search.n_rows)
    rows = range(smallest, search.n_rows + 1)
    n_fitting = bisect_right(rows, limit, key=lambda n: search.seconds(cost, n_folds, n))
    return SearchPlan(rows[max(0, n_fitting - 1)], _rounds(search, n_folds, at_once=False))


def _rounds(search: FoldSearch, n_folds: int, *, at_once: bool) -> tuple[HalvingRound, ...]:
    last = HalvingRound(search.n_candidates, n_folds)
    if n_folds <= FIRST_FOLDS or (at_once and n_folds == search.n_folds):
        return (last,)
    return HalvingRound(search.n_candidates, FIRST_FOLDS), last
