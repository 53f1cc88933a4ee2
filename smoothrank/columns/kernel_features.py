"""A kernel as features: φ(x)·φ(x') = k(x, x') for all x and x' among the landmarks.

A family of bumps with fixed feature weights is a kernel, k(x, x') = φ_family(x; x'). With the
Cholesky factor L of the kernel matrix of m landmarks, the features of a row are φ(x) = L⁻¹ k(x),
and a score φ(x)·b is Σ_l α_l k(x, x_l) with α = L⁻ᵀ b: a weighted sum of columns. With every
training row as a landmark nothing is lost; with fewer, this is Nyström's approximation.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from scipy.linalg import cholesky, solve_triangular

from smoothrank.arrays import Indices, Matrix, Vector
from smoothrank.columns.families.feature_weights import FeatureWeighted
from smoothrank.columns.families.gaussian import Gaussian
from smoothrank.columns.families.laplace import Laplace
from smoothrank.columns.feature_scaling import Scaler
from smoothrank.columns.weighted import WeightedColumns
from smoothrank.losses.pairwise_hinge import Pairs

KERNELS = (Gaussian.name, Laplace.name)

JITTER = 1e-8
"""Added to the diagonal of a kernel matrix, whose entries are at most one."""

_RARER_SHARE = 1 / 3


@dataclass(frozen=True)
class KernelFeatures:
    """The features of one kernel and its landmarks.

    Parameters
    ----------
    factor : ndarray of shape (m, m)
        L, lower triangular.
    """

    factor: Matrix

    @classmethod
    def fit(cls, kernel: Matrix) -> KernelFeatures:
        """Factorise the kernel matrix of the landmarks."""
        matrix = kernel.copy()
        matrix[np.diag_indices_from(matrix)] += JITTER
        return cls(cholesky(matrix, lower=True, overwrite_a=True, check_finite=False))

    def transform(self, columns: Matrix) -> Matrix:
        """Return φ of rows from their kernel values at the landmarks, a column for each."""
        return np.asarray(
            solve_triangular(self.factor, columns.T, lower=True, check_finite=False).T
        )

    def column_weights(self, coefficients: Matrix) -> Matrix:
        """Return α = L⁻ᵀ b for one b, or for several that are the rows of a matrix."""
        return np.asarray(
            solve_triangular(
                self.factor, coefficients.T, lower=True, trans="T", check_finite=False
            ).T
        )


@dataclass(frozen=True)
class KernelSpace:
    """Training rows in the feature space of a kernel.

    Parameters
    ----------
    bumps : FeatureWeighted
        The family of the kernel.
    columns : ndarray of shape (m, 2 d)
        The parameters of the bumps on the landmarks.
    features : KernelFeatures
        The factor of their kernel matrix.
    of_rows : ndarray of shape (n, m)
        φ of the training rows.
    """

    bumps: FeatureWeighted
    columns: Matrix
    features: KernelFeatures
    of_rows: Matrix

    @classmethod
    def fit(cls, kernel: str, width: float, X: Matrix, landmarks: Indices) -> KernelSpace:
        """Return the space of a kernel, its width in units of the median distance of the rows."""
        bumps = family_of_bumps(kernel)
        columns = bumps.around(X[landmarks], bumps.median_distance(X) * width**bumps.power)
        values = bumps.values(X, columns)
        features = KernelFeatures.fit(values[landmarks])
        return cls(bumps, columns, features, features.transform(values))

    def weighted(self, coefficients: Vector, scaler: Scaler | None) -> WeightedColumns:
        """Return the score φ(x)·b as a weighted sum of columns."""
        weights = self.features.column_weights(coefficients)
        zeros = np.zeros(len(weights))
        return WeightedColumns(self.bumps, self.columns, zeros, zeros + 1.0, weights, scaler)


def family_of_bumps(kernel: str) -> FeatureWeighted:
    """Return the family of a kernel by its name."""
    return {bumps.name: bumps for bumps in (Gaussian(), Laplace())}[kernel]


def landmark_rows(pairs: Pairs, n_landmarks: int, rng: np.random.Generator) -> Indices:
    """Return all rows, or a sample in which the rarer class is a third if it has enough rows.

    Parameters
    ----------
    pairs : Pairs
        The rows of the two classes with their weights.
    n_landmarks : int
        The most landmarks.
    rng : numpy.random.Generator
        Draws the sample.
    """
    if pairs.n_rows <= n_landmarks:
        return np.arange(pairs.n_rows)
    rarer, other = sorted((pairs.positive, pairs.negative), key=len)
    wanted = max(1, round(n_landmarks * _RARER_SHARE), n_landmarks - len(other))
    n_rarer = min(len(rarer), wanted)
    drawn = [
        rng.choice(rarer, n_rarer, replace=False),
        rng.choice(other, n_landmarks - n_rarer, replace=False),
    ]
    return np.sort(np.concatenate(drawn))


def class_weights(pairs: Pairs) -> Vector:
    """Return a weight for each row, with which either class weighs one half."""
    weight = np.empty(pairs.n_rows)
    weight[pairs.positive] = 0.5 * pairs.positive_weight
    weight[pairs.negative] = 0.5 * pairs.negative_weight
    return weight
