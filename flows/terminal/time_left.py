"""The remaining time of the fits, estimated from the pace of the last seconds."""

from __future__ import annotations

import math
import time
from collections import deque
from collections.abc import Callable

WINDOW_SECONDS = 20.0


class TimeLeft:
    """An estimate that ends with the budget.

    Parameters
    ----------
    clock : callable
        Seconds that never go back.
    """

    def __init__(self, clock: Callable[[], float] = time.monotonic) -> None:
        self._clock = clock
        self._total, self._deadline = 0, math.inf
        self._seen: deque[tuple[float, int]] = deque()

    def begin(self, total: int, deadline: float) -> None:
        """Start with a number of fits, and a deadline by the clock."""
        self._total, self._deadline = total, deadline
        self._seen = deque([(self._clock(), 0)])

    def done(self, n_fits: int) -> None:
        """Record how many fits are done."""
        now = self._clock()
        self._seen.append((now, n_fits))
        while len(self._seen) > 2 and self._seen[1][0] <= now - WINDOW_SECONDS:
            self._seen.popleft()

    def seconds(self) -> float | None:
        """Return the seconds that are left, or None before the first fit."""
        if len(self._seen) < 2:
            return None
        (first, before), (last, made) = self._seen[0], self._seen[-1]
        now = self._clock()
        pace = (made - before) / max(last - first, 1e-9)
        needed = (self._total - made) / pace - (now - last) if pace > 0 else math.inf
        left = max(0.0, min(needed, self._deadline - now))
        return left if math.isfinite(left) else None


def in_words(seconds: float | None) -> str:
    """Return the remaining time in words, as exactly as it is known."""
    if seconds is None:
        return ""
    if seconds < 90:
        return f"about {max(1, round(seconds))} s left"
    return f"about {round(seconds / 60)} min left"
