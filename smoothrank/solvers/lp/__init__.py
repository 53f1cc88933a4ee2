"""Solvers of linear programs behind one small interface, and the registry of them.

    linear_program("auto", n_columns, n_rows)

Another solver is one more file with a subclass of `LinearProgram` and a `Backend`, and its line
here; from outside, `register_backend` makes it known to estimators, configuration and commands.
"""

from __future__ import annotations

import logging
from functools import cache

from smoothrank.registry import Registry
from smoothrank.solvers.lp.backend import ANY_SIZE, Backend, Capacity
from smoothrank.solvers.lp.base import LicenceError, LinearProgram, Solution, SolverError
from smoothrank.solvers.lp.gurobi import GUROBI
from smoothrank.solvers.lp.highs import HIGHS

__all__ = [
    "ANY_SIZE",
    "AUTO",
    "BACKENDS",
    "Backend",
    "Capacity",
    "LicenceError",
    "LinearProgram",
    "Solution",
    "SolverError",
    "backend",
    "backend_names",
    "choose_solver",
    "linear_program",
    "register_backend",
    "solver_names",
]

AUTO = "auto"
BACKENDS: Registry[Backend] = Registry("solver", SolverError, reserved=(AUTO,))
_log = logging.getLogger(__name__)


backend = BACKENDS.__getitem__
backend_names = BACKENDS.names
register_backend = BACKENDS.add


def solver_names() -> tuple[str, ...]:
    """Return what may be given as a solver: "auto", or a backend."""
    return (AUTO, *backend_names())


def choose_solver(name: str, n_columns: int, n_rows: int) -> str:
    """Return the solver for a problem of at most this size.

    Parameters
    ----------
    name : str
        A backend, or "auto" for the first that is installed and can take that size.
    n_columns, n_rows : int
        The largest size that the problem will grow to.
    """
    if name != AUTO:
        return backend(name).name
    passed_over: list[str] = []
    for candidate in BACKENDS:
        capacity = candidate.capacity()
        if capacity.carries(n_columns, n_rows):
            reasons = f": {'; '.join(passed_over)}" if passed_over else ""
            say_once(f"Linear programs are solved by {candidate.title}{reasons}.")
            return candidate.name
        limit = f"{candidate.title}'s licence ends at {capacity.size_limit} columns and rows"
        passed_over.append(capacity.reason or limit)
    raise SolverError(f"No solver carries a linear program of this size: {'; '.join(passed_over)}.")


def linear_program(name: str, n_columns: int, n_rows: int) -> LinearProgram:
    """Return an empty linear program that may grow to the given size."""
    return backend(choose_solver(name, n_columns, n_rows)).make()


@cache
def say_once(message: str) -> None:
    _log.info(message)


register_backend(GUROBI)
register_backend(HIGHS)
