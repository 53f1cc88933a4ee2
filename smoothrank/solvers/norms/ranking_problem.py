"""Ranking with a norm on a given matrix: min_w R(D w) + c Ω(w), with a gap certificate.

R is the mean pairwise hinge. Each round chooses single pairs, those whose hinge bends at or between
the last scores visited, bounds all others by cutting planes (`smoothrank.losses.near_pairs`) and
solves that problem (`smoothrank.solvers.norms.rounds`). The true objective at its
solution is an upper bound of the optimum, its dual value a lower bound. Rounds end when the two
agree to `tol`.
"""

from __future__ import annotations

import warnings
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field

import numpy as np
from sklearn.exceptions import ConvergenceWarning

from smoothrank.arrays import Matrix, Vector
from smoothrank.losses.pairwise_hinge import Pairs, pairwise_hinge
from smoothrank.penalties import Penalty
from smoothrank.solvers.norms.dual_point import DualPoint
from smoothrank.solvers.norms.rounds import Start, round_solver


@dataclass(frozen=True)
class RoundRecord:
    """The record of one round: single pairs, Newton steps or linear programs, and the bounds."""

    n_pairs: int
    steps: int
    objective: float
    lower_bound: float


@dataclass(frozen=True)
class RankingSolution:
    """An optimum with its certificate.

    Parameters
    ----------
    weights : ndarray
        The best weights found.
    objective : float
        R + c Ω at `weights`.
    dual : DualPoint
        Multipliers, with a lower bound of its least value.
    kkt : float
        The KKT residual of `weights` and `dual`.
    rounds : list of RoundRecord
        One record per round; empty when no round was needed.
    """

    weights: Vector
    objective: float
    dual: DualPoint
    kkt: float
    rounds: list[RoundRecord] = field(default_factory=list)

    @property
    def lower_bound(self) -> float:
        """A lower bound of the least objective."""
        return self.dual.bound

    @property
    def gap(self) -> float:
        """(objective − lower bound) / objective."""
        return max(0.0, self.objective - self.lower_bound) / max(
            self.objective, np.finfo(float).tiny
        )


class RankingProblem:
    """R(D w) + c Ω(w) for one matrix and penalty, and any c.

    Parameters
    ----------
    D : ndarray of shape (n, k)
        The columns.
    pairs : Pairs
        The rows of the two classes with their weights.
    penalty : Penalty
        Ω.
    solver : str
        The solver of a round; see `round_solver`.
    """

    def __init__(self, D: Matrix, pairs: Pairs, penalty: Penalty, solver: str = "auto") -> None:
        self._D = D
        self._pairs = pairs
        self._penalty = penalty
        self._gradient_at_zero = pairwise_hinge(np.zeros(len(D)), pairs).coefficients @ D
        self._visited: list[Vector] = []
        self._rounds = round_solver(solver, D, pairs, penalty)

    def objective(self, weights: Vector, strength: float) -> float:
        """Return R(D w) + c Ω(w)."""
        hinge = pairwise_hinge(self._D @ weights, self._pairs).value
        return hinge + strength * self._penalty.value(weights)

    def path(self, strengths: Sequence[float], tol: float) -> Iterator[RankingSolution]:
        """Solve for each c, from the largest to the smallest, each warm-started from the last.

        Parameters
        ----------
        strengths : sequence of float
            Values of c, falling.
        tol : float
            The relative gap to reach.
        """
        last: tuple[float, RankingSolution] | None = None
        for strength in strengths:
            solution = self.solve(strength, tol, last)
            last = strength, solution
            yield solution

    def solve(
        self, strength: float, tol: float, last: tuple[float, RankingSolution] | None = None
    ) -> RankingSolution:
        """Solve for one c; `last` is a larger c with its solution."""
        if self._penalty.dual_norm(self._gradient_at_zero) <= strength:
            at_zero = DualPoint(self._gradient_at_zero, 1.0, 1.0)
            return self._certified(np.zeros(self._D.shape[1]), strength, at_zero)
        solution = self._first_guess(strength) if last is None else self._reused(strength, *last)
        self._visited = self._visited[-2:]
        while solution.gap > tol and len(solution.rounds) < self._rounds.max_rounds:
            solution = self._round(solution, strength, tol)
        if solution.gap > tol:
            warnings.warn(
                f"Ranking stopped at a relative gap of {solution.gap:.1e} where {tol:.1e} was "
                "asked. Use a larger tol, or stronger regularisation.",
                ConvergenceWarning,
                stacklevel=2,
            )
        return solution

    def _reused(self, strength: float, old: float, solution: RankingSolution) -> RankingSolution:
        """Reuse the optimum for a larger c: its duals, scaled down, are feasible here."""
        return self._certified(solution.weights, strength, solution.dual.scaled(strength / old))

    def _certified(
        self,
        weights: Vector,
        strength: float,
        dual: DualPoint,
        rounds: Sequence[RoundRecord] = (),
    ) -> RankingSolution:
        """Return weights with their objective and certificate."""
        hinge = pairwise_hinge(self._D @ weights, self._pairs).value
        penalty = strength * self._penalty.value(weights)
        kkt = dual.kkt_residual(weights, hinge, penalty)
        return RankingSolution(weights, hinge + penalty, dual, kkt, list(rounds))

    def _first_guess(self, strength: float) -> RankingSolution:
        """Return the best of several lengths along the direction in which R falls fastest at 0."""
        direction = self._gradient_at_zero / float(
            np.abs(self._D @ self._gradient_at_zero).max() or 1.0
        )
        lengths = np.geomspace(1e-3, 1e2, 30)
        values = [self.objective(length * direction, strength) for length in lengths]
        best = int(np.argmin(values))
        weights = lengths[best] * direction
        return self._certified(weights, strength, DualPoint.nothing(len(weights)))

    def _round(self, solution: RankingSolution, strength: float, tol: float) -> RankingSolution:
        def objective_of(weights: Vector) -> float:
            return self.objective(weights, strength)

        found = self._rounds.propose(
            Start(solution.weights, self._visited, strength, objective_of, tol)
        )
        self._visited.append(self._D @ found.last)
        weights, objective = self._shortened(solution, found.weights, strength)
        dual = max(solution.dual, found.dual, key=lambda one: one.bound)
        record = RoundRecord(found.n_pairs, found.steps, objective, dual.bound)
        return self._certified(weights, strength, dual, [*solution.rounds, record])

    def _shortened(
        self, solution: RankingSolution, found: Vector, strength: float
    ) -> tuple[Vector, float]:
        """Return the best point on the way from the last weights to those found, or just beyond."""
        steps = (1.0, 0.7, 0.5, 0.3, 0.15)
        points = [solution.weights + step * (found - solution.weights) for step in steps]
        points += [self._to_margin(found), solution.weights]
        values = [self.objective(point, strength) for point in points]
        best = int(np.argmin(values))
        return points[best], values[best]

    def _to_margin(self, weights: Vector) -> Vector:
        """Scale weights that order all pairs until every pair has margin 1."""
        scores = self._D @ weights
        least = float(scores[self._pairs.positive].min() - scores[self._pairs.negative].max())
        return weights / (least * (1.0 - 1e-10)) if 0.5 < least < 1.0 else weights
