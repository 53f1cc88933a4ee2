"""The central paths of Ω(w) = ‖w‖₁, ‖w‖_∞ and ½‖w‖²."""

from __future__ import annotations

import numpy as np

from smoothrank.arrays import Matrix, Vector
from smoothrank.penalties.l1 import L1
from smoothrank.penalties.l2 import L2
from smoothrank.penalties.linf import LInf
from smoothrank.solvers.norms.central_path import CentralPath, NewtonStep, Products, longest_step


class L1Path(CentralPath):
    """Ω = ‖w‖₁, w = w⁺ − w⁻; complementary to w⁺ is c − g, to w⁻ is c + g."""

    penalty = L1()

    def __init__(self, strength: float, gradient: Vector, weights: Vector, product: float) -> None:
        super().__init__(strength, gradient, weights, product)
        self._plus = np.maximum(weights, 0.0) + product / strength
        self._minus = np.maximum(-weights, 0.0) + product / strength
        self._refresh(gradient)

    def _refresh(self, gradient: Vector) -> None:
        self.weights = self._plus - self._minus
        self._above, self._below = self.strength - gradient, self.strength + gradient

    def products(self) -> Products:
        """Return w⁺ (c − g) and w⁻ (c + g)."""
        return self._plus * self._above, self._minus * self._below

    def products_after(self, change: NewtonStep, primal: float, dual: float) -> Products:
        """Return `products` after such steps."""
        return (
            (self._plus + primal * change.first) * (self._above - dual * change.gradient),
            (self._minus + primal * change.second) * (self._below + dual * change.gradient),
        )

    def curvature(self, change: NewtonStep) -> Products:
        """Return −Δw⁺ Δg and Δw⁻ Δg."""
        return -change.first * change.gradient, change.second * change.gradient

    def add_to(self, gram: Matrix) -> Matrix:
        """Add 1 / (w⁺/(c − g) + w⁻/(c + g)) to the diagonal."""
        self._scaling = self._plus / self._above + self._minus / self._below
        gram[np.diag_indices_from(gram)] += 1.0 / self._scaling
        return gram

    def right_side(self, force: Vector, target: Products) -> Vector:
        """Return the residual of the pairs and of the bounds."""
        self._target_plus, self._target_minus = target
        self._drift = self._target_plus / self._above - self._target_minus / self._below
        return np.asarray(force + self._drift / self._scaling)

    def complete(self, weights: Vector, gradient: Vector) -> NewtonStep:
        """Split the change of w into w⁺ and w⁻."""
        implied = (weights - self._drift) / self._scaling
        return NewtonStep(
            weights,
            gradient,
            (self._target_plus + self._plus * implied) / self._above,
            (self._target_minus - self._minus * implied) / self._below,
        )

    def longest_steps(self, change: NewtonStep) -> tuple[float, float]:
        """Return the steps at which w⁺ or w⁻, and c − g or c + g, reach zero."""
        return (
            min(longest_step(self._plus, change.first), longest_step(self._minus, change.second)),
            min(
                longest_step(self._above, -change.gradient),
                longest_step(self._below, change.gradient),
            ),
        )

    def move(self, change: NewtonStep, primal: float, dual: float, gradient: Vector) -> None:
        """Take the step."""
        self._plus = self._plus + primal * change.first
        self._minus = self._minus + primal * change.second
        self._refresh(gradient)


class LInfPath(CentralPath):
    """Ω = ‖w‖_∞ = t; g = u⁺ − u⁻ with Σ(u⁺ + u⁻) = c, complementary to t − w and t + w."""

    penalty = LInf()

    def __init__(self, strength: float, gradient: Vector, weights: Vector, product: float) -> None:
        super().__init__(strength, gradient, weights, product)
        spare = (strength - float(np.abs(gradient).sum())) / (2 * len(gradient))
        self._plus = np.maximum(gradient, 0.0) + spare
        self._minus = np.maximum(-gradient, 0.0) + spare
        self._bound = self.penalty.value(weights) + product * len(gradient) / strength
        self._refresh()

    def _refresh(self) -> None:
        self._above, self._below = self._bound - self.weights, self._bound + self.weights

    def products(self) -> Products:
        """Return u⁺ (t − w) and u⁻ (t + w)."""
        return self._plus * self._above, self._minus * self._below

    def products_after(self, change: NewtonStep, primal: float, dual: float) -> Products:
        """Return `products` after such steps."""
        above = self._above + primal * (change.bound - change.weights)
        below = self._below + primal * (change.bound + change.weights)
        return (
            (self._plus + dual * change.first) * above,
            (self._minus + dual * change.second) * below,
        )

    def curvature(self, change: NewtonStep) -> Products:
        """Return Δu⁺ (Δt − Δw) and Δu⁻ (Δt + Δw)."""
        return (
            change.first * (change.bound - change.weights),
            change.second * (change.bound + change.weights),
        )

    def add_to(self, gram: Matrix) -> Matrix:
        """Add the bounds' diagonal, minus the rank-one term from eliminating t."""
        plus, minus = self._plus / self._above, self._minus / self._below
        self._both, self._tilt = plus + minus, plus - minus
        self._total = float(self._both.sum())
        gram = gram - np.outer(self._tilt, self._tilt / self._total)
        gram[np.diag_indices_from(gram)] += self._both
        return gram

    def right_side(self, force: Vector, target: Products) -> Vector:
        """Return the residual of the pairs and of the bounds."""
        self._target_plus, self._target_minus = target
        plus, minus = self._target_plus / self._above, self._target_minus / self._below
        self._rise = float((plus + minus).sum())
        return force - (plus - minus) + self._tilt * (self._rise / self._total)

    def complete(self, weights: Vector, gradient: Vector) -> NewtonStep:
        """Return the step with the changes of u⁺, u⁻ and t."""
        bound = (self._rise + float(self._tilt @ weights)) / self._total
        return NewtonStep(
            weights,
            gradient,
            (self._target_plus - self._plus * (bound - weights)) / self._above,
            (self._target_minus - self._minus * (bound + weights)) / self._below,
            bound,
        )

    def longest_steps(self, change: NewtonStep) -> tuple[float, float]:
        """Return the steps at which |w| reaches t, and u⁺ or u⁻ reaches zero."""
        above, below = change.bound - change.weights, change.bound + change.weights
        return (
            min(longest_step(self._above, above), longest_step(self._below, below)),
            min(longest_step(self._plus, change.first), longest_step(self._minus, change.second)),
        )

    def move(self, change: NewtonStep, primal: float, dual: float, gradient: Vector) -> None:
        """Take the step."""
        self._plus = self._plus + dual * change.first
        self._minus = self._minus + dual * change.second
        self.weights = self.weights + primal * change.weights
        self._bound += primal * change.bound
        self._refresh()


class L2Path(CentralPath):
    """Ω = ½‖w‖²; at the optimum g = c w."""

    penalty = L2()
    one_step = True

    @classmethod
    def inner_share(cls, strength: float, gradient: Vector, weights: Vector) -> float:
        """Return the factor that brings g nearest to c w."""
        size = float(gradient @ gradient)
        return min(1.0, max(strength * float(weights @ gradient) / size, 1e-6)) if size > 0 else 1.0

    def products(self) -> Products:
        """Return an empty array: this penalty has no products."""
        return np.empty(0), np.empty(0)

    def products_after(self, change: NewtonStep, primal: float, dual: float) -> Products:
        """Return an empty array: this penalty has no products."""
        return self.products()

    def curvature(self, change: NewtonStep) -> Products:
        """Return an empty array: this penalty has no products."""
        return self.products()

    def add_to(self, gram: Matrix) -> Matrix:
        """Add c to the diagonal."""
        gram[np.diag_indices_from(gram)] += self.strength
        return gram

    def right_side(self, force: Vector, target: Products) -> Vector:
        """Return the residual of the pairs, and that of g = c w."""
        return force + self.gradient - self.strength * self.weights

    def complete(self, weights: Vector, gradient: Vector) -> NewtonStep:
        """Return the step as it is: there are no auxiliary variables."""
        return NewtonStep(weights, gradient, weights, weights)

    def move(self, change: NewtonStep, primal: float, dual: float, gradient: Vector) -> None:
        """Take the step."""
        self.weights = self.weights + primal * change.weights
        self.gradient = gradient

    def dual_cost(self) -> float:
        """Return ‖g‖² / 2c."""
        return float(self.gradient @ self.gradient) / (2.0 * self.strength)


CENTRAL_PATHS: dict[str, type[CentralPath]] = {
    path.penalty.name: path for path in (L1Path, LInfPath, L2Path)
}
"""The penalties that the interior-point method knows, by name; all others are solved by cuts."""
