"""The norms of L1, L∞ and L2 ranking: Ω(w) = ‖w‖₁, ‖w‖_∞ and ½‖w‖²."""

from __future__ import annotations

import numpy as np

from smoothrank.arrays import Matrix, Vector
from smoothrank.penalties.base import Change, Penalty, Products, longest_step


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

    @staticmethod
    def norm(weights: Vector) -> float:
        """½‖w‖²."""
        return 0.5 * float(weights @ weights)

    @staticmethod
    def dual_norm(pull: Vector) -> float:
        """Infinity, because w = 0 is optimal only when g = 0."""
        return np.inf if np.any(pull != 0) else 0.0

    @classmethod
    def inner_share(cls, strength: float, pull: Vector, weights: Vector) -> float:
        """The share of g that is nearest to c w."""
        size = float(pull @ pull)
        return min(1.0, max(strength * float(weights @ pull) / size, 1e-6)) if size > 0 else 1.0

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
