"""A score of columns from several families, each with its own view of the features."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from smoothrank.arrays import Matrix, Vector
from smoothrank.columns.weighted import WeightedColumns


@dataclass(frozen=True)
class MixedColumns:
    """s(x) = Σ_b s_b(x), a sum of `WeightedColumns`.

    Parameters
    ----------
    blocks : tuple of WeightedColumns
        The columns of each family and view; there may be none.
    n_features : int
        The features of a row.
    """

    blocks: tuple[WeightedColumns, ...]
    n_features: int

    @property
    def weights(self) -> Vector:
        """w_t of all columns, block by block."""
        return np.concatenate([np.empty(0), *(block.weights for block in self.blocks)])

    @property
    def n_columns(self) -> int:
        """How many columns there are."""
        return len(self.weights)

    def columns(self, X: Matrix) -> Matrix:
        """Return z_t(x_i) for rows in the data's units, block by block."""
        return np.hstack([np.empty((len(X), 0)), *(block.columns(X) for block in self.blocks)])

    def score(self, X: Matrix) -> Vector:
        """Return s(x_i) for rows in the data's units."""
        return np.asarray(self.columns(X) @ self.weights)

    def in_data_units(self) -> Matrix:
        """Return the points of the columns in the units of the data."""
        nothing = np.empty((0, self.n_features))
        return np.vstack([nothing, *(block.in_data_units() for block in self.blocks)])
