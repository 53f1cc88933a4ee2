"""A threshold on one feature: φ(x; q, b) = 1 if x_j > q_j, else 0."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from smoothrank.arrays import Matrix, Vector
from smoothrank.columns.families.one_feature import OneFeature

MOST_THRESHOLDS = 50
"""The most thresholds of one feature in a dictionary."""

ALL_THRESHOLDS = 5000
"""The most thresholds of all features in a dictionary, if each has one at least."""


class Step(OneFeature):
    """φ(x; q, b) = 1 where sign(b_j) (x_j − q_j) > 0, else 0; j = argmax_k |b_k|.

    It has no slope anywhere, so that a search from a start stays there: the dictionary decides.
    """

    name = "step"
    ignores_scaling = True

    def of_difference(self, differences: Matrix) -> Matrix:
        """Return 1 above zero, and 0 elsewhere."""
        return (differences > 0.0).astype(np.float64)

    def tensor_of_difference(self, difference: Any) -> tuple[Any, Any]:
        """Return 1 above zero and 0 elsewhere, and the derivative, zero."""
        import tensorflow as tf

        return tf.cast(difference > 0.0, difference.dtype), tf.zeros_like(difference)

    def atoms(self, X: Matrix, points: Matrix) -> Matrix:
        """Return thresholds halfway between neighbouring values of each feature.

        With at most `MOST_THRESHOLDS` + 1 different values of a feature these are all steps that
        the rows can tell apart; with more, they are spread evenly over the different values. Of
        more than a hundred features each has fewer, so that they are `ALL_THRESHOLDS` together.
        """
        del points
        n_features = X.shape[1]
        most = max(1, min(MOST_THRESHOLDS, ALL_THRESHOLDS // n_features))
        found = [np.empty((0, 2 * n_features))]
        for feature in range(n_features):
            places = thresholds(X[:, feature], most)
            block = np.zeros((len(places), 2 * n_features))
            block[:, feature], block[:, n_features + feature] = places, 1.0
            found.append(block)
        return np.vstack(found)

    def describe(self, parameters: Vector, names: Sequence[str]) -> str:
        """Return the feature and the threshold."""
        (feature,), (sign,) = self.chosen(parameters[None])
        return f"{names[feature]} {'above' if sign >= 0 else 'below'} {parameters[feature]:.4g}"


def thresholds(values: Vector, most: int = MOST_THRESHOLDS) -> Vector:
    """Return at most so many places halfway between neighbouring different values."""
    different = np.unique(values)
    low, high = different[:-1], different[1:]
    middles = low + (high - low) / 2.0
    middles = np.where(middles < high, middles, low)
    if len(middles) > most:
        kept = np.linspace(0, len(middles) - 1, most).round().astype(int)
        middles = middles[kept]
    return np.asarray(middles)
