"""Columns with a point q and a weight b_j for each feature: what all such families share.

    φ(x; q, b) = f( Σ_j |b_j (x_j − q_j)|^p )

A family chooses p and f. Its parameters are the vector (q, b), twice as long as a row; the sign of
a feature's weight does not matter, and a feature of weight zero does not count.
"""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Sequence
from typing import Any, ClassVar

import numpy as np
from scipy.spatial.distance import cdist, pdist

from smoothrank.arrays import Matrix, Vector
from smoothrank.columns.base import ColumnFamily
from smoothrank.columns.shapley import shares_of_terms

NAMED_SHARE = 0.9
"""A column is described by its heaviest features: those that make up this share of its weights."""

BUMP_WIDTHS = (0.5, 1.0, 2.0)
"""The widths of bumps in a dictionary, by the median distance of the rows."""

_MEDIAN_ROWS = 500


class FeatureWeighted(ColumnFamily):
    """A family whose parameters are a point and feature weights, (q, b)."""

    n_parts = 2
    power: ClassVar[int]
    words: ClassVar[str]

    def values(self, X: Matrix, parameters: Matrix) -> Matrix:
        """Return φ(x_i; q_t, b_t)."""
        return self.of_distance(self.distances(X, parameters))

    def distances(self, X: Matrix, parameters: Matrix) -> Matrix:
        """Return Σ_j |b_tj (x_ij − q_tj)|^p; columns of equal feature weights are done at once."""
        points, weights = self.points(parameters), np.abs(self.feature_weights(parameters))
        metric = "sqeuclidean" if self.power == 2 else "cityblock"
        found = np.empty((len(X), len(parameters)))
        for weight, columns in _alike(weights):
            found[:, columns] = cdist(X * weight, points[columns] * weight, metric)
        return found

    @abstractmethod
    def of_distance(self, distances: Matrix) -> Matrix:
        """Return f."""

    @abstractmethod
    def tensor_of_distance(self, distance: Any) -> tuple[Any, Any]:
        """Return f and its derivative, as TensorFlow tensors."""

    def tensor_price(self, X: Any, duals: Any, q: Any) -> tuple[Any, Any]:
        """Return Σ_i γ_i φ(x_i; q, b) and its gradient in (q, b)."""
        import tensorflow as tf

        point, weight = tf.split(q, 2)
        difference = point[:, None] - X
        scaled = weight[:, None] * difference
        if self.power == 2:
            distance, slope = tf.reduce_sum(tf.square(scaled), axis=0), 2.0 * scaled
        else:
            distance, slope = tf.reduce_sum(tf.abs(scaled), axis=0), tf.sign(scaled)
        value, derivative = self.tensor_of_distance(distance)
        by_row = duals * derivative
        of_point = tf.linalg.matvec(slope * weight[:, None], by_row)
        of_weight = tf.linalg.matvec(slope * difference, by_row)
        return tf.reduce_sum(duals * value), tf.concat([of_point, of_weight], axis=0)

    def points(self, parameters: Matrix) -> Matrix:
        """Return q_t."""
        return parameters[..., : parameters.shape[-1] // 2]

    def feature_weights(self, parameters: Matrix) -> Matrix:
        """Return b_t."""
        return parameters[..., parameters.shape[-1] // 2 :]

    def starts(self, X: Matrix) -> Matrix:
        """Return each row with equal feature weights, of the width of the rows."""
        return self.around(X, self.median_distance(X))

    def atoms(self, X: Matrix, points: Matrix) -> Matrix:
        """Return each point with equal feature weights; another width is the same column."""
        return self.around(points, self.median_distance(X))

    def feature_parts(self, X: Matrix, reference: Vector, parameters: Matrix) -> Matrix:
        """Return φ(x) − φ(x⁰), shared out by the change of each |b_j (x_j − q_j)|^p."""
        points, weights = self.points(parameters), self.feature_weights(parameters)
        terms = np.abs(weights * (X[:, None, :] - points)) ** self.power
        at_reference = np.abs(weights * (reference - points)) ** self.power
        change = self.values(X, parameters) - self.values(reference[None], parameters)
        return shares_of_terms(terms, at_reference, change)

    def around(self, points: Matrix, width: float) -> Matrix:
        """Return columns around points with equal feature weights: distances are over `width`."""
        weight = width ** (-1.0 / self.power) if width > 0.0 else 1.0
        return np.hstack((points, np.full(points.shape, weight)))

    def median_distance(self, X: Matrix) -> float:
        """Return the median of Σ_j |x_j − x'_j|^p over pairs of different rows, of a sample."""
        step = max(1, len(X) // _MEDIAN_ROWS)
        some = X[::step]
        distances = pdist(some, "sqeuclidean" if self.power == 2 else "cityblock")
        apart = distances[distances > 0.0]
        return float(np.median(apart)) if len(apart) else 1.0

    def describe(self, parameters: Vector, names: Sequence[str]) -> str:
        """Return the point by its heaviest features."""
        point, weight = self.points(parameters), np.abs(self.feature_weights(parameters))
        order = np.argsort(-weight, kind="stable")
        total = float(weight.sum())
        enough = np.searchsorted(np.cumsum(weight[order]), NAMED_SHARE * total) + 1
        features = ", ".join(f"{names[j]} {point[j]:.4g}" for j in order[:enough])
        return f"{self.words} {features}"


class Bump(FeatureWeighted):
    """f = exp(−·): 1 at q, 0 far away."""

    words = "close to"
    nearness = 1

    def atoms(self, X: Matrix, points: Matrix) -> Matrix:
        """Return bumps around each point, of the widths `BUMP_WIDTHS`."""
        median = self.median_distance(X)
        return np.vstack([self.around(points, median * w**self.power) for w in BUMP_WIDTHS])

    def of_distance(self, distances: Matrix) -> Matrix:
        """Return exp(−distance)."""
        return np.exp(-distances)

    def tensor_of_distance(self, distance: Any) -> tuple[Any, Any]:
        """Return exp(−distance) and its derivative."""
        import tensorflow as tf

        value = tf.exp(-distance)
        return value, -value


def _alike(weights: Matrix) -> list[tuple[Vector, Any]]:
    """Return the distinct rows of feature weights, and which columns have each of them."""
    if len(weights) and np.all(weights == weights[0]):
        return [(weights[0], slice(None))]
    return [(weight, [column]) for column, weight in enumerate(weights)]
