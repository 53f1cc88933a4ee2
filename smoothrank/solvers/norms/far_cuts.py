"""The cutting planes of the far pairs in the interior-point method: θ ≥ b_k − a_k·w.

Their multipliers λ are positive and sum to one. The first cut is b = 0, a = 0.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from smoothrank.arrays import Matrix, Vector

_BLUR = 0.01


@dataclass(frozen=True)
class CutStep:
    """A step of θ, of the slacks τ and of the multipliers λ."""

    bound: float
    slack: Vector
    multipliers: Vector


class FarCuts:
    """θ, τ and λ of one interior-point solve, eliminated from its Newton equations.

    Parameters
    ----------
    constants, slopes : ndarray
        b_k and a_k.
    height : ndarray
        b_k − a_k·w at the first weights.
    """

    def __init__(self, constants: Vector, slopes: Matrix, height: Vector) -> None:
        self._constants, self._slopes, self._height = constants, slopes, height
        product = _BLUR * (float(np.ptp(height)) + 1e-3)
        self._bound = _bound_for(height, product)
        self.slack = self._bound - height
        self.multipliers = product / self.slack
        self.multipliers /= self.multipliers.sum()

    @property
    def value(self) -> float:
        """max_k b_k − a_k·w."""
        return float(self._height.max())

    @property
    def dual_value(self) -> float:
        """Σ_k λ_k b_k."""
        return float(self.multipliers @ self._constants)

    def shrink(self, share: float) -> None:
        """Multiply all λ but the first by `share`."""
        self.multipliers[1:] *= share
        self.multipliers[0] = 1.0 - self.multipliers[1:].sum()

    def products(self) -> Vector:
        """Return λ_k τ_k."""
        return self.multipliers * self.slack

    def products_after(self, step: CutStep, primal: float, dual: float) -> Vector:
        """Return `products` after such steps."""
        return (self.multipliers + dual * step.multipliers) * (self.slack + primal * step.slack)

    def add_to(self, gram: Matrix) -> Matrix:
        """Add Σ_k e_k a_k a_kᵀ with e = λ/τ, minus the rank-one term from eliminating θ."""
        self._scaling = self.multipliers / self.slack
        self._total = float(self._scaling.sum())
        mean = self._scaling @ self._slopes / self._total
        centred = np.sqrt(self._scaling)[:, None] * (self._slopes - mean)
        return np.asarray(gram + centred.T @ centred)

    def force(self, target: Vector) -> Vector:
        """Return the change of λ at constant w, for a `target` change of the products."""
        residual = self._height - self._bound + self.slack
        self._aim = target / self.slack + self._scaling * residual
        self._residual = residual
        return np.asarray(self._aim - self._scaling * (float(self._aim.sum()) / self._total))

    def complete(self, moved: Vector) -> CutStep:
        """Return the step that belongs to a change a_k·Δw."""
        bound = (float(self._aim.sum()) - float(self._scaling @ moved)) / self._total
        slack = bound + moved - self._residual
        multipliers = self._aim - self._scaling * (bound + moved)
        return CutStep(bound, slack, multipliers)

    def move(self, step: CutStep, primal: float, dual: float) -> None:
        """Take the step; λ is kept at a sum of one."""
        self._bound += primal * step.bound
        self.slack = self.slack + primal * step.slack
        self.multipliers = self.multipliers + dual * step.multipliers
        self.multipliers /= self.multipliers.sum()

    def refresh(self, height: Vector) -> None:
        """Store b_k − a_k·w at the new weights."""
        self._height = height


def _bound_for(height: Vector, product: float) -> float:
    """Return the θ for which the multipliers product / (θ − height) sum to one."""
    low, high = float(height.max()) + product, float(height.max()) + product * len(height)
    for _ in range(60):
        middle = (low + high) / 2.0
        total = float(np.sum(product / (middle - height)))
        low, high = (middle, high) if total > 1.0 else (low, middle)
    return high
