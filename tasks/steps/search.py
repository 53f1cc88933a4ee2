"""The search for value and scaling: its plan, and which candidates go on to the next round."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence

from smoothrank.selection.choice import Candidate
from smoothrank.selection.fold_fit import FoldFit
from smoothrank.selection.fold_plan import FoldSearch, plan_folds
from smoothrank.selection.halving import (
    PROCESSES,
    HalvingRound,
    SearchPlan,
    best_auc,
    comparable,
    plan_search,
)
from smoothrank.selection.methods import method
from tasks.problem.folds import folds
from tasks.problem.problem import Problem, load_data
from tasks.results.search import DroppedCandidate
from tasks.steps.train import Share, values_of_a_pass

Fits = Mapping[Candidate, Sequence[FoldFit]]

DEFAULT_BUDGETS = ((10_000, 60.0), (100_000, 300.0))
"""Numbers of rows and the budget up to each, in seconds."""

LONGEST_DEFAULT = 600.0
TAIL_SECONDS = 5.0
"""What comes after the refit: the test, tracking, registering, the report."""


def budget_of(problem: Problem) -> float | None:
    """Return the seconds that a run may take: as requested, or by the number of rows."""
    if problem.selection == "paper":
        return None
    if problem.budget is not None:
        return problem.budget
    n_rows = len(load_data(problem).y)
    fitting = (seconds for rows, seconds in DEFAULT_BUDGETS if n_rows <= rows)
    return next(fitting, LONGEST_DEFAULT)


def plan_of(problem: Problem) -> SearchPlan:
    """Return what is to be tried; the paper's rule tries everything."""
    data, budget = load_data(problem), budget_of(problem)
    n_rows, n_features = len(data.train), data.X.shape[1]
    n_folds = len(folds(problem, data))
    if budget is None:
        return SearchPlan(n_rows, (HalvingRound(n_candidates_of(problem), n_folds),))
    n_values, n_scales, cost = len(problem.grid), len(problem.scales), method(problem.method).cost
    if method(problem.method).has_path or n_candidates_of(problem) == 1:
        n_processes = min(n_values, PROCESSES)
        sizes = (n_rows, n_features, n_values * n_scales, n_scales, n_folds, n_processes)
        return plan_folds(FoldSearch(*sizes), cost, budget)
    return plan_search(n_rows, n_features, n_values, n_scales, n_folds, budget, cost)


def n_candidates_of(problem: Problem) -> int:
    """Return how many candidates there are."""
    return len(problem.grid) * len(problem.scales)


def n_fits_of_all(problem: Problem) -> int:
    """Return the number of fits of all candidates on all folds."""
    return n_candidates_of(problem) * len(folds(problem, load_data(problem)))


def fitting_seconds(problem: Problem, plan: SearchPlan) -> float:
    """Estimate the seconds of all fits of a plan in one process."""
    n_features = load_data(problem).X.shape[1]
    n_passes = plan.n_fits / values_of_a_pass(problem)
    return n_passes * method(problem.method).cost.of_fit(plan.n_rows, n_features)


def refit_seconds(problem: Problem, fits: Fits, n_rows: int) -> float:
    """Estimate the seconds of the refit from the sizes, and from the fits that were made."""
    data, cost = load_data(problem), method(problem.method).cost
    n_features = data.X.shape[1]
    made = [fit.seconds for of_candidate in fits.values() for fit in of_candidate]
    expected = cost.of_fit(n_rows, n_features)
    slowness = max(made) * values_of_a_pass(problem) / expected if made else 1.0
    return slowness * cost.of_refit(len(data.train), n_features)


def first_shares(problem: Problem, plan: SearchPlan) -> list[tuple[float, Share]]:
    """Return the work of the first round: one share for each value, the middle one first.

    Every third value comes before the others, so that few are informative if time runs out.
    """
    share = _share(problem, plan, plan.rounds[0], problem.scales)
    values = plan.values(problem.grid)
    middle = len(values) // 2
    order = sorted(range(len(values)), key=lambda i: (i != middle, (i - middle) % 3, i))
    return [(values[i], share) for i in order]


def next_shares(
    problem: Problem, plan: SearchPlan, number: int, candidates: Sequence[Candidate]
) -> list[tuple[float, Share]]:
    """Return the work of a later round: by value, or by candidate where few are left."""
    round_ = plan.rounds[number]
    if len(candidates) > len(problem.grid):
        scales: dict[float, list[str | None]] = {}
        for value, scale in sorted(candidates, key=_in_order(problem)):
            scales.setdefault(value, []).append(scale)
        return [(value, _share(problem, plan, round_, tuple(scales[value]))) for value in scales]
    return [(value, _share(problem, plan, round_, (scale,))) for value, scale in candidates]


def _in_order(problem: Problem) -> Callable[[Candidate], tuple[float, int]]:
    return lambda candidate: (candidate[0], problem.scales.index(candidate[1]))


def _share(
    problem: Problem, plan: SearchPlan, round_: HalvingRound, scales: tuple[str | None, ...]
) -> Share:
    data = load_data(problem)
    n_rows = None if plan.n_rows >= len(data.train) else plan.n_rows
    n_folds = None if len(plan.rounds) == 1 else round_.n_folds
    return Share(scales, n_folds, n_rows)


def in_comparison(fits: Fits, candidates: Sequence[Candidate], number: int) -> Fits:
    """Return what the candidates of a round are compared by: folds that all of them have.

    In the first round, number 1, a candidate left with fewer folds than others when the budget ran
    out counts as not tried.
    """
    tried = {candidate: fits.get(candidate, ()) for candidate in candidates}
    if number == 1:
        most = max(map(len, tried.values()), default=0)
        tried = {candidate: folds for candidate, folds in tried.items() if len(folds) == most}
    return comparable(tried)


def not_planned(problem: Problem, plan: SearchPlan) -> list[DroppedCandidate]:
    """Return the candidates that a thinner grid leaves out."""
    planned = plan.values(problem.grid)
    return [
        DroppedCandidate(value, scale, 0, None, None)
        for value in problem.grid
        if value not in planned
        for scale in problem.scales
    ]


def left_out_in(
    fits: Fits, candidates: Sequence[Candidate], kept: Sequence[Candidate], number: int
) -> list[DroppedCandidate]:
    """Return the candidates dropped in a round, and how far behind they are."""
    compared = in_comparison(fits, candidates, number)
    highest = max(map(best_auc, compared.values()), default=0.0)
    found = []
    for value, scale in (candidate for candidate in candidates if candidate not in kept):
        if folds_ := compared.get((value, scale)):
            auc = best_auc(folds_)
            found.append(DroppedCandidate(value, scale, number, auc, highest - auc))
        else:
            found.append(DroppedCandidate(value, scale, 0, None, None))
    return found
