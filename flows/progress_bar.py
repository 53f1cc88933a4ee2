"""The progress bar over the fits, on stderr, with the best validation AUC so far."""

from __future__ import annotations

from collections.abc import Hashable
from threading import Lock
from typing import Any, Self


class ProgressBar:
    """A listener of `tasks.progress` that draws, if a person is looking."""

    def __init__(self) -> None:
        from rich.console import Console
        from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn
        from rich.progress import TimeElapsedColumn as Elapsed

        console = Console(stderr=True)
        self._bar = Progress(
            TextColumn("{task.description:<9}"),
            BarColumn(),
            MofNCompleteColumn(),
            TextColumn("{task.fields[best]}"),
            Elapsed(),
            console=console,
            transient=True,
            disable=not console.is_terminal,
        )
        self._task = self._bar.add_task("start", total=None, best="")
        self._lock = Lock()
        self._done: dict[Hashable, int] = {}
        self._best = 0.0

    def __enter__(self) -> Self:
        self._bar.start()
        return self

    def __exit__(self, *error: Any) -> None:
        self.close()

    def close(self) -> None:
        """Take the bar off the screen."""
        self._bar.stop()

    def begin(self, total: int) -> None:
        """So many fits are to be made."""
        self._bar.update(self._task, total=total, completed=0)

    def fitted(self, part: Hashable, n_fits: int) -> None:
        """So many of the fits of one part are done."""
        with self._lock:
            self._done[part] = max(n_fits, self._done.get(part, 0))
            self._bar.update(self._task, completed=sum(self._done.values()))

    def scored(self, auc: float) -> None:
        """A candidate has this mean validation AUC."""
        with self._lock:
            self._best = max(self._best, auc)
            self._bar.update(self._task, best=f"best AUC {self._best:.4f}")

    def note(self, text: str) -> None:
        """Write a line on stderr, above the bar."""
        self._bar.console.print(text, markup=False, highlight=False, soft_wrap=True)

    def step(self, name: str) -> None:
        """A step of the flow begins."""
        self._bar.update(self._task, description=name)
