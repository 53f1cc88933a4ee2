"""Linear programs in Gurobi or HiGHS, behind one small interface; `linear_program` chooses."""

from __future__ import annotations

import logging
from functools import cache
from typing import Literal

from smoothrank.solvers.lp.base import LicenceError, LinearProgram, Solution, SolverError

__all__ = [
    "LicenceError",
    "LinearProgram",
    "Solution",
    "SolverError",
    "SolverName",
    "choose_solver",
    "linear_program",
]

SolverName = Literal["auto", "gurobi", "highs"]
_log = logging.getLogger(__name__)


def choose_solver(name: SolverName, n_columns: int, n_rows: int) -> Literal["gurobi", "highs"]:
    """Name the solver for a problem of at most this size.

    Parameters
    ----------
    name : {"auto", "gurobi", "highs"}
        "auto" takes Gurobi where it is installed and its licence carries the size, else HiGHS.
    n_columns, n_rows : int
        The largest size that the problem will grow to.
    """
    if name != "auto":
        return name
    from smoothrank.solvers.lp.gurobi import licence

    found = licence()
    if found.carries(n_columns, n_rows):
        _say_once("Linear programs are solved by Gurobi.")
        return "gurobi"
    _say_once(
        "Linear programs are solved by HiGHS: "
        + (found.reason or f"Gurobi's licence ends at {found.size_limit} columns and rows")
        + "."
    )
    return "highs"


def linear_program(name: SolverName, n_columns: int, n_rows: int) -> LinearProgram:
    """Make an empty linear program that may grow to the given size."""
    if choose_solver(name, n_columns, n_rows) == "gurobi":
        from smoothrank.solvers.lp.gurobi import GurobiProgram

        return GurobiProgram()
    from smoothrank.solvers.lp.highs import HighsProgram

    return HighsProgram()


@cache
def _say_once(message: str) -> None:
    _log.info(message)
