"""Gurobi behind the small linear program interface, and what its licence allows."""

from __future__ import annotations

import threading
from functools import cache
from importlib.util import find_spec
from typing import Any

import numpy as np

from smoothrank.arrays import Indices, Matrix, Vector
from smoothrank.solvers.lp.backend import Backend, Capacity
from smoothrank.solvers.lp.base import (
    FEASIBILITY_TOLERANCE,
    LicenceError,
    LinearProgram,
    Solution,
    SolverError,
)

SIZE_LIMIT = 2000
"""The most columns and rows under the licence shipped with gurobipy."""

_SIZE_EXCEEDED = 10010
_local = threading.local()


@cache
def licence() -> Capacity:
    """Ask Gurobi once what its licence allows, without printing anything."""
    if find_spec("gurobipy") is None:
        return Capacity(False, None, "gurobipy is not installed")
    import gurobipy

    try:
        with gurobipy.Model(env=_environment()) as probe:
            probe.addMVar(SIZE_LIMIT + 1)
            probe.optimize()
    except gurobipy.GurobiError as error:
        if error.errno == _SIZE_EXCEEDED:
            return Capacity(True, SIZE_LIMIT)
        return Capacity(False, None, str(error))
    return Capacity(True, None)


def _environment() -> Any:
    """Return the silent Gurobi environment of this thread (environments may not be shared)."""
    if not hasattr(_local, "environment"):
        import gurobipy

        _local.environment = gurobipy.Env(params={"OutputFlag": 0, "Threads": 1})
    return _local.environment


class GurobiProgram(LinearProgram):
    """A linear program in Gurobi: dual simplex, one thread, no presolve, basis kept."""

    name = "gurobi"

    def __init__(self, tolerance: float = FEASIBILITY_TOLERANCE) -> None:
        super().__init__()
        if not licence().available:
            raise LicenceError(
                f"Gurobi cannot be used: {licence().reason}. Use solver='highs', which is free."
            )
        import gurobipy

        self._gurobipy: Any = gurobipy
        self._model: Any = gurobipy.Model(env=_environment())
        self._columns: list[Any] = []
        self._rows: list[Any] = []
        for parameter, value in {
            "Method": 1,
            "Presolve": 0,
            "FeasibilityTol": max(tolerance, 1e-9),
            "OptimalityTol": max(tolerance, 1e-9),
        }.items():
            self._model.setParam(parameter, value)

    def _add_columns(self, cost: Vector, lower: Vector, upper: Vector, entries: Matrix) -> None:
        self._model.update()
        for j in range(len(cost)):
            used = np.flatnonzero(entries[:, j])
            column = self._gurobipy.Column(entries[used, j].tolist(), [self._rows[i] for i in used])
            self._columns.append(
                self._model.addVar(
                    lb=float(lower[j]), ub=float(upper[j]), obj=float(cost[j]), column=column
                )
            )

    def _add_rows(self, entries: Matrix, lower: Vector) -> None:
        for row, low in zip(entries.tolist(), lower.tolist(), strict=True):
            left = self._gurobipy.LinExpr(row, self._columns)
            self._rows.append(self._model.addLConstr(left, ">", low))

    def _delete_rows(self, rows: Indices) -> None:
        doomed = set(rows.tolist())
        self._model.remove([self._rows[i] for i in doomed])
        self._rows = [row for i, row in enumerate(self._rows) if i not in doomed]

    def _change_column(self, column: int, cost: float, lower: float, upper: float) -> None:
        variable = self._columns[column]
        variable.Obj, variable.LB, variable.UB = cost, lower, upper

    def _change_rows(self, lower: Vector) -> None:
        self._model.update()
        self._model.setAttr("RHS", self._rows, lower.tolist())

    def _solve(self) -> Solution:
        try:
            self._model.optimize()
        except self._gurobipy.GurobiError as error:
            if error.errno == _SIZE_EXCEEDED:
                raise LicenceError(
                    f"Gurobi's licence carries at most {SIZE_LIMIT} columns and rows; this problem "
                    f"has {self.n_columns} and {self.n_rows}. Use solver='highs'."
                ) from error
            raise SolverError(f"Gurobi failed: {error}") from error
        if self._model.Status != self._gurobipy.GRB.OPTIMAL:
            raise SolverError(
                f"Gurobi stopped with status {self._model.Status} on a linear program of "
                f"{self.n_columns} columns and {self.n_rows} rows."
            )
        return Solution(
            np.array(self._model.getAttr("X", self._columns)),
            np.array(self._model.getAttr("Pi", self._rows)),
            float(self._model.ObjVal),
        )


GUROBI = Backend(
    "gurobi",
    "Gurobi",
    GurobiProgram,
    lambda: licence(),  # noqa: PLW0108 (looked up when it is called)
    "no size limit",
)
