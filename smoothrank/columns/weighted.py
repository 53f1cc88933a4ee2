"""The score function of every fitted model: a weighted sum of standardised columns."""

from __future__ import annotations

from dataclasses import dataclass, replace

import numpy as np

from smoothrank.arrays import Indices, Matrix, Vector
from smoothrank.columns.base import ColumnFamily
from smoothrank.columns.feature_scaling import Scaler


@dataclass(frozen=True)
class WeightedColumns:
    """s(x) = Σ_t w_t (φ(x; q_t) − μ_t) / σ_t, with q_t and x in scaled units.

    Parameters
    ----------
    family : ColumnFamily
        φ.
    parameters : ndarray of shape (T, n_parts · d)
        q_t, in scaled units.
    means, spreads, weights : ndarray of shape (T,)
        μ_t, σ_t and w_t.
    scaler : Scaler or None
        From the data's units to scaled units.
    """

    family: ColumnFamily
    parameters: Matrix
    means: Vector
    spreads: Vector
    weights: Vector
    scaler: Scaler | None

    @classmethod
    def empty(cls, family: ColumnFamily, n_features: int, scaler: Scaler | None) -> WeightedColumns:
        """Return a model without columns."""
        nothing = np.empty(0)
        parameters = np.empty((0, family.n_parts * n_features))
        return cls(family, parameters, nothing, nothing, nothing, scaler)

    @property
    def n_columns(self) -> int:
        """How many columns there are."""
        return len(self.weights)

    @property
    def repulsion(self) -> Vector:
        """By how much being far from each column's point raises the score; negative for near."""
        return -self.family.nearness * self.weights

    @property
    def points(self) -> Matrix:
        """The points of the columns, in scaled units."""
        return self.family.points(self.parameters)

    def scaled(self, X: Matrix) -> Matrix:
        """Return rows in scaled units."""
        return X if self.scaler is None else self.scaler.transform(X)

    def columns(self, X: Matrix) -> Matrix:
        """Return z_t(x_i) for rows in the data's units, one column for each t."""
        return (self.family.values(self.scaled(X), self.parameters) - self.means) / self.spreads

    def score(self, X: Matrix) -> Vector:
        """Return s(x_i) for rows in the data's units."""
        return np.asarray(self.columns(X) @ self.weights)

    def in_data_units(self) -> Matrix:
        """Return the points of the columns in the units of the data."""
        return self.points if self.scaler is None else self.scaler.inverse_transform(self.points)

    def only(self, chosen: Indices) -> WeightedColumns:
        """Return the model of some of its columns."""
        return replace(
            self,
            parameters=self.parameters[chosen],
            means=self.means[chosen],
            spreads=self.spreads[chosen],
            weights=self.weights[chosen],
        )
