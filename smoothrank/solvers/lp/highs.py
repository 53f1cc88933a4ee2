"""HiGHS behind the small linear program interface: free for any use, any size."""

from __future__ import annotations

from typing import Any

import numpy as np

from smoothrank.arrays import Indices, Matrix, Vector
from smoothrank.solvers.lp.backend import Backend
from smoothrank.solvers.lp.base import FEASIBILITY_TOLERANCE, LinearProgram, Solution, SolverError


class HighsProgram(LinearProgram):
    """A linear program in HiGHS: dual simplex, one thread, no presolve, basis kept."""

    name = "highs"

    def __init__(self, tolerance: float = FEASIBILITY_TOLERANCE) -> None:
        super().__init__()
        import highspy

        self._status = highspy.HighsModelStatus
        self._error = highspy.HighsStatus.kError
        self._infinity = highspy.kHighsInf
        make: Any = highspy.Highs
        self._highs: Any = make()
        for option, value in {
            "output_flag": False,
            "threads": 1,
            "presolve": "off",
            "solver": "simplex",
            "small_matrix_value": 1e-12,
            "primal_feasibility_tolerance": tolerance,
            "dual_feasibility_tolerance": tolerance,
        }.items():
            self._highs.setOptionValue(option, value)

    def _add_columns(self, cost: Vector, lower: Vector, upper: Vector, entries: Matrix) -> None:
        for j in range(len(cost)):
            rows = np.flatnonzero(entries[:, j]).astype(np.int32)
            column = (cost[j], lower[j], upper[j], len(rows), rows, entries[rows, j])
            self._check_taken(self._highs.addCol(*column))

    def _add_rows(self, entries: Matrix, lower: Vector) -> None:
        for row, low in zip(entries, lower, strict=True):
            columns = np.flatnonzero(row).astype(np.int32)
            taken = self._highs.addRow(low, self._infinity, len(columns), columns, row[columns])
            self._check_taken(taken)

    def _check_taken(self, status: Any) -> None:
        """Raise an error if HiGHS has left out a row or column, which it does not say otherwise."""
        if status == self._error:
            raise SolverError(
                "HiGHS does not take a linear program with numbers that are too large (above "
                "1e15). Rescale the data or the weights."
            )

    def _delete_rows(self, rows: Indices) -> None:
        self._highs.deleteRows(len(rows), rows.astype(np.int32))

    def _change_column(self, column: int, cost: float, lower: float, upper: float) -> None:
        self._highs.changeColCost(column, cost)
        self._highs.changeColBounds(column, lower, upper)

    def _change_rows(self, lower: Vector) -> None:
        for i, low in enumerate(lower):
            self._highs.changeRowBounds(i, low, self._infinity)

    def _solve(self) -> Solution:
        self._highs.run()
        status = self._highs.getModelStatus()
        if status != self._status.kOptimal:
            self._highs.clearSolver()
            self._highs.run()
            status = self._highs.getModelStatus()
        if status != self._status.kOptimal:
            reason = self._highs.modelStatusToString(status)
            raise SolverError(
                f"HiGHS stopped with status '{reason}' on a linear program of "
                f"{self.n_columns} columns and {self.n_rows} rows."
            )
        solution = self._highs.getSolution()
        return Solution(
            np.asarray(solution.col_value),
            np.asarray(solution.row_dual),
            float(self._highs.getInfo().objective_function_value),
        )


HIGHS = Backend("highs", "HiGHS", HighsProgram, licence="MIT")
