"""The search as Prefect tasks: one for each value in each round, while time is left."""

from __future__ import annotations

import math
import time
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from smoothrank.selection.choice import Candidate
from smoothrank.selection.fold_fit import FoldFit
from smoothrank.selection.halving import best_candidates
from smoothrank.selection.methods import method
from tasks.problem.problem import Problem, load_data
from tasks.project.progress import listener
from tasks.results.fits import Trained, all_fits
from tasks.results.search import DroppedCandidate, SearchRecord
from tasks.steps.search import (
    TAIL_SECONDS,
    budget_of,
    first_shares,
    in_comparison,
    left_out_in,
    n_fits_of_all,
    next_shares,
    not_planned,
    plan_of,
    refit_seconds,
)
from tasks.steps.train import Share, is_whole, noted


@dataclass(frozen=True)
class Searched:
    """The result of a search.

    Parameters
    ----------
    trained : list of Trained
        The fits of each value that was tried, in the order of the values.
    untracked : list of Trained
        Those among them that are still to be tracked.
    finalists : tuple of Candidate
        The candidates to choose from.
    record : SearchRecord
        What was tried, and what was left out.
    """

    trained: list[Trained]
    untracked: list[Trained]
    finalists: tuple[Candidate, ...]
    record: SearchRecord


class Search:
    """A search that has begun.

    Parameters
    ----------
    problem : Problem
        What is to be learnt.
    task : Prefect task
        Trains `(problem, value, share, deadline, label)`.
    began : float
        When the budget began, by `time.monotonic`.
    """

    def __init__(self, problem: Problem, task: Any, began: float) -> None:
        self._problem, self._task, self._began = problem, task, began
        self._plan, self._budget = plan_of(problem), budget_of(problem)
        self._started = time.monotonic()
        self._fits: dict[Candidate, list[FoldFit]] = {}
        values = self._plan.values(problem.grid)
        self._present = [(value, s) for value in values for s in problem.scales]
        self._left_out: list[DroppedCandidate] = not_planned(problem, self._plan)
        self._number = 0
        self._ended_early = False
        self._finished: list[float] = []
        self._tracked: set[float] = set()
        listener().begin(self._plan.n_fits, self._deadline())
        self._running = self._submit(first_shares(problem, self._plan))

    def finish(self, track: Callable[[Trained], None]) -> Searched:
        """Wait for all rounds; values that need no more fits are tracked meanwhile."""
        self._wait(track)
        while self._number + 1 < len(self._plan.rounds) and not self._ended_early:
            self._drop(self._plan.rounds[self._number + 1].n_candidates)
            self._number += 1
            shares = next_shares(self._problem, self._plan, self._number, self._present)
            self._running = self._submit(shares)
            self._wait(track)
        return self._searched()

    def _deadline(self) -> float:
        """Return when to stop, so that there is time for the refit and what follows.

        Search and refit have at least half of the budget, however long the steps before took.
        """
        if self._budget is None:
            return math.inf
        refit = refit_seconds(self._problem, self._fits, self._plan.n_rows)
        end = self._began + self._budget - refit - TAIL_SECONDS
        return max(end, self._started + self._budget / 2 - refit)

    def _submit(self, shares: list[tuple[float, Share]]) -> list[tuple[float, Share, Any]]:
        """Start the work of a round; the first task runs however little time is left."""
        round_ = "" if len(self._plan.rounds) == 1 else f" round {self._number + 1}"
        deadline = self._deadline()
        running = []
        for place, (value, share) in enumerate(shares):
            is_needed = self._number == 0 and place == 0
            end = math.inf if is_needed else deadline
            label = method(self._problem.method).label(value) + round_
            future = self._task.submit(self._problem, value, share, end, label)
            running.append((value, share, future))
        return running

    def _wait(self, track: Callable[[Trained], None]) -> None:
        """Wait for the tasks of a round, and meanwhile track what needs no more fits."""
        waiting = [value for value, _, _ in self._running]
        is_last = self._number + 1 == len(self._plan.rounds)
        cut: list[tuple[float, Share]] = []
        for value, share, future in self._running:
            self._track(track)
            future.wait()
            if future.state.is_cancelled():
                cut.append((value, share))
                continue
            self._add(Trained.from_json(future.result()))
            waiting.remove(value)
            if is_last and value not in waiting:
                self._finished.append(value)
        self._read(cut)

    def _track(self, track: Callable[[Trained], None]) -> None:
        while self._finished:
            value = self._finished.pop(0)
            if value not in self._tracked and (of_value := self._of_value(value)).fits:
                self._tracked.add(value)
                track(of_value)

    def _read(self, cut: list[tuple[float, Share]]) -> None:
        """Add what was fitted of shares cut short by the budget, by whichever process."""
        for value, share in cut:
            made = noted(self._problem, value, share)
            self._ended_early |= not is_whole(self._problem, share, made)
            self._add(made)

    def _add(self, record: Trained) -> None:
        for (value, scale), fits in all_fits([record]).items():
            self._fits[value, scale] = fits
            listener().fitted((value, scale), len(fits))

    def _drop(self, n_kept: int) -> None:
        """Keep the best candidates; values without any candidate left need no more fits."""
        before = self._present
        compared = in_comparison(self._fits, before, self._number + 1)
        self._present = list(best_candidates(compared, n_kept))
        self._left_out += left_out_in(self._fits, before, self._present, self._number + 1)
        going_on = {value for value, _ in self._present}
        self._finished += [value for value in self._problem.grid if value not in going_on]

    def _of_value(self, value: float) -> Trained:
        fits = {
            scale: tuple(self._fits[value, scale])
            for scale in self._problem.scales
            if self._fits.get((value, scale))
        }
        return Trained(value, fits)

    def _trained(self) -> list[Trained]:
        found = [self._of_value(value) for value in self._problem.grid]
        return [record for record in found if record.fits]

    def _searched(self) -> Searched:
        compared = in_comparison(self._fits, self._present, self._number + 1)
        left_out = left_out_in(self._fits, self._present, tuple(compared), self._number + 1)
        trained = self._trained()
        record = SearchRecord(
            budget=self._budget,
            seconds=time.monotonic() - self._started,
            n_rows=self._plan.n_rows,
            n_train=len(load_data(self._problem).train),
            n_fits=sum(map(len, self._fits.values())),
            n_fits_of_all=n_fits_of_all(self._problem),
            rounds=self._plan.rounds[: self._number + 1],
            left_out=(*self._left_out, *left_out),
            n_finalists=len(compared),
            n_folds=min(map(len, compared.values())),
            ended_early=self._ended_early,
        )
        untracked = [one for one in trained if one.value not in self._tracked]
        return Searched(trained, untracked, tuple(compared), record)
