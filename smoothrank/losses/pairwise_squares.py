"""Pairwise least squares: every pair should have the margin one, whatever the sign of its error.

    min_b  ½ ‖b‖² + C/2 · Σ_p Σ_n u_p v_n (1 − (φ_p − φ_n)·b)²

Without the hinge the pairs separate: with the class means m₊, m₋ and covariances S₊, S₋ of the
features φ and d = m₊ − m₋ the sum is a quadratic form in S₊ + S₋ + d dᵀ. One eigendecomposition
gives the solution for every C, which makes this loss the one to compare kernels with.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from scipy.linalg import cho_factor, cho_solve, eigh

from smoothrank.arrays import Matrix, Vector
from smoothrank.losses.certificate import Certificate, relative_norm, worst
from smoothrank.losses.pairwise_hinge import Pairs


def pairwise_squares_path(features: Matrix, pairs: Pairs, strengths: Sequence[float]) -> Matrix:
    """Return b for each C, one row each.

    Parameters
    ----------
    features : ndarray of shape (n, r)
        φ of each row.
    pairs : Pairs
        The rows of the two classes with their weights.
    strengths : sequence of float
        Values of C.
    """
    quadratic, difference = _quadratic_form(features, pairs)
    values, vectors = eigh(quadratic, overwrite_a=True, check_finite=False)
    along = vectors.T @ difference
    shares = along / (np.maximum(values, 0.0) + 1.0 / np.asarray(strengths, float)[:, None])
    return np.asarray(shares @ vectors.T)


def pairwise_squares(
    features: Matrix, pairs: Pairs, strengths: Sequence[float]
) -> tuple[Matrix, Certificate]:
    """Return the same for a few C, by a factorisation for each, and the worst certificate.

    The objective f grows at least as fast as ½ ‖b‖², so that f − ½ ‖∇f‖² is a lower bound.
    """
    quadratic, difference = _quadratic_form(features, pairs)
    solutions, certificates = [], []
    for strength in strengths:
        system = quadratic.copy()
        system[np.diag_indices_from(system)] += 1.0 / strength
        b = cho_solve(cho_factor(system, overwrite_a=True), difference)
        slope = strength * (quadratic @ b - difference)
        loss = 1.0 - 2.0 * float(difference @ b) + float(b @ quadratic @ b)
        objective = 0.5 * (float(b @ b) + strength * loss)
        gap = 0.5 * float(np.sum((b + slope) ** 2)) / objective
        kkt = relative_norm(b + slope, strength * difference)
        certificates.append(Certificate(gap, kkt))
        solutions.append(b)
    return np.array(solutions), worst(certificates)


def _quadratic_form(features: Matrix, pairs: Pairs) -> tuple[Matrix, Vector]:
    """Return S₊ + S₋ + d dᵀ, and d."""
    mean_positive, spread_positive = _moments(features[pairs.positive], pairs.positive_weight)
    mean_negative, spread_negative = _moments(features[pairs.negative], pairs.negative_weight)
    difference = mean_positive - mean_negative
    return spread_positive + spread_negative + np.outer(difference, difference), difference


def _moments(rows: Matrix, weight: Vector) -> tuple[Vector, Matrix]:
    mean = weight @ rows
    centred = (rows - mean) * np.sqrt(weight)[:, None]
    return mean, centred.T @ centred
