"""Ω(w) = ½‖w‖²: small weights."""

from __future__ import annotations

import numpy as np

from smoothrank.arrays import Vector
from smoothrank.penalties.base import Penalty


class L2(Penalty):
    """Ω(w) = ½‖w‖²."""

    name = "l2"

    def value(self, weights: Vector) -> float:
        """Return ½‖w‖²."""
        return 0.5 * float(weights @ weights)

    def subgradient(self, weights: Vector) -> Vector:
        """Return w."""
        return weights

    def dual_norm(self, gradient: Vector) -> float:
        """Return infinity, because w = 0 is optimal only when g = 0."""
        return np.inf if np.any(gradient != 0) else 0.0
