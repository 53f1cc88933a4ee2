"""Commands that are killed at random moments, up to three times, until they may end."""

from __future__ import annotations

import os
import secrets
import subprocess
import time
from collections.abc import Callable, Iterator

import numpy as np

from tests.support.faults.disturbed import EVERYTHING, DisturbedProject, Ended, ended, kill

KILLS = int(os.environ.get("SMOOTHRANK_KILLS", "50" if EVERYTHING else "1"))
MOST_IN_A_ROW = 3
SEED = "SMOOTHRANK_FAULTS_SEED"
"""The variable that repeats the moments of an earlier run, which prints it."""


class Killer:
    """Starts commands and kills them, until all kills are made."""

    def __init__(self) -> None:
        self.made = self.rounds = 0
        self.seconds = 10.0
        self.seed = int(os.environ.get(SEED, secrets.randbelow(10**6)))
        self._chance = np.random.default_rng(self.seed)

    def timed(self, project: DisturbedProject, *arguments: str) -> Ended:
        """Run a command undisturbed; the moments lie within the time that it takes."""
        begin = time.monotonic()
        found = project.run(*arguments)
        self.seconds = time.monotonic() - begin
        return found

    def rounds_left(self) -> Iterator[int]:
        """Yield the numbers of rounds until all kills are made."""
        while self.made < KILLS:
            yield self.rounds
            self.rounds += 1
            print(self, flush=True)

    def disturbed(
        self, project: DisturbedProject, arguments: tuple[str, ...], check: Callable[[], None]
    ) -> Ended:
        """Kill a command up to three times, then let it end."""
        for _ in range(min(int(self._chance.integers(1, MOST_IN_A_ROW + 1)), KILLS - self.made)):
            process, begin = project.start(*arguments), time.monotonic()
            try:
                process.wait(self._chance.uniform(0.0, self.seconds))
            except subprocess.TimeoutExpired:
                kill(process)
                self.made += 1
                check()
            else:  # it was over: moments are drawn from a shorter time
                self.seconds = min(self.seconds, time.monotonic() - begin)
                return ended(process)
        return project.run(*arguments)

    def __str__(self) -> str:
        """Say what was done."""
        return f"{self.made} kills in {self.rounds} rounds ({SEED}={self.seed})"
