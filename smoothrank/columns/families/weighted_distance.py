"""Euclidean distances with learnt feature weights: φ(x; q, b) = √(Σ_j b_j² (x_j − q_j)²)."""

from __future__ import annotations

from typing import Any

import numpy as np

from smoothrank.arrays import Matrix
from smoothrank.columns.families.feature_weights import FeatureWeighted


class WeightedDistance(FeatureWeighted):
    """φ(x; q, b) = √(Σ_j b_j² (x_j − q_j)²): the paper's column, with features that count more."""

    name = "weighted-distance"
    power = 2
    words = "far from"

    def of_distance(self, distances: Matrix) -> Matrix:
        """Return the root."""
        return np.sqrt(distances)

    def tensor_of_distance(self, distance: Any) -> tuple[Any, Any]:
        """Return the root and its derivative, which is taken as 0 at q itself."""
        import tensorflow as tf

        value = tf.sqrt(distance)
        return value, tf.math.divide_no_nan(tf.cast(0.5, value.dtype), value)

    def extent(self, X: Matrix) -> float:
        """Return the largest distance within the smallest box around the rows, by median widths."""
        width = self.median_distance(X)
        return float(np.sqrt(np.sum(np.ptp(X, axis=0) ** 2) / width))
