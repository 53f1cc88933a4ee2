"""What a penalty Ω on the weights is, for any solver.

The problem is min_w R(D w) + c Ω(w). With the dual gradient g = Σ_i π_i x_i of the pairs, the
optimum has g ∈ c ∂Ω(w).
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from typing import ClassVar

from smoothrank.arrays import Vector


class Penalty(ABC):
    """A convex penalty with Ω(0) = 0."""

    name: ClassVar[str]
    """How it is registered."""

    @abstractmethod
    def value(self, weights: Vector) -> float:
        """Return Ω(w)."""

    @abstractmethod
    def subgradient(self, weights: Vector) -> Vector:
        """Return an element of ∂Ω(w)."""

    @abstractmethod
    def dual_norm(self, gradient: Vector) -> float:
        """Return the smallest c for which w = 0 is optimal when g is the dual gradient at w = 0."""
