"""Who is told how far the fits are: nobody, unless a listener is set."""

from __future__ import annotations

import math
from collections.abc import Hashable, Iterator
from contextlib import contextmanager
from typing import Protocol


class Listener(Protocol):
    """What is told; calls come from several threads."""

    def begin(self, total: int, deadline: float = math.inf) -> None:
        """So many fits are to be made, before a time by `time.monotonic`."""

    def fitted(self, part: Hashable, n_fits: int) -> None:
        """So many of the fits of one part, such as a value of C, are done."""

    def scored(self, auc: float) -> None:
        """A candidate has this mean validation AUC."""

    def step(self, name: str) -> None:
        """A step of the flow begins."""

    def note(self, text: str) -> None:
        """A line that the user should read, such as a warning about the data."""


class Nobody:
    """A listener to whom nothing matters."""

    def begin(self, total: int, deadline: float = math.inf) -> None:
        """Pass over it."""

    def fitted(self, part: Hashable, n_fits: int) -> None:
        """Pass over it."""

    def scored(self, auc: float) -> None:
        """Pass over it."""

    def step(self, name: str) -> None:
        """Pass over it."""

    def note(self, text: str) -> None:
        """Pass over it."""


_listeners: list[Listener] = [Nobody()]


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
