"""Train one value of C: some scalings on some folds, or every one on every fold.

Each finished fit is noted in a file, so that a run that was killed goes on after its last fit.
"""

from __future__ import annotations

import json
import math
import shutil
import time
from dataclasses import asdict, dataclass
from pathlib import Path

from smoothrank.selection.fold_fit import FoldFit, fit_fold
from tasks.problem.candidates import choice_of, make_estimator
from tasks.problem.folds import folds
from tasks.problem.problem import Problem, load_data
from tasks.project.home import state_folder
from tasks.project.progress import listener
from tasks.results.fits import Trained, fold_fit


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
    notes = _Notes(problem, value, share)
    clock = _Clock(deadline)
    fits: dict[str | None, list[FoldFit]] = {}
    for scale in share.scales:
        estimator = make_estimator(problem, value, scale)
        of_scale = fits.setdefault(scale, [])
        for number, (rows, validation) in enumerate(cut):
            fit = notes.read(scale, number)
            if fit is None:
                if clock.is_over():
                    break
                fit = fit_fold(estimator, X, y, rows, validation)
                notes.add(scale, number, fit)
                clock.took(fit.seconds)
            of_scale.append(fit)
            listener().fitted((value, scale), len(of_scale))
        if of_scale:
            listener().scored(choice_of(problem, {(value, scale): of_scale}).cv_auc_mean)
    return Trained(value, {scale: tuple(of_scale) for scale, of_scale in fits.items()})


def noted(problem: Problem, value: float, share: Share) -> Trained:
    """Return the fits of a share that are there, without making any."""
    return train(problem, value, share, deadline=-math.inf)


def is_whole(problem: Problem, share: Share, trained: Trained) -> bool:
    """Tell whether all fits of a share are there."""
    n_folds = len(folds(problem, load_data(problem), share.n_rows)[: share.n_folds])
    return all(len(fits) == n_folds for fits in trained.fits.values())


class _Clock:
    """Tells when there is no time for another fit, by how long the last one took."""

    def __init__(self, deadline: float) -> None:
        self._deadline = deadline
        self._last = 0.0

    def is_over(self) -> bool:
        return time.monotonic() + self._last > self._deadline

    def took(self, seconds: float) -> None:
        self._last = seconds


def fits_folder(problem: Problem, n_rows: int | None = None) -> Path:
    """Return where the finished fits of a problem, or of a sample of its rows, are noted."""
    return state_folder("fits", problem.key, *([] if n_rows is None else [str(n_rows)]))


def forget_fits(problem: Problem, *, keep_notes: bool = False) -> None:
    """Remove what a run that has ended left: Prefect keeps the results of whole shares.

    With `keep_notes` the same command goes on where its budget ended.
    """
    if not keep_notes:
        shutil.rmtree(fits_folder(problem), ignore_errors=True)
    shutil.rmtree(models_folder(problem), ignore_errors=True)


def models_folder(problem: Problem) -> Path:
    """Return where the model of a problem is kept until the run has ended."""
    return state_folder("models", problem.key)


class _Notes:
    """The finished fits of one value of C: a line of JSON each; a half-written one is ignored.

    Each share is noted in a file of its own, since two processes may be at work on one value; what
    any of them noted of the same rows is read.
    """

    def __init__(self, problem: Problem, value: float, share: Share) -> None:
        folder = fits_folder(problem, share.n_rows)
        scales = () if share.scales == problem.scales else share.scales
        self._path = folder / ("_".join([repr(value), *(s or "none" for s in scales)]) + ".jsonl")
        _mend(self._path)
        of_value = [p for p in folder.glob("*.jsonl") if p.stem.split("_")[0] == repr(value)]
        self._known: dict[tuple[str | None, int], FoldFit] = {}
        for path in sorted(of_value):
            self._known |= _noted_fits(path)

    def read(self, scale: str | None, fold: int) -> FoldFit | None:
        return self._known.get((scale, fold))

    def add(self, scale: str | None, fold: int, fit: FoldFit) -> None:
        record = {"scale": scale, "fold": fold, "fit": asdict(fit)}
        with self._path.open("a", encoding="utf-8") as file:
            file.write(json.dumps(record) + "\n")


def _mend(path: Path) -> None:
    """Cut off a half-written last line."""
    text = path.read_text("utf-8") if path.exists() else ""
    whole = text[: text.rfind("\n") + 1]
    if whole != text:
        path.write_text(whole, "utf-8")


def _noted_fits(path: Path) -> dict[tuple[str | None, int], FoldFit]:
    """Return the fits of a file by scaling and fold."""
    text = path.read_text("utf-8") if path.exists() else ""
    records = map(json.loads, text[: text.rfind("\n") + 1].splitlines())
    return {(one["scale"], one["fold"]): fold_fit(one["fit"]) for one in records}
