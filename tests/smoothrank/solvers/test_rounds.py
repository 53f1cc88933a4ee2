"""Which way a round is solved: cutting planes for any penalty, interior points for known ones."""

from __future__ import annotations

import numpy as np
import pytest

from smoothrank.errors import SmoothrankError
from smoothrank.losses.pairwise_hinge import Pairs
from smoothrank.penalties import Penalty
from smoothrank.penalties import penalty as penalty_of
from smoothrank.solvers.norms.ranking_problem import RankingProblem
from smoothrank.solvers.norms.rounds import CuttingPlaneRounds


class OfAnotherName(Penalty):
    """A norm that the solvers do not know by its name, which leaves them cutting planes."""

    name = "of-another-name"

    def __init__(self, known):
        self.known = known

    def value(self, weights):
        return self.known.value(weights)

    def subgradient(self, weights):
        return self.known.subgradient(weights)

    def dual_norm(self, gradient):
        return self.known.dual_norm(gradient)


def test_cutting_planes_find_the_optimum_of_any_penalty(monkeypatch):
    monkeypatch.setattr(CuttingPlaneRounds, "max_rounds", 100)
    rng = np.random.default_rng(0)
    D, pairs = rng.normal(size=(30, 3)), Pairs.from_labels(np.arange(30) < 8)
    for name in ("l1", "linf", "l2"):
        exact = RankingProblem(D, pairs, penalty_of(name)).solve(0.05, 1e-7)
        unknown = OfAnotherName(penalty_of(name))
        by_cuts = RankingProblem(D, pairs, unknown, "highs").solve(0.05, 1e-5)
        assert by_cuts.gap <= 1e-5
        assert by_cuts.objective == pytest.approx(exact.objective, rel=2e-5)


def test_the_interior_point_method_says_what_it_does_not_know():
    class Unknown(type(penalty_of("l1"))):  # type: ignore[misc]
        name = "unknown"

    pairs = Pairs.from_labels(np.array([True, False]))
    with pytest.raises(SmoothrankError, match="does not know the penalty 'unknown'"):
        RankingProblem(np.eye(2), pairs, Unknown(), "interior-point")
