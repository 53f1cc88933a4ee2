"""One small interface to linear programs that grow.

    min  c·x    s.t.   A x ≥ b,    l ≤ x ≤ u

Rows and columns are added, changed and deleted between solves; the basis is kept, so that a
re-solve after a small change takes a few simplex steps.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from dataclasses import dataclass

import numpy as np

from smoothrank.arrays import Indices, Matrix, Vector
from smoothrank.errors import SmoothrankError

FEASIBILITY_TOLERANCE = 1e-9
"""Default tolerance of the solvers. At their own defaults (1e-6, 1e-7) cutting planes stall."""


class SolverError(SmoothrankError):
    """A solver failed, stopped early, or was refused by its licence."""


class LicenceError(SolverError):
    """The solver's licence does not allow a problem of this size, or there is none."""


@dataclass(frozen=True)
class Solution:
    """An optimal vertex.

    Parameters
    ----------
    x : ndarray
        The primal point.
    duals : ndarray
        One non-negative multiplier for each row of A x ≥ b.
    objective : float
        c·x.
    """

    x: Vector
    duals: Vector
    objective: float


class LinearProgram(ABC):
    """A linear program in one solver; see the module's docstring for its form."""

    name: str

    def __init__(self) -> None:
        self.n_columns = 0
        self.n_rows = 0

    def add_columns(self, cost: Vector, lower: Vector, upper: Vector, entries: Matrix) -> None:
        """Add columns; `entries` is n_rows × number of new columns."""
        _check_finite(cost, entries)
        self._add_columns(cost, lower, upper, entries)
        self.n_columns += len(cost)

    def add_rows(self, entries: Matrix, lower: Vector) -> None:
        """Add rows entries·x ≥ lower; `entries` is number of new rows × n_columns."""
        _check_finite(lower, entries)
        self._add_rows(entries, lower)
        self.n_rows += len(lower)

    def delete_rows(self, rows: Indices) -> None:
        """Delete the rows with these indices; later rows move up."""
        if len(rows):
            self._delete_rows(rows)
            self.n_rows -= len(rows)

    @abstractmethod
    def change_column(self, column: int, cost: float, lower: float, upper: float) -> None:
        """Set the cost and the bounds of a column."""

    @abstractmethod
    def change_rows(self, lower: Vector) -> None:
        """Set the right-hand sides of all rows."""

    @abstractmethod
    def solve(self) -> Solution:
        """Solve to optimality from the last basis, or raise `SolverError`."""

    @abstractmethod
    def _add_columns(self, cost: Vector, lower: Vector, upper: Vector, entries: Matrix) -> None: ...

    @abstractmethod
    def _add_rows(self, entries: Matrix, lower: Vector) -> None: ...

    @abstractmethod
    def _delete_rows(self, rows: Indices) -> None: ...


def _check_finite(*arrays: Vector) -> None:
    if not all(np.isfinite(array).all() for array in arrays):
        raise SolverError(
            "A linear program would hold a number that is not finite. Rescale the data or the "
            "weights, so that distances neither overflow nor vanish."
        )
