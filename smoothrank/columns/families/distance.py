"""The paper's columns: the Euclidean distance to a prototype, φ(x; q) = ‖x − q‖."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
from scipy.spatial.distance import cdist

from smoothrank.arrays import Indices, Matrix, Vector
from smoothrank.columns.base import ColumnFamily, Shuffled
from smoothrank.columns.shapley import shares_of_terms

_SCREEN_BLOCK = 512


class Distance(ColumnFamily):
    """φ(x; q) = ‖x − q‖; q is a prototype."""

    name = "distance"

    def values(self, X: Matrix, parameters: Matrix) -> Matrix:
        """Return ‖x_i − q_t‖."""
        return np.asarray(cdist(X, parameters))

    def tensor_price(self, X: Any, duals: Any, q: Any) -> tuple[Any, Any]:
        """Return Σ_i γ_i ‖x_i − q‖ and Σ_i γ_i (q − x_i) / ‖x_i − q‖."""
        import tensorflow as tf

        distance = tf.sqrt(tf.reduce_sum(tf.square(q[:, None] - X), axis=0))
        share = tf.math.divide_no_nan(duals, distance)
        gradient = q * tf.reduce_sum(share) - tf.linalg.matvec(X, share)
        return tf.reduce_sum(duals * distance), gradient

    def origin(self, X: Matrix) -> Vector:
        """Return the mean of the rows: distances do not change when all points are moved."""
        return np.asarray(X.mean(axis=0))

    def extent(self, X: Matrix) -> float:
        """Return the diagonal of the smallest box around the rows."""
        return float(np.linalg.norm(np.ptp(X, axis=0)))

    def describe(self, parameters: Vector, names: Sequence[str]) -> str:
        """Return the prototype's features by name."""
        features = ", ".join(
            f"{name} {value:.4g}" for name, value in zip(names, parameters, strict=True)
        )
        return f"distance to {features}"

    def shuffled(self, X: Matrix, parameters: Matrix) -> Shuffled:
        """Return the shuffled φ; only the feature's own term of the squared distance changes."""
        squared = np.asarray(cdist(X, parameters, "sqeuclidean"))

        def values(feature: int, order: Indices) -> Matrix:
            own = (X[:, feature, None] - parameters[:, feature]) ** 2
            return np.sqrt(np.maximum(squared - own + own[order], 0.0))

        return values

    def feature_parts(self, X: Matrix, reference: Vector, parameters: Matrix) -> Matrix:
        """Return φ(x) − φ(x⁰), shared out by the change of each (x_j − q_j)²."""
        terms = (X[:, None, :] - parameters) ** 2
        change = self.values(X, parameters) - self.values(reference[None], parameters)
        return shares_of_terms(terms, (reference - parameters) ** 2, change)

    def screened_starts(self, X: Matrix, duals: Vector) -> tuple[Vector, float]:
        """Return |g| at every row in single precision, and a bound of the error.

        With ‖x‖ ≤ R and unit roundoff u a squared distance is off by at most 4(d + 4)u R², so that
        a distance is by its root; sums of m terms in a block by m u times their size.
        """
        R = float(np.sqrt(np.einsum("ij,ij->i", X, X).max()))
        unit = float(np.finfo(np.float32).eps)
        rows, weights = X.astype(np.float32), duals.astype(np.float32)
        squares = np.einsum("ij,ij->i", rows, rows)
        values = np.zeros(len(X))
        width = 4 * _SCREEN_BLOCK
        for first in range(0, len(X), _SCREEN_BLOCK):
            block = slice(first, first + _SCREEN_BLOCK)
            for start in range(0, len(X), width):
                others = slice(start, start + width)
                distances = rows[block] @ (-2.0 * rows[others].T)
                distances += squares[block, None]
                distances += squares[others]
                np.sqrt(np.maximum(distances, 0.0, out=distances), out=distances)
                values[block] += distances @ weights[others]
        a_distance = R * (np.sqrt(4.0 * (X.shape[1] + 4) * unit) + 2.0 * (width + 2) * unit)
        return np.abs(values), a_distance * float(np.abs(duals).sum())
