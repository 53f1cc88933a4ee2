"""Train one value of C: some scalings on some folds, or every one on every fold.

Each finished fit is recorded in a file, so that a killed run resumes after its last fit.
"""

from __future__ import annotations

import math
import time
from dataclasses import dataclass
from pathlib import Path

from smoothrank.selection.fold_fit import FoldFit, fit_grid_on_fold
from smoothrank.selection.methods import method
from tasks.problem.candidates import choice_of, method_for
from tasks.problem.folds import folds
from tasks.problem.problem import Problem, load_data
from tasks.project.locks import is_locked, locked_file
from tasks.project.progress import listener
from tasks.results.fits import Trained
from tasks.workers.fit_notes import FitNotes, fits_folder


@dataclass(frozen=True)
class Share:
    """What is fitted of one value of C in a round.

    Parameters
    ----------
    scales : tuple of str or None
        The scalings.
    n_folds : int, optional
        The first so many folds; all of them unless given.
    n_rows : int, optional
        Rows of the sample that the folds are cut from; all unless given.
    """

    scales: tuple[str | None, ...]
    n_folds: int | None = None
    n_rows: int | None = None


def train(
    problem: Problem, value: float, share: Share | None = None, deadline: float = math.inf
) -> Trained:
    """Fit one value of C with some scalings on some folds.

    Parameters
    ----------
    problem : Problem
        What is to be learnt.
    value : float
        C, or whatever the method's parameter is.
    share : Share, optional
        Which scalings and folds; every scaling on every fold unless given.
    deadline : float
        When to stop, by `time.monotonic`: no fit is begun that would end later.

    Returns
    -------
    Trained
        The value, and for each scaling the fits of its folds in their order.
    """
    share = share or Share(problem.scales)
    data = load_data(problem)
    X, y = data.X[data.train], data.y[data.train]
    cut = folds(problem, data, share.n_rows)[: share.n_folds]
    clock = _Clock(deadline)
    if method(problem.method).has_path:
        _fit_paths(problem, value, share, clock)
    writer = () if share.scales == problem.scales else [scale or "none" for scale in share.scales]
    notes = FitNotes(problem, value, share.n_rows, writer)
    fits: dict[str | None, list[FoldFit]] = {}
    for scale in share.scales:
        chosen = method_for(problem, scale)
        of_scale = fits.setdefault(scale, [])
        for number, (rows, validation) in enumerate(cut):
            fit = notes.read(scale, number)
            if fit is None:
                if clock.is_over():
                    break
                (fit,) = fit_grid_on_fold(chosen, X, y, rows, validation, (value,))
                notes.add(scale, number, fit)
                clock.took(fit.seconds)
            of_scale.append(fit)
            listener().fitted((value, scale), len(of_scale))
        if of_scale:
            listener().scored(choice_of(problem, {(value, scale): of_scale}).cv_auc_mean)
    return Trained(value, {scale: tuple(of_scale) for scale, of_scale in fits.items()})


def values_of_a_pass(problem: Problem) -> int:
    """Return how many values are fitted together: the whole grid, or one by one."""
    return len(problem.grid) if method(problem.method).has_path else 1


def noted(problem: Problem, value: float, share: Share) -> Trained:
    """Return the existing fits of a share, without making any."""
    return train(problem, value, share, deadline=-math.inf)


def is_whole(problem: Problem, share: Share, trained: Trained) -> bool:
    """Return whether all fits of a share exist."""
    n_folds = len(folds(problem, load_data(problem), share.n_rows)[: share.n_folds])
    return all(len(fits) == n_folds for fits in trained.fits.values())


class _Clock:
    """Decides whether there is time for another fit, by how long the last one took."""

    def __init__(self, deadline: float) -> None:
        self._deadline = deadline
        self._last = 0.0

    def is_over(self) -> bool:
        return time.monotonic() + self._last > self._deadline

    def took(self, seconds: float) -> None:
        self._last = seconds


def _fit_paths(problem: Problem, value: float, share: Share, clock: _Clock) -> None:
    """Fit the whole grid on each fold in one pass, and record the fits of every value.

    A fold that another process works on is left to it, and awaited when there is no other.
    """
    n_folds = len(folds(problem, load_data(problem), share.n_rows)[: share.n_folds])
    waiting = [(scale, number) for scale in share.scales for number in range(n_folds)]
    while waiting:
        free = [one for one in waiting if not is_locked(_lock_of(problem, share, *one))]
        scale, number = (free or waiting)[0]
        waiting.remove((scale, number))
        with locked_file(_lock_of(problem, share, scale, number)):
            fit = FitNotes(problem, value, share.n_rows).read(scale, number)
            if fit is not None:
                clock.took(fit.seconds * values_of_a_pass(problem))
            elif clock.is_over():
                break
            else:
                clock.took(_fit_path(problem, share, scale, number))


def _lock_of(problem: Problem, share: Share, scale: str | None, number: int) -> Path:
    return fits_folder(problem, share.n_rows) / f"path_{scale or 'none'}_{number}.lock"


def _fit_path(problem: Problem, share: Share, scale: str | None, number: int) -> float:
    """Fit the grid on one fold, record the fits, and return the seconds it took."""
    data = load_data(problem)
    rows, validation = folds(problem, data, share.n_rows)[number]
    chosen = method_for(problem, scale)
    X, y = data.X[data.train], data.y[data.train]
    made = fit_grid_on_fold(chosen, X, y, rows, validation, problem.grid)
    for value, fit in zip(problem.grid, made, strict=True):
        writer = ("path", scale or "none", str(number))
        FitNotes(problem, value, share.n_rows, writer).add(scale, number, fit)
        listener().fitted((value, scale), number + 1)
    return sum(fit.seconds for fit in made)
