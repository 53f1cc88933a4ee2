"""Two ways to solve a round of a ranking problem: by interior points, or by linear programs.

Both are given the best weights so far and the scores visited before, and choose from these the
single pairs and the cuts of `NearPairs`. The interior-point method takes all the pairs it may at
once; the linear program, which keeps its columns and its basis, takes some more each round.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Literal

from smoothrank.arrays import Matrix, Vector
from smoothrank.errors import SmoothrankError
from smoothrank.losses.near_pairs import Cut, NearPairs, SinglePairs, bending_pairs
from smoothrank.losses.pairwise_hinge import Pairs
from smoothrank.penalties.base import Penalty
from smoothrank.penalties.norms import L1Penalty, LInfPenalty
from smoothrank.solvers.norms.dual_program import RankingProgram
from smoothrank.solvers.norms.interior_point import InteriorPoint

Objective = Callable[[Vector], float]
RouteName = Literal["auto", "interior-point", "gurobi", "highs"]

PAIRS_A_ROW = 60
"""Single pairs, at most, for each row; both routes keep to it."""

NEW_PAIRS_A_ROW = 3
"""Single pairs that a round of the linear program may add, for each row."""

MAX_CUTS = 40
"""Cuts at scores visited, besides those at `EDGES`; the oldest go first."""

EDGES = (-3.0, -1.0, 0.0, 0.4, 0.6, 0.75, 0.85, 0.95, 1.0, 1.05, 1.15, 1.25, 1.4, 1.7, 2.0, 3.0)
"""At the best scores there is a cut for each of these margins, so that R may bend in between."""

_RECENT = 6


@dataclass(frozen=True)
class Start:
    """Where a round begins, and what it is to reach.

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
    lower_bound : float
        A lower bound of the true optimum.
    n_pairs, steps : int
        Single pairs, and Newton steps or linear programs.
    """

    weights: Vector
    last: Vector
    lower_bound: float
    n_pairs: int
    steps: int


class Route(ABC):
    """A way to solve the rounds of one problem.

    Parameters
    ----------
    D : ndarray of shape (n, k)
        The columns.
    pairs : Pairs
        The rows of the two classes with their weights.
    penalty : type of Penalty
        The norm.
    """

    max_rounds: int

    def __init__(self, D: Matrix, pairs: Pairs, penalty: type[Penalty]) -> None:
        self._D, self._pairs, self._penalty = D, pairs, penalty

    @abstractmethod
    def propose(self, start: Start) -> Proposal:
        """Solve a round."""

    def _bending(self, scores: Vector, start: Start, pairs_a_row: int) -> SinglePairs:
        """The single pairs of a round: those near their bend now or lately."""
        lately = [scores, *start.visited[-_RECENT:]]
        return bending_pairs(lately, self._pairs, pairs_a_row * len(scores))


class InteriorRoute(Route):
    """All the single pairs there may be, by `InteriorPoint`."""

    max_rounds = 40

    def propose(self, start: Start) -> Proposal:
        """Solve a round."""
        scores = self._D @ start.best
        single = self._bending(scores, start, PAIRS_A_ROW)
        cuts = [Cut(scores, edge) for edge in EDGES]
        cuts += [Cut(old) for old in start.visited[-MAX_CUTS:]]
        near = NearPairs(self._D, self._pairs, single, cuts)
        solver = InteriorPoint(near, self._penalty, start.strength, start.best)
        inner = solver.run(start.objective, start.tol)
        return Proposal(inner.weights, inner.proposal, inner.lower_bound, len(single), inner.steps)


class ProgramRoute(Route):
    """Some more single pairs in a linear program that is kept, by Gurobi or HiGHS."""

    max_rounds = 400

    def __init__(
        self,
        D: Matrix,
        pairs: Pairs,
        penalty: type[Penalty],
        solver: Literal["gurobi", "highs"],
    ) -> None:
        super().__init__(D, pairs, penalty)
        if penalty not in (L1Penalty, LInfPenalty):
            raise SmoothrankError("Only L1 and L∞ ranking are linear programs.")
        self._program = RankingProgram(D, pairs, solver, bounded_sum=penalty is LInfPenalty)

    def propose(self, start: Start) -> Proposal:
        """Solve a round."""
        scores = self._D @ start.best
        single = self._bending(scores, start, NEW_PAIRS_A_ROW)
        cuts = [Cut(scores), *(Cut(old) for old in start.visited[-1:])]
        self._program.choose(single, cuts, PAIRS_A_ROW * len(scores))
        found = self._program.solve(start.strength)
        return Proposal(
            found.weights, found.weights, found.lower_bound, self._program.n_single, found.runs
        )


def make_route(name: RouteName, D: Matrix, pairs: Pairs, penalty: type[Penalty]) -> Route:
    """The route of this name; "auto" is the interior-point method, the faster one."""
    if name in ("gurobi", "highs"):
        return ProgramRoute(D, pairs, penalty, name)
    return InteriorRoute(D, pairs, penalty)
