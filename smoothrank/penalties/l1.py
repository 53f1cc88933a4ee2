"""Ω(w) = ‖w‖₁: few weights."""

from __future__ import annotations

import numpy as np

from smoothrank.arrays import Vector
from smoothrank.penalties.base import Penalty


class L1(Penalty):
    """Ω(w) = ‖w‖₁."""

    name = "l1"

    def value(self, weights: Vector) -> float:
        """Return ‖w‖₁."""
        return float(np.abs(weights).sum())

    def subgradient(self, weights: Vector) -> Vector:
        """Return the signs of w."""
        return np.sign(weights)

    def dual_norm(self, gradient: Vector) -> float:
        """Return ‖g‖_∞."""
        return float(np.abs(gradient).max())
