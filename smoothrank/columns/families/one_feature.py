"""Columns of one feature: what single features and thresholds share.

    φ(x; q, b) = f( sign(b_j) (x_j − q_j) ),      j = argmax_k |b_k|

A family chooses f. Its parameters are the vector (q, b), twice as long as a row, as those of the
families with feature weights are; of b only the place and the sign of the heaviest entry matter.
"""

from __future__ import annotations

from abc import abstractmethod
from typing import Any

import numpy as np

from smoothrank.arrays import Indices, Matrix, Vector
from smoothrank.columns.base import ColumnFamily


class OneFeature(ColumnFamily):
    """A family whose columns see one feature, by its difference from a point."""

    n_parts = 2
    nearness = 1

    @abstractmethod
    def of_difference(self, differences: Matrix) -> Matrix:
        """Return f."""

    @abstractmethod
    def tensor_of_difference(self, difference: Any) -> tuple[Any, Any]:
        """Return f and its derivative, as TensorFlow tensors."""

    def values(self, X: Matrix, parameters: Matrix) -> Matrix:
        """Return f(sign(b_tj) (x_ij − q_tj)) for the feature j of each column t."""
        features, signs = self.chosen(parameters)
        places = np.take_along_axis(self.points(parameters), features[:, None], axis=1)[:, 0]
        return self.of_difference((X[:, features] - places) * signs)

    def tensor_price(self, X: Any, duals: Any, q: Any) -> tuple[Any, Any]:
        """Return Σ_i γ_i φ(x_i; q, b) and its gradient, which is zero but for q_j."""
        import tensorflow as tf

        point, weight = tf.split(q, 2)
        feature = tf.argmax(tf.abs(weight))
        sign = tf.sign(weight[feature])
        value, slope = self.tensor_of_difference((X[feature] - point[feature]) * sign)
        own = tf.one_hot(feature, tf.size(point), dtype=point.dtype)
        gradient = -sign * tf.reduce_sum(duals * slope) * own
        return tf.reduce_sum(duals * value), tf.concat([gradient, tf.zeros_like(weight)], axis=0)

    def chosen(self, parameters: Matrix) -> tuple[Indices, Vector]:
        """Return the feature of each column, and the direction in which it counts."""
        weights = parameters[:, parameters.shape[1] // 2 :]
        features = np.argmax(np.abs(weights), axis=1)
        return features, np.sign(np.take_along_axis(weights, features[:, None], axis=1)[:, 0])

    def points(self, parameters: Matrix) -> Matrix:
        """Return q_t."""
        return parameters[..., : parameters.shape[-1] // 2]

    def starts(self, X: Matrix) -> Matrix:
        """Return each row with one feature, in turn: the first with the first, and so on."""
        n, d = X.shape
        return np.hstack((X, np.eye(d)[np.arange(n) % d]))

    def feature_parts(self, X: Matrix, reference: Vector, parameters: Matrix) -> Matrix:
        """Return φ(x) − φ(x⁰) as the part of the column's own feature."""
        features, _ = self.chosen(parameters)
        parts = np.zeros((len(X), *self.points(parameters).shape))
        change = self.values(X, parameters) - self.values(reference[None], parameters)
        parts[:, np.arange(len(features)), features] = change
        return parts
