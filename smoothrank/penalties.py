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
import numpy.typing as npt

from smoothrank.pairwise import Vector

Matrix = npt.NDArray[np.float64]
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


class L1Penalty(Penalty):
    """Ω = ‖w‖₁, w = w⁺ − w⁻; complementary to w⁺ is c − g, to w⁻ is c + g."""

    def __init__(self, strength: float, pull: Vector, weights: Vector, product: float) -> None:
        super().__init__(strength, pull, weights, product)
        self._plus = np.maximum(weights, 0.0) + product / strength
        self._minus = np.maximum(-weights, 0.0) + product / strength
        self._refresh(pull)

    def _refresh(self, pull: Vector) -> None:
        self.weights = self._plus - self._minus
        self._above, self._below = self.strength - pull, self.strength + pull

    @staticmethod
    def norm(weights: Vector) -> float:
        """‖w‖₁."""
        return float(np.abs(weights).sum())

    @staticmethod
    def dual_norm(pull: Vector) -> float:
        """‖g‖_∞."""
        return float(np.abs(pull).max())

    def products(self) -> Products:
        """w⁺ (c − g) and w⁻ (c + g)."""
        return self._plus * self._above, self._minus * self._below

    def products_after(self, change: Change, primal: float, dual: float) -> Products:
        """`products` after such steps."""
        return (
            (self._plus + primal * change.first) * (self._above - dual * change.pull),
            (self._minus + primal * change.second) * (self._below + dual * change.pull),
        )

    def curvature(self, change: Change) -> Products:
        """−Δw⁺ Δg and Δw⁻ Δg."""
        return -change.first * change.pull, change.second * change.pull

    def add_to(self, gram: Matrix) -> Matrix:
        """Add 1 / (w⁺/(c − g) + w⁻/(c + g)) to the diagonal."""
        self._ease = self._plus / self._above + self._minus / self._below
        gram[np.diag_indices_from(gram)] += 1.0 / self._ease
        return gram

    def right_side(self, force: Vector, aim: Products) -> Vector:
        """Force of the pairs and of the bounds."""
        self._aim_plus, self._aim_minus = aim
        self._drift = self._aim_plus / self._above - self._aim_minus / self._below
        return np.asarray(force + self._drift / self._ease)

    def complete(self, weights: Vector, pull: Vector) -> Change:
        """Split the change of w in w⁺ and w⁻."""
        implied = (weights - self._drift) / self._ease
        return Change(
            weights,
            pull,
            (self._aim_plus + self._plus * implied) / self._above,
            (self._aim_minus - self._minus * implied) / self._below,
        )

    def longest_steps(self, change: Change) -> tuple[float, float]:
        """Until w⁺ or w⁻, and until c − g or c + g reaches zero."""
        return (
            min(longest_step(self._plus, change.first), longest_step(self._minus, change.second)),
            min(longest_step(self._above, -change.pull), longest_step(self._below, change.pull)),
        )

    def move(self, change: Change, primal: float, dual: float, pull: Vector) -> None:
        """Take the step."""
        self._plus = self._plus + primal * change.first
        self._minus = self._minus + primal * change.second
        self._refresh(pull)


class LInfPenalty(Penalty):
    """Ω = ‖w‖_∞ = t; g = u⁺ − u⁻ with Σ(u⁺ + u⁻) = c, complementary to t − w and t + w."""

    def __init__(self, strength: float, pull: Vector, weights: Vector, product: float) -> None:
        super().__init__(strength, pull, weights, product)
        spare = (strength - float(np.abs(pull).sum())) / (2 * len(pull))
        self._plus = np.maximum(pull, 0.0) + spare
        self._minus = np.maximum(-pull, 0.0) + spare
        self._bound = self.norm(weights) + product * len(pull) / strength
        self._refresh()

    def _refresh(self) -> None:
        self._above, self._below = self._bound - self.weights, self._bound + self.weights

    @staticmethod
    def norm(weights: Vector) -> float:
        """‖w‖_∞."""
        return float(np.abs(weights).max())

    @staticmethod
    def dual_norm(pull: Vector) -> float:
        """‖g‖₁."""
        return float(np.abs(pull).sum())

    def products(self) -> Products:
        """u⁺ (t − w) and u⁻ (t + w)."""
        return self._plus * self._above, self._minus * self._below

    def products_after(self, change: Change, primal: float, dual: float) -> Products:
        """`products` after such steps."""
        above = self._above + primal * (change.bound - change.weights)
        below = self._below + primal * (change.bound + change.weights)
        return (
            (self._plus + dual * change.first) * above,
            (self._minus + dual * change.second) * below,
        )

    def curvature(self, change: Change) -> Products:
        """Δu⁺ (Δt − Δw) and Δu⁻ (Δt + Δw)."""
        return (
            change.first * (change.bound - change.weights),
            change.second * (change.bound + change.weights),
        )

    def add_to(self, gram: Matrix) -> Matrix:
        """Add the bounds' diagonal, and take off what the choice of t gives back."""
        plus, minus = self._plus / self._above, self._minus / self._below
        self._both, self._tilt = plus + minus, plus - minus
        self._total = float(self._both.sum())
        gram = gram - np.outer(self._tilt, self._tilt / self._total)
        gram[np.diag_indices_from(gram)] += self._both
        return gram

    def right_side(self, force: Vector, aim: Products) -> Vector:
        """Force of the pairs and of the bounds."""
        self._aim_plus, self._aim_minus = aim
        plus, minus = self._aim_plus / self._above, self._aim_minus / self._below
        self._rise = float((plus + minus).sum())
        return force - (plus - minus) + self._tilt * (self._rise / self._total)

    def complete(self, weights: Vector, pull: Vector) -> Change:
        """Changes of u⁺, u⁻ and t."""
        bound = (self._rise + float(self._tilt @ weights)) / self._total
        return Change(
            weights,
            pull,
            (self._aim_plus - self._plus * (bound - weights)) / self._above,
            (self._aim_minus - self._minus * (bound + weights)) / self._below,
            bound,
        )

    def longest_steps(self, change: Change) -> tuple[float, float]:
        """Until |w| reaches t, and until u⁺ or u⁻ reaches zero."""
        above, below = change.bound - change.weights, change.bound + change.weights
        return (
            min(longest_step(self._above, above), longest_step(self._below, below)),
            min(longest_step(self._plus, change.first), longest_step(self._minus, change.second)),
        )

    def move(self, change: Change, primal: float, dual: float, pull: Vector) -> None:
        """Take the step."""
        self._plus = self._plus + dual * change.first
        self._minus = self._minus + dual * change.second
        self.weights = self.weights + primal * change.weights
        self._bound += primal * change.bound
        self._refresh()


class L2Penalty(Penalty):
    """Ω = ½‖w‖²; at the optimum g = c w."""

    one_step = True

    def __init__(self, strength: float, pull: Vector, weights: Vector, product: float) -> None:
        super().__init__(strength, pull, weights, product)
        self.weights = pull / strength

    @staticmethod
    def norm(weights: Vector) -> float:
        """½‖w‖²."""
        return 0.5 * float(weights @ weights)

    @staticmethod
    def dual_norm(pull: Vector) -> float:
        """Infinity, because w = 0 is optimal only when g = 0."""
        return np.inf if np.any(pull != 0) else 0.0

    def products(self) -> Products:
        """None."""
        return np.empty(0), np.empty(0)

    def products_after(self, change: Change, primal: float, dual: float) -> Products:
        """None."""
        return self.products()

    def curvature(self, change: Change) -> Products:
        """None."""
        return self.products()

    def add_to(self, gram: Matrix) -> Matrix:
        """Add c to the diagonal."""
        gram[np.diag_indices_from(gram)] += self.strength
        return gram

    def right_side(self, force: Vector, aim: Products) -> Vector:
        """Force of the pairs, and what is left of g − c w."""
        return force + self.pull - self.strength * self.weights

    def complete(self, weights: Vector, pull: Vector) -> Change:
        """Nothing to add."""
        return Change(weights, pull, weights, weights)

    def move(self, change: Change, primal: float, dual: float, pull: Vector) -> None:
        """Take the step."""
        self.weights = self.weights + primal * change.weights
        self.pull = pull

    def dual_cost(self) -> float:
        """‖g‖² / 2c."""
        return float(self.pull @ self.pull) / (2.0 * self.strength)
