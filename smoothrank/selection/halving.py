"""Successive halving: candidates are compared on half of the folds, the best of them on all.

Where time is short, the grid of the parameter is thinned first: neighbouring values do almost the
same, so every second or third of them finds nearly the best, while few folds would not. The plan
depends on the size of the data and on the budget, not on a clock: the same data and the same budget
give the same plan on every machine.
"""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from math import ceil, inf
from typing import TypeVar

import numpy as np
import numpy.typing as npt

from smoothrank.arrays import Indices
from smoothrank.selection.choice import ROUNDING, SCALE_ORDER, Candidate, mean_aucs
from smoothrank.selection.cost import PROTOTYPE_COST, Cost
from smoothrank.selection.fold_fit import FoldFit

Fold = TypeVar("Fold", bound=FoldFit)

KEPT_SHARE = 1 / 3
"""The share of candidates that advances from one round to the next."""

FEWEST_KEPT = 4
FEWEST_VALUES = 4
"""A grid is not thinned to fewer values."""

STEPS = (1, 2, 3)
"""Every value, every second, every third."""

LARGEST_SAMPLE = 5000
"""The most rows that candidates are compared on, unless there is time for the whole search."""

SMALLEST_SAMPLE = 500
RARER_SHARE = 0.25
"""A sample keeps all rows of the rarer class up to this share of it."""

SEARCH_SHARE = 0.5
"""The share of the budget that the search may take, as estimated."""

AT_ONCE_SHARE = 0.1
"""A search that takes less than this has one round."""

PROCESSES = 2
"""How many processes a plan counts on."""

_DECIMALS = 12


@dataclass(frozen=True)
class HalvingRound:
    """A number of candidates, each on a number of first folds."""

    n_candidates: int
    n_folds: int


@dataclass(frozen=True)
class SearchPlan:
    """What is to be tried.

    Parameters
    ----------
    n_rows : int
        Rows of the sample that the folds are cut from; all of them if there are no more.
    rounds : tuple of HalvingRound
        The rounds, each with the best candidates of the one before.
    step : int
        Of the grid, every value (1), every second (2) or every third (3).
    """

    n_rows: int
    rounds: tuple[HalvingRound, ...]
    step: int = 1

    @property
    def n_fits(self) -> int:
        """How many fits that makes; folds of an earlier round are not fitted again."""
        before = (0, *(round_.n_folds for round_ in self.rounds[:-1]))
        return sum(
            round_.n_candidates * (round_.n_folds - done)
            for round_, done in zip(self.rounds, before, strict=True)
        )

    def values(self, grid: Sequence[float]) -> tuple[float, ...]:
        """Return the values of a grid that are tried, the smallest and the largest among them."""
        return thinned(grid, self.step)


def thinned(grid: Sequence[float], step: int) -> tuple[float, ...]:
    """Return every `step`-th value of a grid, its ends included, evenly spread."""
    n_values = (len(grid) - 1) // step + 1
    places = np.linspace(0, len(grid) - 1, n_values).round().astype(int)
    return tuple(grid[place] for place in places.tolist())


def plan_search(
    n_rows: int,
    n_features: int,
    n_values: int,
    n_scales: int,
    n_folds: int,
    budget: float,
    cost: Cost = PROTOTYPE_COST,
) -> SearchPlan:
    """Plan a search that fits a budget.

    If the whole search fits in half of it, all candidates are tried on all folds of all rows.
    Otherwise the best third of the candidates advances from half of the folds to all, on at most
    `LARGEST_SAMPLE` rows, with a thinner grid and fewer rows if need be.

    Parameters
    ----------
    n_rows, n_features : int
        Size of the training part.
    n_values, n_scales, n_folds : int
        Values of the parameter and scalings to choose from, and on how many folds in all.
    budget : float
        Seconds.
    cost : Cost
        How long a fit takes.
    """
    n_candidates = n_values * n_scales
    seconds = search_seconds(n_rows, n_features, n_candidates * n_folds, cost)
    if seconds <= AT_ONCE_SHARE * budget:
        return SearchPlan(n_rows, (HalvingRound(n_candidates, n_folds),))
    if seconds <= SEARCH_SHARE * budget:
        return SearchPlan(n_rows, _rounds(n_candidates, n_folds, kept_share=1.0))
    n_rows = min(n_rows, LARGEST_SAMPLE)
    for step in STEPS:
        n_kept = len(thinned(range(n_values), step))
        if step > 1 and n_kept < FEWEST_VALUES:
            break
        plan = SearchPlan(n_rows, _rounds(n_kept * n_scales, n_folds, KEPT_SHARE), step)
        if search_seconds(n_rows, n_features, plan.n_fits, cost) <= SEARCH_SHARE * budget:
            return plan
    rows = range(min(SMALLEST_SAMPLE, n_rows), n_rows + 1)
    n_fitting = bisect_right(
        rows,
        SEARCH_SHARE * budget,
        key=lambda number: search_seconds(number, n_features, plan.n_fits, cost),
    )
    return replace(plan, n_rows=rows[max(0, n_fitting - 1)])


def _rounds(n_candidates: int, n_folds: int, kept_share: float) -> tuple[HalvingRound, ...]:
    """Return a round on half of the folds and one on all; one round if there are few of either."""
    if n_candidates <= FEWEST_KEPT or n_folds <= 3:
        return (HalvingRound(n_candidates, n_folds),)
    kept = min(n_candidates, max(FEWEST_KEPT, ceil(n_candidates * kept_share)))
    return HalvingRound(n_candidates, ceil(n_folds / 2)), HalvingRound(kept, n_folds)


def search_seconds(n_rows: int, n_features: int, n_fits: int, cost: Cost = PROTOTYPE_COST) -> float:
    """Roughly estimate the seconds of the fits of a search, with two processes."""
    return n_fits * cost.of_fit(n_rows, n_features) / PROCESSES


def stratified_sample(y: npt.ArrayLike, n_rows: int, seed: int) -> Indices:
    """Draw rows, in their order; all of the rarer class, up to a quarter of the sample or more.

    AUC does not depend on the class shares, and the rarer class is the more informative one.
    """
    labels = np.asarray(y)
    if n_rows >= len(labels):
        return np.arange(len(labels))
    values, counts = np.unique(labels, return_counts=True)
    rare = np.flatnonzero(labels == values[np.argmin(counts)])
    others = np.flatnonzero(labels != values[np.argmin(counts)])
    n_rare = max(round(n_rows * len(rare) / len(labels)), min(len(rare), int(RARER_SHARE * n_rows)))
    rng = np.random.default_rng(seed)
    drawn = [
        rng.choice(rare, n_rare, replace=False),
        rng.choice(others, n_rows - n_rare, replace=False),
    ]
    return np.sort(np.concatenate(drawn))


def comparable(fits: Mapping[Candidate, Sequence[Fold]]) -> dict[Candidate, Sequence[Fold]]:
    """Return candidates that have fits, each with the folds that all of them have.

    Folds are fitted in the same order for all, so an additional, perhaps harder, fold does not put
    a candidate at a disadvantage.
    """
    tried = {candidate: folds for candidate, folds in fits.items() if folds}
    common = min((len(folds) for folds in tried.values()), default=0)
    return {candidate: folds[:common] for candidate, folds in tried.items()}


def best_candidates(
    fits: Mapping[Candidate, Sequence[FoldFit]], n_kept: int
) -> tuple[Candidate, ...]:
    """Return the candidates of the highest mean validation AUC at their best number of prototypes.

    Ties go to fewer prototypes, a smaller value and a simpler scaling, as in `choose_honest`.
    """
    order = _order(comparable(fits))
    return tuple(sorted(order, key=order.__getitem__)[:n_kept])


def _order(
    fits: Mapping[Candidate, Sequence[FoldFit]],
) -> dict[Candidate, tuple[float, int, float, int]]:
    means = {candidate: mean_aucs(folds) for candidate, folds in fits.items()}
    return {
        candidate: (
            -round(float(mean.max()), _DECIMALS),
            int(np.flatnonzero(mean >= mean.max() - ROUNDING)[0]),
            candidate[0],
            SCALE_ORDER.index(candidate[1]),
        )
        for candidate, mean in means.items()
    }


def best_auc(folds: Sequence[FoldFit]) -> float:
    """Return the mean validation AUC of a candidate at its best number of prototypes."""
    return float(mean_aucs(folds).max()) if folds else -inf
