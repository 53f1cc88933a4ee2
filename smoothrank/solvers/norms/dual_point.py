"""Multipliers of a ranking problem, as far as its KKT conditions need them.

Multipliers of pairs and cuts with the gradient g = Dᵀγ and the constants β bound both parts of the
objective R(D w) + c Ω(w) from below, whatever w is:

    R(D w)  ≥  β − g·w,        c Ω(w)  ≥  g·w − c Ω*(g/c).

The weights are optimal if and only if there are multipliers with equality in both: −g is a
subgradient of the loss, and g one of the penalty. The larger of the two differences, relative to
the objective, is the KKT residual; their sum is the duality gap. A difference below zero means
multipliers that are none, and counts as well.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from smoothrank.arrays import Vector


@dataclass(frozen=True)
class DualPoint:
    """Multipliers that bound the optimum.

    Parameters
    ----------
    gradient : ndarray of shape (k,)
        g.
    total : float
        β.
    bound : float
        β − c Ω*(g/c): a lower bound of the optimum.
    """

    gradient: Vector
    total: float
    bound: float

    @classmethod
    def nothing(cls, n_weights: int) -> DualPoint:
        """Return the multipliers that are all zero."""
        return cls(np.zeros(n_weights), 0.0, 0.0)

    def scaled(self, share: float) -> DualPoint:
        """Return the same for another c, the old one times `share`."""
        return DualPoint(share * self.gradient, share * self.total, share * self.bound)

    def kkt_residual(self, weights: Vector, hinge: float, penalty: float) -> float:
        """Return the residual at some weights, whose R and c Ω are given."""
        along = float(self.gradient @ weights)
        of_loss = hinge - (self.total - along)
        of_penalty = penalty - (along - (self.total - self.bound))
        size = max(hinge + penalty, float(np.finfo(float).tiny))
        return max(abs(of_loss), abs(of_penalty)) / size
