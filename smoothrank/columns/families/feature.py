"""A single feature: φ(x; q, b) = ±(x_j − q_j), the linear part of a model."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from smoothrank.arrays import Matrix, Vector
from smoothrank.columns.families.one_feature import OneFeature


class Feature(OneFeature):
    """φ(x; q, b) = sign(b_j) (x_j − q_j), j = argmax_k |b_k|."""

    name = "feature"

    def of_difference(self, differences: Matrix) -> Matrix:
        """Return the difference as it is."""
        return differences

    def tensor_of_difference(self, difference: Any) -> tuple[Any, Any]:
        """Return the difference and its derivative."""
        import tensorflow as tf

        return difference, tf.ones_like(difference)

    def atoms(self, X: Matrix, points: Matrix) -> Matrix:
        """Return one column for each feature: after standardising there are no others."""
        del points
        n_features = X.shape[1]
        return np.hstack((np.zeros((n_features, n_features)), np.eye(n_features)))

    def extent(self, X: Matrix) -> float:
        """Return the widest range of a feature."""
        return float(np.ptp(X, axis=0).max())

    def describe(self, parameters: Vector, names: Sequence[str]) -> str:
        """Return the feature, and in which direction it counts."""
        (feature,), (sign,) = self.chosen(parameters[None])
        return f"{'large' if sign >= 0 else 'small'} {names[feature]}"
