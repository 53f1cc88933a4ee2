"""The norms of L1, L∞ and L2 ranking, and their part in the interior-point method.

Each problem is min_w R(D w) + c Ω(w), with Ω(w) = ‖w‖₁, ‖w‖_∞ or ½‖w‖². Its dual variables are
one π_i for each pair, and g = Σ_i π_i x_i; at the optimum g ∈ c ∂Ω(w). A `Penalty` keeps what the
interior-point method knows of w and g, and eliminates it from the Newton equations, so that only
the change of w is left to solve for.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from dataclasses import dataclass

import numpy as np

from smoothrank.arrays import Matrix, Vector

Products = tuple[Vector, Vector]


@dataclass(frozen=True)
class Change:
    """A step of w and g, and of the auxiliary variables `first` and `second` of a norm."""

    weights: Vector
    pull: Vector
    first: Vector
    second: Vector
    bound: float = 0.0


def longest_step(value: Vector, change: Vector) -> float:
    """The largest step of at most 1 that keeps `value + step · change` from falling below 0."""
    falling = change < 0
    if not falling.any():
        return 1.0
    return min(1.0, float(np.min(-value[falling] / change[falling])))


class Penalty(ABC):
    """One norm with its place on the central path.

    Parameters
    ----------
    strength : float
        c.
    pull : ndarray
        g to begin with, strictly inside the dual ball.
    weights : ndarray
        w to begin with.
    product : float
        About the size of the complementarity products to begin with.
    """

    one_step = False
    """Whether w and g must move by the same step."""

    def __init__(self, strength: float, pull: Vector, weights: Vector, product: float) -> None:
        self.strength = strength
        self.pull = pull
        self.weights = weights

    @staticmethod
    @abstractmethod
    def norm(weights: Vector) -> float:
        """Ω(w)."""

    @staticmethod
    @abstractmethod
    def dual_norm(pull: Vector) -> float:
        """The smallest c for which w = 0 is optimal when g is the pull of all pairs at w = 0."""

    @classmethod
    def inner_share(cls, strength: float, pull: Vector, weights: Vector) -> float:
        """The share of g, and of the duals that make it, with which to begin at some weights."""
        return min(1.0, 0.9 * strength / max(cls.dual_norm(pull), np.finfo(float).tiny))

    @abstractmethod
    def products(self) -> Products:
        """The products that are zero at the optimum, two for each weight."""

    @abstractmethod
    def products_after(self, change: Change, primal: float, dual: float) -> Products:
        """`products` after such steps."""

    @abstractmethod
    def curvature(self, change: Change) -> Products:
        """The part of `products_after` a whole step that is quadratic in the step."""

    @abstractmethod
    def add_to(self, gram: Matrix) -> Matrix:
        """The Newton matrix for w, from that of the pairs."""

    @abstractmethod
    def right_side(self, force: Vector, aim: Products) -> Vector:
        """The Newton equations' right side; `aim` is the wanted change of the products."""

    @abstractmethod
    def complete(self, weights: Vector, pull: Vector) -> Change:
        """The whole step that belongs to a change of w and of g."""

    def longest_steps(self, change: Change) -> tuple[float, float]:
        """The longest primal and dual step."""
        return 1.0, 1.0

    @abstractmethod
    def move(self, change: Change, primal: float, dual: float, pull: Vector) -> None:
        """Take the step; `pull` is the new g, computed afresh."""

    def dual_cost(self) -> float:
        """What the dual objective loses to the penalty."""
        return 0.0
