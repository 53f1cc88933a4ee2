"""What a linear-programming solver can do on this machine."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from smoothrank.solvers.lp.base import LinearProgram


@dataclass(frozen=True)
class Capacity:
    """What a solver may be used for on this machine.

    Parameters
    ----------
    available : bool
        Whether it is installed and its licence is valid.
    size_limit : int or None
        The most columns, and rows, of a problem; None when there is no limit.
    reason : str
        Why it is not available; empty when it is.
    """

    available: bool
    size_limit: int | None
    reason: str = ""

    def carries(self, n_columns: int, n_rows: int) -> bool:
        """Return whether a problem of this size may be solved."""
        limit = self.size_limit
        return self.available and (limit is None or max(n_columns, n_rows) <= limit)


ANY_SIZE = Capacity(available=True, size_limit=None)


@dataclass(frozen=True)
class Backend:
    """A solver that can be named.

    Parameters
    ----------
    name, title : str
        Its name in code, and in text.
    make : callable
        Returns an empty linear program.
    capacity : callable
        Returns what the solver may be used for, without printing anything.
    """

    name: str
    title: str
    make: Callable[[], LinearProgram]
    capacity: Callable[[], Capacity] = lambda: ANY_SIZE
