"""The cutting planes of the mean pairwise hinge, kept across rounds and columns."""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

from smoothrank.arrays import Matrix, Vector
from smoothrank.losses.pairwise_hinge import HingeValue


class Cuts:
    """Cuts R(D w) ≥ b_k − (a_k·D) w in arrays that grow by doubling.

    Parameters
    ----------
    n_rows : int
        Length of the cut coefficients a_k.
    """

    def __init__(self, n_rows: int) -> None:
        self.count = 0
        self._coefficients = np.empty((16, n_rows))
        self._constants = np.empty(16)
        self._slopes = np.empty((16, 0))

    @property
    def coefficients(self) -> Matrix:
        """a_k, one row per cut."""
        return self._coefficients[: self.count]

    @property
    def constants(self) -> Vector:
        """b_k."""
        return self._constants[: self.count]

    @property
    def slopes(self) -> Matrix:
        """a_k·D, one row per cut and one column per weight."""
        return self._slopes[: self.count]

    def add(self, value: HingeValue, slope: Vector) -> None:
        """Add one cut."""
        if self.count == len(self._constants):
            self._coefficients = _doubled(self._coefficients)
            self._constants = _doubled(self._constants)
            self._slopes = _doubled(self._slopes)
        self._coefficients[self.count] = value.coefficients
        self._constants[self.count] = value.constant
        self._slopes[self.count] = slope
        self.count += 1

    def add_column(self, column: Vector) -> Vector:
        """Compute the coefficient of a new column for every cut, and return these."""
        slopes = np.zeros(len(self._slopes))
        slopes[: self.count] = self.coefficients @ column
        self._slopes = np.column_stack((self._slopes, slopes))
        return slopes[: self.count]

    def keep(self, chosen: npt.NDArray[np.bool_]) -> None:
        """Keep the chosen cuts and drop the others."""
        n_kept = int(np.count_nonzero(chosen))
        self._coefficients[:n_kept] = self.coefficients[chosen]
        self._constants[:n_kept] = self.constants[chosen]
        self._slopes[:n_kept] = self.slopes[chosen]
        self.count = n_kept


def _doubled(array: npt.NDArray[np.float64]) -> npt.NDArray[np.float64]:
    """Return an array with room for as many rows again."""
    return np.concatenate((array, np.empty_like(array)))
