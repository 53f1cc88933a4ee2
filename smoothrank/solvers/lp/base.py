"""One small interface to linear programs that grow.

    min  c·x    s.t.   A x ≥ b,    l ≤ x ≤ u

Rows and columns are added, changed and deleted between solves; the basis is kept, so that a
re-solve after a small change takes a few simplex steps.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from dataclasses import dataclass, replace

import numpy as np

from smoothrank.arrays import Indices, Matrix, Vector
from smoothrank.errors import SmoothrankError
from smoothrank.solvers.lp.optimality import KKT_TOLERANCE, KeptProgram

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
    kkt : float
        The KKT residual of `x` and `duals`; see `smoothrank.solvers.lp.optimality`.
    """

    x: Vector
    duals: Vector
    objective: float
    kkt: float = float("nan")

    def __post_init__(self) -> None:
        if not (np.isfinite(self.objective) and np.isfinite(self.x).all()):
            raise SolverError(
                "The solver called a point optimal that is not finite. Rescale the data, or name "
                "another solver."
            )


class LinearProgram(ABC):
    """A linear program in one solver; see the module's docstring for its form."""

    name: str

    def __init__(self) -> None:
        self._kept = KeptProgram()

    @property
    def n_columns(self) -> int:
        """How many columns there are."""
        return len(self._kept.cost)

    @property
    def n_rows(self) -> int:
        """How many rows there are."""
        return len(self._kept.right)

    def add_columns(self, cost: Vector, lower: Vector, upper: Vector, entries: Matrix) -> None:
        """Add columns; `entries` is n_rows × number of new columns."""
        _check_finite(cost, entries)
        self._add_columns(cost, lower, upper, entries)
        self._kept.add_columns(cost, lower, upper, entries)

    def add_rows(self, entries: Matrix, lower: Vector) -> None:
        """Add rows entries·x ≥ lower; `entries` is number of new rows × n_columns."""
        _check_finite(lower, entries)
        self._add_rows(entries, lower)
        self._kept.add_rows(entries, lower)

    def delete_rows(self, rows: Indices) -> None:
        """Delete the rows with these indices; later rows move up."""
        if len(rows):
            self._delete_rows(rows)
            kept = np.ones(self.n_rows, dtype=bool)
            kept[rows] = False
            self._kept.delete_rows(kept)

    def change_column(self, column: int, cost: float, lower: float, upper: float) -> None:
        """Set the cost and the bounds of a column."""
        self._change_column(column, cost, lower, upper)
        kept = self._kept
        kept.cost[column], kept.lower[column], kept.upper[column] = cost, lower, upper

    def change_rows(self, lower: Vector) -> None:
        """Set the right-hand sides of all rows."""
        self._change_rows(lower)
        self._kept.right = np.array(lower, dtype=np.float64)

    def solve(self) -> Solution:
        """Solve to optimality from the last basis, and verify the answer.

        Raises
        ------
        SolverError
            If the solver fails, or its answer is not optimal.
        """
        solution = self._solve()
        residual = self._kept.kkt_residual(solution.x, solution.duals)
        if residual > KKT_TOLERANCE:
            raise SolverError(
                f"The answer of {self.name} to a linear program of {self.n_columns} columns and "
                f"{self.n_rows} rows is not optimal: its KKT residual is {residual:.1e}, above "
                f"{KKT_TOLERANCE:.0e}. Rescale the data, or use another solver."
            )
        return replace(solution, kkt=residual)

    @abstractmethod
    def _solve(self) -> Solution: ...

    @abstractmethod
    def _change_column(self, column: int, cost: float, lower: float, upper: float) -> None: ...

    @abstractmethod
    def _change_rows(self, lower: Vector) -> None: ...

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
