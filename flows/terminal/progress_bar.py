"""Progress of the fits on stderr: a bar on a terminal, a line now and then elsewhere."""

from __future__ import annotations

import math
import sys
import time
from collections.abc import Hashable
from threading import Event, Lock, Thread
from typing import Any, Self

from flows.terminal.time_left import TimeLeft, in_words

LINE_SECONDS = 10.0
"""Without a terminal, seconds between two lines about a step in progress."""


class ProgressBar:
    """A listener of `tasks.project.progress` that draws a bar, or writes lines.

    Parameters
    ----------
    line_seconds : float, optional
        Seconds between two lines where there is no terminal; by default none are written.
    """

    def __init__(self, line_seconds: float | None = None) -> None:
        self._lock = Lock()
        self._done: dict[Hashable, int] = {}
        self._best = 0.0
        self._total = 0
        self._left = TimeLeft()
        self._step, self._step_began = "start", time.monotonic()
        self._bar = _bar(self._left)
        self._task = self._bar.add_task("start", total=None, best="")
        self._lines = _Lines(self, None if self._bar.console.is_terminal else line_seconds)

    def __enter__(self) -> Self:
        self._bar.start()
        self._lines.start()
        return self

    def __exit__(self, *error: Any) -> None:
        self.close()

    def close(self) -> None:
        """Remove the bar from the screen."""
        self._lines.stop()
        self._bar.stop()

    def begin(self, total: int, deadline: float = math.inf) -> None:
        """Announce the number of fits, and the deadline by `time.monotonic`."""
        with self._lock:
            self._total = total
            self._left.begin(total, deadline)
        self._bar.update(self._task, total=total, completed=0)

    def fitted(self, part: Hashable, n_fits: int) -> None:
        """Report how many fits of one part are done."""
        with self._lock:
            self._done[part] = max(n_fits, self._done.get(part, 0))
            self._left.done(self._n_done)
            self._bar.update(self._task, completed=self._n_done)

    def scored(self, auc: float) -> None:
        """Report the mean validation AUC of a candidate."""
        with self._lock:
            self._best = max(self._best, auc)
            self._bar.update(self._task, best=f"best AUC {self._best:.4f}")

    def note(self, text: str) -> None:
        """Write a line on stderr, above the bar."""
        self._bar.console.print(text, markup=False, highlight=False, soft_wrap=True)

    def step(self, name: str) -> None:
        """Report that a step of the flow begins."""
        with self._lock:
            self._step, self._step_began = name, time.monotonic()
        self._bar.update(self._task, description=name)

    @property
    def _n_done(self) -> int:
        return sum(self._done.values())

    def seconds_of_step(self) -> float:
        """Return how long the current step has taken so far."""
        return time.monotonic() - self._step_began

    def line(self) -> str:
        """Return a line about the current step."""
        with self._lock:
            if self._step != "train" or not self._total:
                return f"{self._step}: {self.seconds_of_step():.0f} s so far"
            facts = [f"{self._n_done} of {self._total} fits"]
            if self._best:
                facts.append(f"best validation AUC {self._best:.2f}")
            facts.append(in_words(self._left.seconds()))
            return f"{self._step}: {', '.join(filter(None, facts))}"


class _Lines:
    """A thread that regularly writes a line about the step in progress."""

    def __init__(self, bar: ProgressBar, seconds: float | None) -> None:
        self._bar, self._seconds = bar, seconds
        self._stopped = Event()
        self._stream = sys.stderr

    def start(self) -> None:
        if self._seconds is not None:
            Thread(target=self._write, args=(self._seconds,), daemon=True).start()

    def stop(self) -> None:
        self._stopped.set()

    def _write(self, seconds: float) -> None:
        written = 0
        while not self._stopped.wait(seconds / 20):
            due = int(self._bar.seconds_of_step() / seconds)
            if due > written:
                print(self._bar.line(), file=self._stream, flush=True)
            written = due


def _bar(left: TimeLeft) -> Any:
    """Return the bar, which is not drawn where there is no terminal."""
    from rich.console import Console
    from rich.progress import (
        BarColumn,
        MofNCompleteColumn,
        Progress,
        ProgressColumn,
        TextColumn,
        TimeElapsedColumn,
    )
    from rich.text import Text

    class Left(ProgressColumn):
        def render(self, task: Any) -> Text:
            return Text(in_words(left.seconds()) if task.description == "train" else "")

    console = Console(stderr=True)
    return Progress(
        TextColumn("{task.description:<9}"),
        BarColumn(),
        MofNCompleteColumn(),
        TextColumn("{task.fields[best]}"),
        TimeElapsedColumn(),
        Left(),
        console=console,
        transient=True,
        disable=not console.is_terminal,
    )
