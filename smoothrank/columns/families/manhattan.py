"""Manhattan distances with learnt feature weights: φ(x; q, b) = Σ_j |b_j (x_j − q_j)|."""

from __future__ import annotations

from typing import Any

import numpy as np

from smoothrank.arrays import Matrix
from smoothrank.columns.families.feature_weights import FeatureWeighted


class Manhattan(FeatureWeighted):
    """φ(x; q, b) = Σ_j |b_j (x_j − q_j)|: a sum of deviations, feature by feature."""

    name = "manhattan"
    power = 1
    words = "far from"

    def of_distance(self, distances: Matrix) -> Matrix:
        """Return the distance as it is."""
        return distances

    def tensor_of_distance(self, distance: Any) -> tuple[Any, Any]:
        """Return the distance and its derivative."""
        import tensorflow as tf

        return distance, tf.ones_like(distance)

    def extent(self, X: Matrix) -> float:
        """Return the largest distance within the smallest box around the rows, by median widths."""
        return float(np.sum(np.ptp(X, axis=0)) / self.median_distance(X))
