"""How close weights are to an optimum: the optimality gap and the KKT residual."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

import numpy as np

from smoothrank.arrays import Vector


@dataclass(frozen=True)
class Certificate:
    """What a fit proves about itself.

    Parameters
    ----------
    gap : float
        Relative optimality gap: how much lower the objective could be at most.
    kkt : float
        KKT residual: how far the conditions of an optimum are from being met. For least squares
        it is the norm of the gradient, relative to that of the right-hand side.
    """

    gap: float
    kkt: float


def worst(certificates: Iterable[Certificate]) -> Certificate:
    """Return the largest gap and the largest residual of several."""
    all_of_them = list(certificates)
    return Certificate(max(c.gap for c in all_of_them), max(c.kkt for c in all_of_them))


def relative_norm(gradient: Vector, side: Vector) -> float:
    """Return ‖gradient‖ / ‖side‖ for the gradient A w − side of a quadratic function."""
    size = max(float(np.linalg.norm(side)), float(np.finfo(float).tiny))
    return float(np.linalg.norm(gradient)) / size
