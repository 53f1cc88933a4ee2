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
        Returns what the solver may be used for; asked without a word on the terminal.
    licence : str
        Its licence in a few words, where no size limit has to be named.
    """

    name: str
    title: str
    make: Callable[[], LinearProgram]
    capacity: Callable[[], Capacity] = lambda: ANY_SIZE
    licence: str = "not known"

    def licence_in_words(self) -> str:
        """Return what the licence allows on this machine."""
        limit = self.capacity().size_limit
        return self.licence if limit is None else f"size-limited, {limit} columns and rows"
