"""A finite dictionary of columns: points or thresholds × widths × families × views.

All columns are standardised over the training rows and kept as one n × M matrix Z, so that the
product Zᵀγ with the dual sums γ of a master problem gives the reduced cost of every column. With
m points, d features, V views and the six usual families,

    M ≤ V (8 m + d) + max(5000, d):

two kinds of distances and three widths of two kinds of bumps about each point, each feature once a
view, and thresholds. The caller bounds n and m; Z then grows with the features as the rows do.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from smoothrank.arrays import Indices, Matrix, Vector
from smoothrank.columns.base import ColumnFamily
from smoothrank.columns.distinct_rows import Rows
from smoothrank.columns.feature_scaling import Scaler
from smoothrank.columns.standardising import standardise


@dataclass(frozen=True)
class Source:
    """Where columns come from: a family, and a view of the training rows.

    Parameters
    ----------
    family : ColumnFamily
        φ.
    scaler : Scaler
        From the data's units to the view.
    X : ndarray of shape (n, d)
        The training rows in the view.
    """

    family: ColumnFamily
    scaler: Scaler
    X: Matrix


@dataclass(frozen=True)
class Atom:
    """One column with its values on the training rows.

    Parameters
    ----------
    source : int
        The number of its `Source`.
    parameters : ndarray
        q, in scaled units.
    mean, spread : float
        μ and σ.
    column : ndarray of shape (n,)
        z = (φ − μ) / σ on the training rows.
    """

    source: int
    parameters: Vector
    mean: float
    spread: float
    column: Vector


@dataclass(frozen=True)
class Dictionary:
    """The columns of a dictionary.

    Parameters
    ----------
    sources : tuple of Source
        Families and views.
    parameters : tuple of ndarray
        The parameters of the columns of each source.
    starts : ndarray of int
        The first column of each source, and last the number of all columns.
    means, spreads : ndarray of shape (M,)
        μ and σ.
    columns : ndarray of shape (n, M)
        Z; a column that is constant on the training rows is zero.
    """

    sources: tuple[Source, ...]
    parameters: tuple[Matrix, ...]
    starts: Indices
    means: Vector
    spreads: Vector
    columns: Matrix

    @classmethod
    def build(
        cls,
        rows: Rows,
        scalers: Sequence[Scaler],
        families: Sequence[ColumnFamily],
        points: Indices,
    ) -> Dictionary:
        """Return the dictionary of some families.

        Parameters
        ----------
        rows : Rows
            The training rows, in the data's units.
        scalers : sequence of Scaler
            The views; families that ignore scaling use the first only.
        families : sequence of ColumnFamily
            The families.
        points : ndarray of int
            The rows that columns are about.
        """
        views = [(scaler, scaler.transform(rows.X)) for scaler in scalers]
        sources = tuple(
            Source(family, scaler, X)
            for family in families
            for scaler, X in (views[:1] if family.ignores_scaling else views)
        )
        parameters = tuple(source.family.atoms(source.X, source.X[points]) for source in sources)
        parts = [
            standardise(source.family.values(source.X, atoms), rows.weight)
            for source, atoms in zip(sources, parameters, strict=True)
        ]
        return cls(
            sources,
            parameters,
            np.cumsum([0, *map(len, parameters)]),
            np.concatenate([part.means for part in parts]),
            np.concatenate([part.spreads for part in parts]),
            np.hstack([part.columns for part in parts]),
        )

    @property
    def n_columns(self) -> int:
        """M."""
        return len(self.means)

    def reduced_costs(self, duals: Vector) -> Vector:
        """Return γ·z_j of every column: one product of a vector and a matrix."""
        return np.asarray(duals @ self.columns)

    def atom(self, number: int) -> Atom:
        """Return a column by its number."""
        source = int(np.searchsorted(self.starts, number, side="right")) - 1
        return Atom(
            source,
            self.parameters[source][number - self.starts[source]],
            float(self.means[number]),
            float(self.spreads[number]),
            self.columns[:, number],
        )
