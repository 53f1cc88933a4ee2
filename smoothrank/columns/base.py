"""What a column is: a function φ(x; q) of a row, with parameters q that are learnt.

A family of columns knows how to compute φ at any rows, the reduced cost of a column and its
gradient, where the search for q starts, and how to describe a column in words. A model's score is

    s(x) = Σ_t w_t z_t(x),      z_t(x) = (φ(x; q_t) − μ_t) / σ_t,

with the mean μ_t and the standard deviation σ_t of φ(·; q_t) over the training rows.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable, Sequence
from typing import Any, ClassVar

import numpy as np

from smoothrank.arrays import Indices, Matrix, Vector
from smoothrank.errors import SmoothrankError

_BLOCK = 1 << 18

Shuffled = Callable[[int, Indices], Matrix]


class ColumnFamily(ABC):
    """A family of columns φ(x; q) whose parameters q begin with a point among the rows."""

    name: ClassVar[str]
    """How it is registered, saved, and named as an estimator's parameter."""

    nearness: ClassVar[int] = -1
    """The sign of the change of φ when a row comes nearer: −1 for distances, +1 for bumps."""

    n_parts: ClassVar[int] = 1
    """How many vectors of the length of a row the parameters are; the first of them is a point."""

    ignores_scaling: ClassVar[bool] = False
    """Whether features scaled by increasing functions have the same columns in a dictionary."""

    @abstractmethod
    def values(self, X: Matrix, parameters: Matrix) -> Matrix:
        """Return φ(x_i; q_t): a row for each row of `X`, a column for each of `parameters`."""

    @abstractmethod
    def tensor_price(self, X: Any, duals: Any, q: Any) -> tuple[Any, Any]:
        """Return g(q) = Σ_i γ_i φ(x_i; q) and its gradient, as TensorFlow tensors.

        Parameters
        ----------
        X : tensor of shape (d, n)
            The rows as columns, padded with zeros in both directions.
        duals : tensor of shape (n,)
            γ, zero for the padding rows.
        q : tensor of shape (n_parts · d,)
            The parameters; padding entries are zero, and so must be their gradient.
        """

    @abstractmethod
    def describe(self, parameters: Vector, names: Sequence[str]) -> str:
        """Return a column in words; `parameters` are in the data's units."""

    def starts(self, X: Matrix) -> Matrix:
        """Return the parameters that the search may start from, one for each training row."""
        return X

    def atoms(self, X: Matrix, points: Matrix) -> Matrix:
        """Return the parameters of this family's columns in a finite dictionary.

        Parameters
        ----------
        X : ndarray of shape (n, d)
            The training rows.
        points : ndarray of shape (m, d)
            Those rows, or some of them, that columns may be about.
        """
        del X
        return self.starts(points)

    def points(self, parameters: Matrix) -> Matrix:
        """Return the points that columns are about."""
        return parameters

    def origin(self, X: Matrix) -> Vector:
        """Return a vector by which rows and points may both be shifted without changing φ."""
        return np.zeros(X.shape[1])

    def extent(self, X: Matrix) -> float:
        """Return the largest difference in φ: the unit in which a price is negligible."""
        del X
        return 1.0

    def prices(self, X: Matrix, duals: Vector, parameters: Matrix) -> Vector:
        """Return g at each of some parameters, in blocks that stay in the cache."""
        support = np.flatnonzero(duals)
        rows, weights = X[support], duals[support]
        block = max(1, _BLOCK // max(1, len(support)))
        prices = np.empty(len(parameters))
        for first in range(0, len(parameters), block):
            some = slice(first, first + block)
            prices[some] = np.ascontiguousarray(self.values(rows, parameters[some]).T) @ weights
        return prices

    def shuffled(self, X: Matrix, parameters: Matrix) -> Shuffled:
        """Return a function of a feature and an order of the rows: φ with that feature shuffled."""

        def values(feature: int, order: Indices) -> Matrix:
            changed = X.copy()
            changed[:, feature] = X[order, feature]
            return self.values(changed, parameters)

        return values

    def screened_starts(self, X: Matrix, duals: Vector) -> tuple[Vector, float] | None:
        """Return |g| at all starts, computed quickly, and an error bound; None by default."""
        del X, duals
        return None

    def feature_parts(self, X: Matrix, reference: Vector, parameters: Matrix) -> Matrix:
        """Return the part of each feature in φ(x_i; q_t) − φ(x⁰; q_t); shape (n, T, d).

        Parameters
        ----------
        X : ndarray of shape (n, d)
            Rows.
        reference : ndarray of shape (d,)
            x⁰.
        parameters : ndarray of shape (T, n_parts · d)
            q_t.
        """
        raise SmoothrankError(f"Columns of the family {self.name!r} cannot be split by feature.")
