"""The paper's penalty: Σ_{t<T} |w_t − w_old,t|, the change of the weights of old columns."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

import numpy as np

from smoothrank.arrays import Vector
from smoothrank.penalties.base import Penalty


@dataclass(frozen=True)
class Change(Penalty):
    """Ω(w) = Σ_{t<T} |w_t − w_old,t|; the newest weight, the last, is free.

    Parameters
    ----------
    old : ndarray of shape (T,)
        w_old; its last entry, that of the newest column, does not count.
    """

    name: ClassVar[str] = "change"
    old: Vector

    def value(self, weights: Vector) -> float:
        """Return Σ_{t<T} |w_t − w_old,t|."""
        return float(np.abs(weights[:-1] - self.old[:-1]).sum())

    def subgradient(self, weights: Vector) -> Vector:
        """Return the signs of the changes, and 0 for the newest weight."""
        return np.append(np.sign(weights[:-1] - self.old[:-1]), 0.0)

    def dual_norm(self, gradient: Vector) -> float:
        """Return ‖g‖_∞ of the old weights, or infinity if the newest one has a gradient."""
        if gradient[-1] != 0:
            return np.inf
        return float(np.abs(gradient[:-1]).max(initial=0.0))
