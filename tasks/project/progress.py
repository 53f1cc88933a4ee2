"""Progress reports go to the listener that is set; by default nobody listens."""

from __future__ import annotations

import math
from collections.abc import Hashable, Iterator
from contextlib import contextmanager
from typing import Protocol


class Listener(Protocol):
    """What a listener receives; calls come from several threads."""

    def begin(self, total: int, deadline: float = math.inf) -> None:
        """Announce the number of fits, and the deadline by `time.monotonic`."""

    def fitted(self, part: Hashable, n_fits: int) -> None:
        """Report how many fits of one part, such as a value of C, are done."""

    def scored(self, auc: float) -> None:
        """Report the mean validation AUC of a candidate."""

    def step(self, name: str) -> None:
        """Report that a step of the flow begins."""

    def note(self, text: str) -> None:
        """Report a line that the user should read, such as a warning about the data."""


class Nobody:
    """A listener that ignores everything."""

    def begin(self, total: int, deadline: float = math.inf) -> None:
        """Ignore it."""

    def fitted(self, part: Hashable, n_fits: int) -> None:
        """Ignore it."""

    def scored(self, auc: float) -> None:
        """Ignore it."""

    def step(self, name: str) -> None:
        """Ignore it."""

    def note(self, text: str) -> None:
        """Ignore it."""


_listeners: list[Listener] = [Nobody()]


def listener() -> Listener:
    """Return the current listener."""
    return _listeners[-1]


def set_listener(new: Listener) -> None:
    """Report to a listener from now on."""
    _listeners.append(new)


@contextmanager
def listening(new: Listener) -> Iterator[None]:
    """Report to a listener while the block runs."""
    set_listener(new)
    try:
        yield
    finally:
        _listeners.remove(new)
