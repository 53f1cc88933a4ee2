"""Ways to solve a round of a problem with a penalty: interior points, linear programs, or cuts.

All are given the best weights so far and the scores visited before. The interior-point method and
the linear program choose from these the single pairs and the cuts of `NearPairs`: the former takes
all the pairs it may at once; the latter, which keeps its columns and its basis, adds some each
round. Cutting planes of loss and penalty alone solve any penalty, if slowly.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable, Sequence
from dataclasses import dataclass

import numpy as np

from smoothrank.arrays import Matrix, Vector
from smoothrank.errors import SmoothrankError
from smoothrank.losses.near_pairs import Cut, NearPairs, SinglePairs, bending_pairs
from smoothrank.losses.pairwise_hinge import Pairs, pairwise_hinge
from smoothrank.penalties import Penalty
from smoothrank.penalties.l1 import L1
from smoothrank.penalties.linf import LInf
from smoothrank.solvers.lp import AUTO, backend_names, linear_program
from smoothrank.solvers.master import BOX
from smoothrank.solvers.norms.central_path import CentralPath
from smoothrank.solvers.norms.central_path_norms import CENTRAL_PATHS
from smoothrank.solvers.norms.dual_point import DualPoint
from smoothrank.solvers.norms.dual_program import RankingProgram
from smoothrank.solvers.norms.interior_point import InteriorPoint

Objective = Callable[[Vector], float]
INTERIOR_POINT = "interior-point"

PAIRS_A_ROW = 60
"""The most single pairs per row, for both solvers."""

NEW_PAIRS_A_ROW = 3
"""The most single pairs per row that a round of the linear program may add."""

MAX_CUTS = 40
"""The most cuts at visited scores, besides those at `EDGES`; the oldest are dropped first."""

EDGES = (-3.0, -1.0, 0.0, 0.4, 0.6, 0.75, 0.85, 0.95, 1.0, 1.05, 1.15, 1.25, 1.4, 1.7, 2.0, 3.0)
"""At the best scores there is a cut for each of these margins, so that R may bend in between."""

_RECENT = 6


@dataclass(frozen=True)
class Start:
    """The starting point of a round, and its target.

    Parameters
    ----------
    best : ndarray
        The best weights so far.
    visited : sequence of ndarray
        Scores of the weights that earlier rounds ended at.
    strength : float
        c.
    objective : callable
        The true objective, over all pairs.
    tol : float
        The relative gap to reach.
    """

    best: Vector
    visited: Sequence[Vector]
    strength: float
    objective: Objective
    tol: float


@dataclass(frozen=True)
class Proposal:
    """What a round found.

    Parameters
    ----------
    weights : ndarray
        The best weights of the round, by the true objective.
    last : ndarray
        The weights it ended at.
    dual : DualPoint
        Multipliers, with a lower bound of the true optimum.
    n_pairs, steps : int
        Single pairs, and Newton steps or linear programs.
    """

    weights: Vector
    last: Vector
    dual: DualPoint
    n_pairs: int
    steps: int


class RoundSolver(ABC):
    """A way to solve the rounds of one problem.

    Parameters
    ----------
    D : ndarray of shape (n, k)
        The columns.
    pairs : Pairs
        The rows of the two classes with their weights.
    """

    max_rounds: int

    def __init__(self, D: Matrix, pairs: Pairs) -> None:
        self._D, self._pairs = D, pairs

    @abstractmethod
    def propose(self, start: Start) -> Proposal:
        """Solve a round."""

    def _bending(self, scores: Vector, start: Start, pairs_a_row: int) -> SinglePairs:
        """Return the single pairs of a round: those near their bend now or lately."""
        lately = [scores, *start.visited[-_RECENT:]]
        return bending_pairs(lately, self._pairs, pairs_a_row * len(scores))


class InteriorRounds(RoundSolver):
    """All the single pairs there may be, by `InteriorPoint`."""

    max_rounds = 40

    def __init__(self, D: Matrix, pairs: Pairs, path: type[CentralPath]) -> None:
        super().__init__(D, pairs)
        self._path = path

    def propose(self, start: Start) -> Proposal:
        """Solve a round."""
        scores = self._D @ start.best
        single = self._bending(scores, start, PAIRS_A_ROW)
        cuts = [Cut(scores, edge) for edge in EDGES]
        cuts += [Cut(old) for old in start.visited[-MAX_CUTS:]]
        near = NearPairs(self._D, self._pairs, single, cuts)
        solver = InteriorPoint(near, self._path, start.strength, start.best)
        inner = solver.run(start.objective, start.tol)
        return Proposal(inner.weights, inner.proposal, inner.dual, len(single), inner.steps)


class ProgramRounds(RoundSolver):
    """Some more single pairs in a linear program that is kept; for L1 and L∞."""

    max_rounds = 400

    def __init__(self, D: Matrix, pairs: Pairs, solver: str, *, bounded_sum: bool) -> None:
        super().__init__(D, pairs)
        self._program = RankingProgram(D, pairs, solver, bounded_sum)

    def propose(self, start: Start) -> Proposal:
        """Solve a round."""
        scores = self._D @ start.best
        single = self._bending(scores, start, NEW_PAIRS_A_ROW)
        cuts = [Cut(scores), *(Cut(old) for old in start.visited[-1:])]
        self._program.choose(single, cuts, PAIRS_A_ROW * len(scores))
        found = self._program.solve(start.strength)
        return Proposal(
            found.weights, found.weights, found.dual, self._program.n_single, found.runs
        )


class CuttingPlaneRounds(RoundSolver):
    """Cutting planes of the loss and of the penalty in a linear program; for any penalty.

        min  θ + c ω    s.t.   θ ≥ b_k − (a_k·D) w,    ω ≥ Ω(w_k) + s_k·(w − w_k),    |w| ≤ BOX

    with s_k ∈ ∂Ω(w_k). Its value is a lower bound of the optimum for the c that it was solved for.
    """

    max_rounds = 5000

    def __init__(self, D: Matrix, pairs: Pairs, penalty: Penalty, solver: str) -> None:
        super().__init__(D, pairs)
        self._penalty = penalty
        n_weights = D.shape[1]
        self._lp = linear_program(solver, n_weights + 2, 2 * self.max_rounds)
        lower = np.concatenate(([0.0, 0.0], np.full(n_weights, -BOX)))
        upper = np.concatenate(([np.inf, np.inf], np.full(n_weights, BOX)))
        self._lp.add_columns(np.zeros(n_weights + 2), lower, upper, np.empty((0, n_weights + 2)))
        self._lp.change_column(0, 1.0, 0.0, np.inf)
        self._last: Vector | None = None
        self._slopes: list[Vector] = []
        self._constants: list[float] = []

    def propose(self, start: Start) -> Proposal:
        """Solve a round."""
        self._lp.change_column(1, start.strength, 0.0, np.inf)
        for weights in (start.best, self._last):
            if weights is not None:
                self._cut(weights)
        solution = self._lp.solve()
        self._last = solution.x[2:]
        multipliers = solution.duals[0::2]
        dual = DualPoint(
            multipliers @ np.array(self._slopes),
            float(multipliers @ np.array(self._constants)),
            solution.objective,
        )
        return Proposal(self._last, self._last, dual, 0, 1)

    def _cut(self, weights: Vector) -> None:
        """Cut loss and penalty at some weights."""
        hinge = pairwise_hinge(self._D @ weights, self._pairs)
        subgradient = self._penalty.subgradient(weights)
        rows = np.zeros((2, 2 + len(weights)))
        rows[0, 0], rows[0, 2:] = 1.0, hinge.coefficients @ self._D
        self._slopes.append(rows[0, 2:])
        self._constants.append(hinge.constant)
        rows[1, 1], rows[1, 2:] = 1.0, -subgradient
        offset = self._penalty.value(weights) - float(subgradient @ weights)
        self._lp.add_rows(rows, np.array([hinge.constant, offset]))


def round_solver_names() -> tuple[str, ...]:
    """Return what may be given as a solver of problems with a norm."""
    return (AUTO, INTERIOR_POINT, *backend_names())


def round_solver(name: str, D: Matrix, pairs: Pairs, penalty: Penalty) -> RoundSolver:
    """Return the way to solve the rounds of a problem.

    Parameters
    ----------
    name : str
        "interior-point", a backend for linear programs, or "auto": interior points, the fastest
        way, for the penalties that they know, and cutting planes for all others.
    D, pairs, penalty
        The problem.
    """
    if name in (AUTO, INTERIOR_POINT) and penalty.name in CENTRAL_PATHS:
        return InteriorRounds(D, pairs, CENTRAL_PATHS[penalty.name])
    if name == INTERIOR_POINT:
        raise SmoothrankError(
            f"The interior-point method does not know the penalty {penalty.name!r}; "
            'take the solver "auto".'
        )
    if name != AUTO and isinstance(penalty, L1 | LInf):
        return ProgramRounds(D, pairs, name, bounded_sum=isinstance(penalty, LInf))
    return CuttingPlaneRounds(D, pairs, penalty, name)
