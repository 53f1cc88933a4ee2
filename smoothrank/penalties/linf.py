"""Ω(w) = ‖w‖_∞: weights of equal size."""

from __future__ import annotations

import numpy as np

from smoothrank.arrays import Vector
from smoothrank.penalties.base import Penalty


class LInf(Penalty):
    """Ω(w) = ‖w‖_∞."""

    name = "linf"

    def value(self, weights: Vector) -> float:
        """Return ‖w‖_∞."""
        return float(np.abs(weights).max())

    def subgradient(self, weights: Vector) -> Vector:
        """Return the sign of the largest weight, at its place."""
        largest = int(np.argmax(np.abs(weights)))
        gradient = np.zeros(len(weights))
        gradient[largest] = np.sign(weights[largest])
        return gradient

    def dual_norm(self, gradient: Vector) -> float:
        """Return ‖g‖₁."""
        return float(np.abs(gradient).sum())
