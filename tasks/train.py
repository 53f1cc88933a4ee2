"""Train one value of C: every scaling on every fold.

Each finished fit is noted in a file, so that a run that was killed goes on after its last fit.
"""

from __future__ import annotations

import json
import shutil
from collections.abc import Sequence
from dataclasses import asdict
from pathlib import Path
from typing import Any

from smoothrank.experiment import with_settings
from smoothrank.honest import Choice, FoldFit, choose_honest, choose_paper, fit_fold
from smoothrank.methods import method
from tasks.home import state_folder
from tasks.problem import Problem, load_data
from tasks.progress import listener
from tasks.split import folds

Trained = dict[str, Any]
"""A value of C and its fits, as plain values."""


def train(problem: Problem, value: float) -> Trained:
    """Fit one value of C with every scaling on every fold.

    Parameters
    ----------
    problem : Problem
        What is to be learnt.
    value : float
        C, or whatever the method's parameter is.

    Returns
    -------
    dict
        `value`, and for each scaling the fits of all folds.
    """
    data = load_data(problem)
    X, y = data.X[data.train], data.y[data.train]
    notes = _Notes(problem, value)
    done: list[FoldFit] = []
    fits: dict[str, list[dict[str, Any]]] = {}
    for scale in problem.scales:
        estimator = make_estimator(problem, value, scale)
        of_scale = []
        for number, (rows, validation) in enumerate(folds(problem, data)):
            fit = notes.read(scale, number)
            if fit is None:
                fit = fit_fold(estimator, X, y, rows, validation)
                notes.add(scale, number, fit)
            of_scale.append(fit)
            listener().fitted(value, len(done) + len(of_scale))
        listener().scored(choice_of(problem, {(value, scale): of_scale}).cv_auc_mean)
        done += of_scale
        fits[scale or "none"] = [asdict(fit) for fit in of_scale]
    return {"value": value, "fits": fits}


def make_estimator(
    problem: Problem, value: float, scale: str | None, n_prototypes: int | None = None
) -> Any:
    """The method's estimator for one candidate."""
    chosen = method(problem.method)
    settings = (problem.selection, scale, problem.solver, n_prototypes)
    return with_settings(chosen, *settings).make(value)


def choice_of(
    problem: Problem, fits: dict[tuple[float, str | None], Sequence[FoldFit]] | Any
) -> Choice:
    """Choose among candidates by the problem's rule."""
    if problem.selection == "paper":
        return choose_paper(fits, method(problem.method).selection)
    return choose_honest(fits)


def fits_folder(problem: Problem) -> Path:
    """Where the finished fits of a problem are noted."""
    return state_folder("fits", problem.key)


def forget_fits(problem: Problem) -> None:
    """Remove the notes of a run that has ended; Prefect keeps the results."""
    shutil.rmtree(fits_folder(problem), ignore_errors=True)
    shutil.rmtree(state_folder("models") / problem.key, ignore_errors=True)


class _Notes:
    """The finished fits of one value of C: a line of JSON each; a half-written one is ignored."""

    def __init__(self, problem: Problem, value: float) -> None:
        self._path = fits_folder(problem) / f"{value!r}.jsonl"
        text = self._path.read_text("utf-8") if self._path.exists() else ""
        whole = text[: text.rfind("\n") + 1]
        if whole != text:
            self._path.write_text(whole, "utf-8")
        records = [json.loads(line) for line in whole.splitlines()]
        self._known = {(record["scale"], record["fold"]): record["fit"] for record in records}

    def read(self, scale: str | None, fold: int) -> FoldFit | None:
        found = self._known.get((scale, fold))
        return None if found is None else fold_fit(found)

    def add(self, scale: str | None, fold: int, fit: FoldFit) -> None:
        record = {"scale": scale, "fold": fold, "fit": asdict(fit)}
        with self._path.open("a", encoding="utf-8") as file:
            file.write(json.dumps(record) + "\n")


def fold_fit(record: dict[str, Any]) -> FoldFit:
    """A fit from its plain values."""
    return FoldFit(**{**record, "auc_by_iteration": tuple(record["auc_by_iteration"])})
