"""The restricted master problem by cutting planes, with a gap certificate and its dual sums.

For the standardised distances D (n × T) to the prototypes so far, old weights w_old and the
mean pairwise hinge R of `smoothrank.losses.pairwise_hinge`,

    F(Q, w_old, C):   min_w  R(D w) + C Σ_{t<T} |w_t − w_old,t|,      |w_t| ≤ bound.

R is convex and piecewise linear. Every score vector s visited gives a cut
R(D w) ≥ b_k − a_k·D w, so F is solved by a small linear program over θ ≥ 0 and the changes
δ = w − w_old, with one row for each cut:

    min  θ + C Σ_{t<T} (δ⁺_t + δ⁻_t)    s.t.   θ + (a_k·D)(δ⁺ − δ⁻)  ≥  b_k − (a_k·D) w_old.

Its value is a lower bound of F, F at the best point visited an upper bound. The multipliers λ_k
of its rows give the dual sums that pricing needs: γ = Σ_k λ_k a_k, that is +α_p for a positive
row and −β_n for a negative one.
"""

from __future__ import annotations

import warnings
from dataclasses import dataclass

import numpy as np
from sklearn.exceptions import ConvergenceWarning

from smoothrank.arrays import Matrix, Vector
from smoothrank.losses.pairwise_hinge import Pairs, pairwise_hinge
from smoothrank.penalties import Change
from smoothrank.solvers.cuts import Cuts
from smoothrank.solvers.lp import Solution, linear_program

BOX = 1e6
"""No weight of a standardised column changes by more than this."""

MAX_CUTS = 1500
"""The most cuts kept; Gurobi's size-limited licence ends at 2,000 rows."""

MAX_ROUNDS = 5000
_CUT_MEMORY = 1 << 24
_SMALL_OBJECTIVE = 1e-3
_STEP_TOWARDS_PROPOSAL = 0.3
_RESOLUTION = 1e-9


@dataclass(frozen=True)
class MasterSolution:
    """An optimum of the master problem with its certificate.

    Parameters
    ----------
    weights : ndarray of shape (T,)
        The best weights found.
    objective : float
        F at `weights`: an upper bound of the optimum.
    lower_bound : float
        The linear program's value: a lower bound of the optimum.
    gap : float
        (objective − lower_bound) / max(objective, 10⁻³).
    cuts : int
        Cutting planes made for this solution.
    duals : ndarray of shape (n,)
        γ: +α_p for positive rows, −β_n for negative rows; Σα = Σβ.
    kkt : float
        The KKT residual of the last linear program.
    """

    weights: Vector
    objective: float
    lower_bound: float
    gap: float
    cuts: int
    duals: Vector
    kkt: float


def relative_gap(objective: float, lower_bound: float) -> float:
    """Return the gap relative to the objective; objectives below 10⁻³ count as 10⁻³."""
    return max(0.0, objective - lower_bound) / max(objective, _SMALL_OBJECTIVE)


class _Bounds:
    """The best point of one solve, and bounds on the optimum."""

    def __init__(self, start: Vector) -> None:
        self.best = start
        self.upper = np.inf
        self.lower = 0.0
        self.cuts = 0

    @property
    def gap(self) -> float:
        return relative_gap(self.upper, self.lower)


class Master:
    """The master problem of one fit; columns are added one at a time, cuts and basis are kept.

    Parameters
    ----------
    pairs : Pairs
        The rows of the two classes with their weights.
    change_cost : float
        C, the cost of changing an old weight; 0 leaves old weights free.
    bound : float
        |w_t| ≤ bound; with change_cost > 0 it bounds the change of a weight.
    solver : {"auto", "gurobi", "highs"}
        The solver of the linear programs.
    tol : float
        The relative gap to reach.
    max_columns : int
        How many columns will be added at most.
    """

    def __init__(
        self,
        pairs: Pairs,
        *,
        change_cost: float,
        bound: float = BOX,
        solver: str = "auto",
        tol: float = 1e-6,
        max_columns: int = 100,
    ) -> None:
        self._pairs = pairs
        self._change_cost = change_cost
        self._bound = bound
        self._tol = tol
        self._lp = linear_program(solver, 2 * max_columns + 1, MAX_CUTS + 2)
        self._lp.add_columns(np.ones(1), np.zeros(1), np.full(1, np.inf), np.empty((0, 1)))
        self._cuts = Cuts(pairs.n_rows)
        self._D = np.empty((pairs.n_rows, 0), order="F")
        self._anchor = np.empty(0)
        self._weights = np.empty(0)

    @property
    def solver(self) -> str:
        """The solver in use."""
        return self._lp.name

    @property
    def columns(self) -> Matrix:
        """D, the columns so far."""
        return self._D

    @property
    def n_cuts(self) -> int:
        """How many cuts are kept."""
        return self._lp.n_rows

    def add_column(self, column: Vector) -> None:
        """Add the standardised distances to a new prototype; its weight is not penalised."""
        if self._change_cost > 0 and len(self._weights) > 0:
            self._charge_for_changes()
        slopes = self._cuts.add_column(column)
        self._D = np.asfortranarray(np.column_stack((self._D, column)))
        self._anchor = np.append(self._anchor, 0.0)
        self._weights = np.append(self._weights, 0.0)
        self._lp.add_columns(
            np.zeros(2), np.zeros(2), np.full(2, self._bound), np.column_stack((slopes, -slopes))
        )

    def solve(self) -> MasterSolution:
        """Add cuts until the relative gap is at most `tol`, or raise an error that says why not."""
        bounds = _Bounds(self._weights)
        self._visit(self._weights, bounds)
        while True:
            solution = self._lp.solve()
            proposal = self._anchor + solution.x[1::2] - solution.x[2::2]
            bounds.lower = max(bounds.lower, solution.objective)
            if self._settles_on_vertex(proposal, bounds) or bounds.cuts >= MAX_ROUNDS:
                break
            if not self._cut_off(proposal, solution.x[0], bounds):
                break
            self._forget_slack_cuts(solution, proposal)
        self._weights = bounds.best
        self._warn_unless_solved(bounds)
        return MasterSolution(
            weights=bounds.best,
            objective=bounds.upper,
            lower_bound=bounds.lower,
            gap=bounds.gap,
            cuts=bounds.cuts,
            duals=np.clip(solution.duals, 0.0, None)
            @ self._cuts.coefficients[: len(solution.duals)],
            kkt=solution.kkt,
        )

    def _settles_on_vertex(self, proposal: Vector, bounds: _Bounds) -> bool:
        """Return whether the gap is closed at the linear program's own vertex, which is then taken.

        Points between vertices close the gap sooner, but only at a vertex do the weights that
        need not change stay exactly as they were.
        """
        if bounds.gap > self._tol:
            return False
        objective = self._visit(proposal, bounds)
        if relative_gap(objective, bounds.lower) > self._tol:
            return False
        bounds.upper, bounds.best = objective, proposal
        return True

    def _cut_off(self, proposal: Vector, height: float, bounds: _Bounds) -> bool:
        """Cut between the best point and the proposal, and at the proposal if that fails.

        Returns whether the proposal lies below the new cut, so that the next linear program
        moves; if not, it is optimal as far as the solver can tell.
        """
        for step in (_STEP_TOWARDS_PROPOSAL, 1.0):
            self._visit(bounds.best + step * (proposal - bounds.best), bounds)
            cut = self._cuts.constants[-1] - float(self._cuts.slopes[-1] @ proposal)
            if cut > height + _RESOLUTION:
                return True
        return False

    def _visit(self, weights: Vector, bounds: _Bounds) -> float:
        """Evaluate F at some weights and add the cut found there."""
        value = pairwise_hinge(self._D @ weights, self._pairs)
        slope = value.coefficients @ self._D
        self._cuts.add(value, slope)
        row = np.ones((1, 1 + 2 * len(slope)))
        row[0, 1::2], row[0, 2::2] = slope, -slope
        self._lp.add_rows(row, np.array([value.constant - slope @ self._anchor]))
        bounds.cuts += 1
        objective = value.value + self._penalty(weights)
        if objective < bounds.upper:
            bounds.upper, bounds.best = objective, weights
        return objective

    def _penalty(self, weights: Vector) -> float:
        return self._change_cost * Change(self._anchor).value(weights)

    def _charge_for_changes(self) -> None:
        """Set w_old to the last solution and penalise changes of the newest weight as well."""
        self._anchor = self._weights.copy()
        for column in (self._lp.n_columns - 2, self._lp.n_columns - 1):
            self._lp.change_column(column, self._change_cost, 0.0, self._bound)
        self._lp.change_rows(self._cuts.constants - self._cuts.slopes @ self._anchor)

    def _forget_slack_cuts(self, solution: Solution, proposal: Vector) -> None:
        """Bound the memory: if there are too many cuts, drop those with the most slack."""
        limit = max(2 * len(self._weights) + 2, min(MAX_CUTS, _CUT_MEMORY // self._pairs.n_rows))
        if self._cuts.count < limit:
            return
        slack = solution.x[0] - (self._cuts.constants - self._cuts.slopes @ proposal)
        active = np.ones(len(slack), dtype=bool)
        active[: len(solution.duals)] = solution.duals > 0
        slack[active] = -np.inf
        kept = active
        kept[np.argsort(slack, kind="stable")[: (3 * limit) // 4]] = True
        self._lp.delete_rows(np.flatnonzero(~kept))
        self._cuts.keep(kept)

    def _warn_unless_solved(self, bounds: _Bounds) -> None:
        if not bounds.gap <= self._tol:
            warnings.warn(
                f"The master problem stopped after {bounds.cuts} cuts at a relative gap of "
                f"{bounds.gap:.1e}; {self._tol:.1e} was asked. Raise tol, or change the solver.",
                ConvergenceWarning,
                stacklevel=3,
            )
        if self._bound == BOX and np.max(np.abs(bounds.best - self._anchor)) > 0.99 * BOX:
            warnings.warn(
                f"A weight reached the box of ±{BOX:g} that keeps the linear programs bounded: "
                "columns are nearly the same, or the classes differ by next to nothing.",
                ConvergenceWarning,
                stacklevel=3,
            )
