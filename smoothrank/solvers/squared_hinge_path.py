"""Newton's method for the squared pairwise hinge in a feature space, with a duality gap.

    P(b) = ½ ‖b‖² + C · Q(Φ b),        Q as in `smoothrank.losses.squared_hinge`.

P is smooth and strongly convex, so that Newton's method with step halving ends in a few steps. At
any b, the multipliers π_pn = τ C κ_pn h_pn of the pairs are feasible in the dual problem

    D(π) = Σ π_pn − Σ π_pn² / (2 C κ_pn) − ½ ‖Σ π_pn (φ_p − φ_n)‖²,

and the best τ has a closed form: D is a lower bound of the optimum, and P − D the certificate.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

import numpy as np
from scipy.linalg import cho_factor, cho_solve

from smoothrank.arrays import Matrix, Vector
from smoothrank.losses.pairwise_hinge import Pairs
from smoothrank.losses.squared_hinge import (
    SquaredHingeValue,
    squared_hinge,
    squared_hinge_hessian,
)

MAX_STEPS = 100
_SHORTEST_STEP = 1e-10
_DECREASE = 1e-4


@dataclass(frozen=True)
class SquaredHingeSolution:
    """An optimum and its certificate.

    Parameters
    ----------
    coefficients : ndarray of shape (r,)
        b.
    objective, lower_bound : float
        P(b), and a lower bound of the optimum.
    gap : float
        (objective − lower_bound) / objective.
    steps : int
        Newton steps.
    kkt : float
        The KKT residual ½ ‖∇P‖² / P. At an optimum ∇P is zero; since P grows at least as fast as
        ½ ‖b‖², no point is better than this one by more than ½ ‖∇P‖².
    """

    coefficients: Vector
    objective: float
    lower_bound: float
    gap: float
    steps: int
    kkt: float


def squared_hinge_path(
    features: Matrix, pairs: Pairs, strengths: Sequence[float], tol: float = 1e-6
) -> list[SquaredHingeSolution]:
    """Solve for each C in the order given, each from the last solution.

    Parameters
    ----------
    features : ndarray of shape (n, r)
        φ of each row.
    pairs : Pairs
        The rows of the two classes with their weights.
    strengths : sequence of float
        Values of C, from small to large for the shortest way.
    tol : float
        The relative duality gap to reach.
    """
    start = np.zeros(features.shape[1])
    solutions = []
    for strength in strengths:
        solutions.append(_solve(features, pairs, strength, tol, start))
        start = solutions[-1].coefficients
    return solutions


def _solve(
    features: Matrix, pairs: Pairs, strength: float, tol: float, start: Vector
) -> SquaredHingeSolution:
    def primal(ahead: Vector) -> float:
        loss = squared_hinge(features @ ahead, pairs)
        return 0.5 * float(ahead @ ahead) + strength * loss.value

    b = start
    for steps in range(MAX_STEPS + 1):
        scores = features @ b
        loss = squared_hinge(scores, pairs)
        objective = 0.5 * float(b @ b) + strength * loss.value
        pull = -strength * (loss.gradient @ features)
        lower_bound = _dual(strength, loss, pull)
        gap = (objective - lower_bound) / max(objective, np.finfo(float).tiny)
        if gap <= tol or steps == MAX_STEPS:
            break
        hessian = strength * squared_hinge_hessian(scores, pairs, features)
        hessian[np.diag_indices_from(hessian)] += 1.0
        gradient = b - pull
        direction = -cho_solve(cho_factor(hessian, overwrite_a=True), gradient)
        promised = float(gradient @ direction)
        step = _step(primal, b, direction, objective, promised)
        if step == 0.0:
            break
        b = b + step * direction
    kkt = 0.5 * float(np.sum((b - pull) ** 2)) / max(objective, np.finfo(float).tiny)
    return SquaredHingeSolution(b, objective, lower_bound, max(0.0, gap), steps, kkt)


def _dual(strength: float, loss: SquaredHingeValue, pull: Vector) -> float:
    """Return the largest D along π = τ C κ h: (C Σκh)² / 4 (C Q + ½‖Σ π (φ_p − φ_n)‖²)."""
    curvature = strength * loss.value + 0.5 * float(pull @ pull)
    return (strength * loss.hinge) ** 2 / (4.0 * curvature) if curvature > 0.0 else 0.0


def _step(
    objective: Callable[[Vector], float],
    b: Vector,
    direction: Vector,
    value: float,
    slope: float,
) -> float:
    """Halve the step until the objective falls by a share of what its slope promises."""
    step = 1.0
    while step >= _SHORTEST_STEP:
        if objective(b + step * direction) <= value + _DECREASE * step * slope:
            return step
        step /= 2.0
    return 0.0
