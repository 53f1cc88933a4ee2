"""Who is told how far the fits are: nobody, unless a listener is set."""

from __future__ import annotations

from collections.abc import Hashable, Iterator
from contextlib import contextmanager
from typing import Protocol


class Listener(Protocol):
    """What is told; calls come from several threads."""

    def begin(self, total: int) -> None:
        """So many fits are to be made."""

    def fitted(self, part: Hashable, n_fits: int) -> None:
        """So many of the fits of one part, such as a value of C, are done."""

    def scored(self, auc: float) -> None:
        """A candidate has this mean validation AUC."""

    def step(self, name: str) -> None:
        """A step of the flow begins."""


class _Nobody:
    def begin(self, total: int) -> None: ...
    def fitted(self, part: Hashable, n_fits: int) -> None: ...
    def scored(self, auc: float) -> None: ...
    def step(self, name: str) -> None: ...


_listeners: list[Listener] = [_Nobody()]


def listener() -> Listener:
    """The present listener."""
    return _listeners[-1]


def set_listener(new: Listener) -> None:
    """Let a listener be told from now on."""
    _listeners.append(new)


@contextmanager
def listening(new: Listener) -> Iterator[None]:
    """Let a listener be told while the block runs."""
    set_listener(new)
    try:
        yield
    finally:
        _listeners.remove(new)
