"""A penalty's part of the interior-point method.

The problem is min_w R(D w) + c Ω(w). Its dual variables are one π_i for each pair, and the dual
gradient is g = Σ_i π_i x_i; at the optimum g ∈ c ∂Ω(w). A `CentralPath` keeps what the
interior-point method knows of w and g, and eliminates it from the Newton equations, so that only
the change of w is left to solve for.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from dataclasses import dataclass
from typing import ClassVar

import numpy as np

from smoothrank.arrays import Matrix, Vector
from smoothrank.penalties import Penalty

Products = tuple[Vector, Vector]


@dataclass(frozen=True)
class NewtonStep:
    """A step of w and g, and of the auxiliary variables `first` and `second` of a norm."""

    weights: Vector
    gradient: Vector
    first: Vector
    second: Vector
    bound: float = 0.0


def longest_step(value: Vector, change: Vector) -> float:
    """Return the largest step, at most 1, that keeps `value + step · change` non-negative."""
    falling = change < 0
    if not falling.any():
        return 1.0
    return min(1.0, float(np.min(-value[falling] / change[falling])))


class CentralPath(ABC):
    """One penalty with its point on the central path.

    Parameters
    ----------
    strength : float
        c.
    gradient : ndarray
        The initial g, strictly inside the dual ball.
    weights : ndarray
        The initial w.
    product : float
        The approximate size of the initial complementarity products.
    """

    one_step = False
    """Whether w and g must move by the same step."""

    penalty: ClassVar[Penalty]
    """Ω."""

    def __init__(self, strength: float, gradient: Vector, weights: Vector, product: float) -> None:
        self.strength = strength
        self.gradient = gradient
        self.weights = weights

    @classmethod
    def inner_share(cls, strength: float, gradient: Vector, weights: Vector) -> float:
        """Return the factor by which g and its duals are scaled to start at some weights."""
        return min(1.0, 0.9 * strength / max(cls.penalty.dual_norm(gradient), np.finfo(float).tiny))

    @abstractmethod
    def products(self) -> Products:
        """Return the products that are zero at the optimum, two for each weight."""

    @abstractmethod
    def products_after(self, change: NewtonStep, primal: float, dual: float) -> Products:
        """Return `products` after such steps."""

    @abstractmethod
    def curvature(self, change: NewtonStep) -> Products:
        """Return the part of `products_after` a full step that is quadratic in the step."""

    @abstractmethod
    def add_to(self, gram: Matrix) -> Matrix:
        """Return the Newton matrix for w, from that of the pairs."""

    @abstractmethod
    def right_side(self, force: Vector, target: Products) -> Vector:
        """Return the Newton equations' right-hand side for a `target` change of the products."""

    @abstractmethod
    def complete(self, weights: Vector, gradient: Vector) -> NewtonStep:
        """Return the full step that belongs to a change of w and of g."""

    def longest_steps(self, change: NewtonStep) -> tuple[float, float]:
        """Return the longest primal and dual step."""
        return 1.0, 1.0

    @abstractmethod
    def move(self, change: NewtonStep, primal: float, dual: float, gradient: Vector) -> None:
        """Take the step; `gradient` is the new g, computed afresh."""

    def dual_cost(self) -> float:
        """Return what the penalty takes off the dual objective."""
        return 0.0
