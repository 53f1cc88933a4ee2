"""The score of boosted thresholds: a weighted sum of 0/1 columns, each on one feature."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np

from smoothrank.arrays import Indices, Matrix, Vector


@dataclass(frozen=True)
class ThresholdSum:
    """s(x) = Σ_t α_t 1[x_{j_t} > θ_t].

    Parameters
    ----------
    features : ndarray of int
        The feature j_t of each term.
    thresholds, weights : ndarray of float
        θ_t and α_t.
    """

    features: Indices
    thresholds: Vector
    weights: Vector

    def score(self, X: Matrix) -> Vector:
        """Return the score of rows."""
        return np.asarray((X[:, self.features] > self.thresholds) @ self.weights, dtype=np.float64)

    def stages(self, X: Matrix) -> Iterator[Vector]:
        """Yield the score of rows after each term."""
        scores = np.zeros(len(X))
        terms = zip(self.features, self.thresholds, self.weights, strict=True)
        for feature, threshold, weight in terms:
            scores = scores + weight * (X[:, feature] > threshold)
            yield scores

    def first(self, n_terms: int) -> ThresholdSum:
        """Return the sum of the first terms."""
        return ThresholdSum(
            self.features[:n_terms], self.thresholds[:n_terms], self.weights[:n_terms]
        )

    @property
    def n_columns(self) -> int:
        """How many different columns there are: a threshold that comes again counts once."""
        return len(set(zip(self.features.tolist(), self.thresholds.tolist(), strict=True)))
