"""The restricted master problem by cutting planes, with a gap certificate and its dual sums.

For the standardised distances D (n × T) to the prototypes so far, old weights w_old and the
mean pairwise hinge R of `smoothrank.pairwise`,

    F(Q, w_old, C):   min_w  R(D w) + C Σ_{t<T} |w_t − w_old,t|,      |w_t| ≤ bound.

R is convex and piecewise linear. Every score vector s visited gives a cut
R(D w) ≥ b_k − a_k·D w, so F is solved by a small linear program over θ ≥ 0 and the changes
δ = w − w_old, with one row for each cut:

    min  θ + C Σ_{t<T} (δ⁺_t + δ⁻_t)    s.t.   θ + (a_k·D) δ  ≥  b_k − (a_k·D) w_old.

Its value is a lower bound of F, F at the best point visited an upper bound. The multipliers λ_k
of its rows give the dual sums that pricing needs: γ = Σ_k λ_k a_k, that is +α_p for a positive
row and −β_n for a negative one.
"""

from __future__ import annotations

import warnings
from dataclasses import dataclass

import numpy as np
from sklearn.exceptions import ConvergenceWarning

from smoothrank.pairwise import HingeValue, Pairs, Vector, pairwise_hinge
from smoothrank.solvers import SolverName, linear_program

BOX = 1e5
"""Weights of standardised columns are kept in ±BOX, so that the first linear programs are bounded."""

MAX_ROWS = 1500
"""Cuts kept in the linear program; Gurobi's size-limited licence ends at 2,000 rows."""

MAX_ROUNDS = 5000
_CUT_MEMORY = 1 << 27
_SMALL_OBJECTIVE = 1e-3
_STEP_TOWARDS_LP = 0.3


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
    """

    weights: Vector
    objective: float
    lower_bound: float
    gap: float
    cuts: int
    duals: Vector


def relative_gap(objective: float, lower_bound: float) -> float:
    """Gap between the bounds, relative to the objective; objectives below 10⁻³ count as 10⁻³."""
    return max(0.0, objective - lower_bound) / max(objective, _SMALL_OBJECTIVE)


class Master:
    """The master problem of one fit; columns are added one at a time, cuts and basis are kept.

    Parameters
    ----------
    pairs : Pairs
        The rows of the two classes with their weights.
    change_cost : float
        C, the price of changing an old weight; 0 leaves old weights free.
    bound : float
        |w_t| ≤ bound. With change_cost > 0 it bounds the change of a weight instead.
    solver : {"auto", "gurobi", "highs"}
        Who solves the linear programs.
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
        solver: SolverName = "auto",
        tol: float = 1e-6,
        max_columns: int = 100,
    ) -> None:
        self._pairs = pairs
        self._change_cost = change_cost
        self._bound = bound
        self._tol = tol
        self._lp = linear_program(solver, 2 * max_columns + 1, MAX_ROWS)
        self._lp.add_columns(np.ones(1), np.zeros(1), np.full(1, np.inf), np.empty((0, 1)))
        self._max_cuts = int(min(MAX_ROWS, max(4 * max_columns, _CUT_MEMORY // (8 * pairs.n_rows))))
        self._D = np.empty((pairs.n_rows, 0), order="F")
        self._sign = np.empty(0)
        self._owner = np.empty(0, dtype=np.intp)
        self._anchor = np.empty(0)
        self._marks = np.empty((0, pairs.n_rows))
        self._constants = np.empty(0)
        self._slopes = np.empty((0, 0))

    @property
    def solver(self) -> str:
        """The solver in use."""
        return self._lp.name

    def add_column(self, column: Vector) -> None:
        """Add the standardised distances to a new prototype; its weight is never penalised."""
        newest = self._D.shape[1]
        slopes = self._marks @ column
        self._D = np.asfortranarray(np.column_stack((self._D, column)))
        self._slopes = np.column_stack((self._slopes, slopes))
        if self._change_cost > 0 and newest > 0:
            self._charge_for_changes(newest - 1)
        self._anchor = np.append(self._anchor, 0.0)
        self._lp.add_columns(
            np.zeros(1), np.full(1, -self._bound), np.full(1, self._bound), slopes[:, None]
        )
        self._sign = np.append(self._sign, 1.0)
        self._owner = np.append(self._owner, newest)

    def solve(self) -> MasterSolution:
        """Cut until the relative gap is at most `tol`."""
        best = self._anchor.copy()
        value = self._evaluate(best)
        objective = value.value
        self._add_cut(value)
        lower_bound, duals, cuts = 0.0, np.zeros(0), 1
        while True:
            solution = self._lp.solve()
            lower_bound = max(lower_bound, solution.objective)
            duals = solution.duals
            if relative_gap(objective, lower_bound) <= self._tol:
                break
            if cuts >= MAX_ROUNDS:
                warnings.warn(
                    f"The master problem stopped after {cuts} cuts at a relative gap of "
                    f"{relative_gap(objective, lower_bound):.1e} (asked: {self._tol:.1e}).",
                    ConvergenceWarning,
                    stacklevel=2,
                )
                break
            proposal = self._anchor.copy()
            np.add.at(proposal, self._owner, self._sign * solution.x[1:])
            self._drop_slack_cuts(solution.duals, solution.x)
            for step in (_STEP_TOWARDS_LP, 1.0):
                point = best + step * (proposal - best)
                value = self._evaluate(point)
                cuts += 1
                self._add_cut(value)
                point_objective = value.value + self._penalty(point)
                if point_objective < objective:
                    objective, best = point_objective, point
                cut_at_proposal = value.constant - float(self._slopes[-1] @ proposal)
                if cut_at_proposal > solution.x[0] + 1e-9:
                    break
        self._last = best
        return MasterSolution(
            weights=best,
            objective=objective,
            lower_bound=lower_bound,
            gap=relative_gap(objective, lower_bound),
            cuts=cuts,
            duals=np.clip(duals, 0.0, None) @ self._marks[: len(duals)],
        )

    def _evaluate(self, weights: Vector) -> HingeValue:
        return pairwise_hinge(self._D @ weights, self._pairs)

    def _penalty(self, weights: Vector) -> float:
        old = slice(0, len(weights) - 1)
        return self._change_cost * float(np.abs(weights[old] - self._anchor[old]).sum())

    def _charge_for_changes(self, newest: int) -> None:
        """Move the anchor to the last solution and split the newest weight into δ⁺ and δ⁻."""
        self._anchor = self._last
        self._lp.change_column(1 + self._column_of(newest), self._change_cost, 0.0, self._bound)
        slopes = self._slopes[:, newest]
        self._lp.add_columns(
            np.full(1, self._change_cost), np.zeros(1), np.full(1, self._bound), -slopes[:, None]
        )
        self._sign = np.append(self._sign, -1.0)
        self._owner = np.append(self._owner, newest)
        self._lp.change_rows(self._constants - self._slopes[:, : newest + 1] @ self._anchor)

    def _column_of(self, weight: int) -> int:
        return int(np.flatnonzero(self._owner == weight)[0])

    def _add_cut(self, value: HingeValue) -> None:
        slope = value.mark @ self._D
        self._marks = np.vstack((self._marks, value.mark))
        self._constants = np.append(self._constants, value.constant)
        self._slopes = np.vstack((self._slopes, slope))
        row = np.concatenate(([1.0], self._sign * slope[self._owner]))
        self._lp.add_rows(row[None], np.array([value.constant - slope @ self._anchor]))

    def _drop_slack_cuts(self, duals: Vector, x: Vector) -> None:
        """Keep memory bounded: of too many cuts the ones furthest from being tight go."""
        surplus = len(self._constants) - self._max_cuts
        if surplus < 0:
            return
        weights = self._anchor.copy()
        np.add.at(weights, self._owner, self._sign * x[1:])
        slack = x[0] - (self._constants - self._slopes @ weights)
        slack[duals > 0] = -1.0
        doomed = np.sort(np.argsort(slack, kind="stable")[-(surplus + self._max_cuts // 4) :])
        self._lp.delete_rows(doomed)
        self._marks = np.delete(self._marks, doomed, axis=0)
        self._constants = np.delete(self._constants, doomed)
        self._slopes = np.delete(self._slopes, doomed, axis=0)
