"""Progress of a comparison: a bar in a terminal, else a line a minute, both with the time left."""

from __future__ import annotations

import sys
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager

from flows.terminal.time_left import in_words

SECONDS_BETWEEN_LINES = 60.0
PACE_SECONDS = 600.0


@contextmanager
def progress(total: int, done: int) -> Iterator[Callable[[], None]]:
    """Show how many of the results are there; yield what is called after each new one."""
    from rich.console import Console

    if Console(stderr=True).is_terminal:
        with _bar(total, done) as advance:
            yield advance
    else:
        yield Lines(total, done).advance


@contextmanager
def _bar(total: int, done: int) -> Iterator[Callable[[], None]]:
    from rich.console import Console
    from rich.progress import (
        BarColumn,
        MofNCompleteColumn,
        Progress,
        TextColumn,
        TimeElapsedColumn,
        TimeRemainingColumn,
    )

    columns = (TextColumn("results"), BarColumn(), MofNCompleteColumn(), TimeElapsedColumn())
    left = (TimeRemainingColumn(), TextColumn("left"))
    with Progress(
        *columns,
        *left,
        console=Console(stderr=True),
        transient=True,
        speed_estimate_period=PACE_SECONDS,
    ) as bar:
        task = bar.add_task("results", total=total, completed=done)
        yield lambda: bar.advance(task)


class Lines:
    """Lines on stderr about the progress, at most one a minute.

    Parameters
    ----------
    total, done : int
        How many results there will be, and how many there are.
    clock : callable
        Seconds that never go back.
    """

    def __init__(self, total: int, done: int, clock: Callable[[], float] = time.monotonic) -> None:
        self._total, self._before, self._done, self._clock = total, done, done, clock
        self._began = self._said = clock()

    def advance(self) -> None:
        """Count a result, and say so if a minute has passed."""
        self._done += 1
        now = self._clock()
        if now - self._said >= SECONDS_BETWEEN_LINES:
            self._said = now
            print(self.text(), file=sys.stderr, flush=True)

    def text(self) -> str:
        """Return how many results there are, and the time left at the pace so far."""
        pace = (self._clock() - self._began) / max(1, self._done - self._before)
        left = in_words(pace * (self._total - self._done))
        return f"{self._done} of {self._total} results, {left}"
