"""Finished fits, recorded on disk so that a killed run resumes after its last fit."""

from __future__ import annotations

import json
import shutil
from collections.abc import Sequence
from contextlib import suppress
from dataclasses import asdict
from pathlib import Path

from smoothrank.datasets.catalogue.fetch import write_whole
from smoothrank.selection.fold_fit import FoldFit
from tasks.problem.problem import Problem
from tasks.project.paths import state_folder
from tasks.results.fits import fold_fit

DAMAGED = ".damaged"


def fits_folder(problem: Problem, n_rows: int | None = None) -> Path:
    """Return where the finished fits of a problem, or of a sample of its rows, are noted."""
    return state_folder("fits", problem.key, *([] if n_rows is None else [str(n_rows)]))


def forget_fits(problem: Problem, *, keep_notes: bool = False) -> None:
    """Remove what a finished run left: Prefect keeps the results of complete shares.

    With `keep_notes` the same command resumes where its budget ran out.
    """
    if not keep_notes:
        shutil.rmtree(fits_folder(problem), ignore_errors=True)
    shutil.rmtree(models_folder(problem), ignore_errors=True)


def models_folder(problem: Problem) -> Path:
    """Return where the model of a problem is kept until the run has ended."""
    return state_folder("models", problem.key)


class FitNotes:
    """The finished fits of one value of C: a line of JSON each; a half-written one is ignored.

    A file with a damaged line is set aside as `NAME.damaged`, and its other lines are kept.

    Each writer has a file of its own, since two processes may be at work on one value; what any of
    them noted of the same rows is read.

    Parameters
    ----------
    problem : Problem
        What is to be learnt.
    value : float
        The value of C.
    n_rows : int or None
        Rows of the sample that the folds are cut from; None for all.
    writer : sequence of str
        What distinguishes this writer from others of the same value.
    """

    def __init__(
        self, problem: Problem, value: float, n_rows: int | None, writer: Sequence[str] = ()
    ) -> None:
        folder = fits_folder(problem, n_rows)
        self._path = folder / ("_".join([repr(value), *writer]) + ".jsonl")
        _mend(self._path)
        of_value = [p for p in folder.glob("*.jsonl") if p.stem.split("_")[0] == repr(value)]
        self._known: dict[tuple[str | None, int], FoldFit] = {}
        for path in sorted(of_value):
            self._known |= _noted_fits(path)

    def read(self, scale: str | None, fold: int) -> FoldFit | None:
        """Return a recorded fit."""
        return self._known.get((scale, fold))

    def add(self, scale: str | None, fold: int, fit: FoldFit) -> None:
        """Record a fit."""
        record = {"scale": scale, "fold": fold, "fit": asdict(fit)}
        with self._path.open("a", encoding="utf-8") as file:
            file.write(json.dumps(record) + "\n")


def _mend(path: Path) -> None:
    """Cut off a half-written last line."""
    content = path.read_bytes() if path.exists() else b""
    whole = content[: content.rfind(b"\n") + 1]
    if whole != content:
        path.write_bytes(whole)


def _noted_fits(path: Path) -> dict[tuple[str | None, int], FoldFit]:
    """Return the fits of a file by scaling and fold; a damaged file is set aside."""
    text = path.read_text("utf-8", "replace") if path.exists() else ""
    lines = text[: text.rfind("\n") + 1].splitlines(keepends=True)
    found: dict[tuple[str | None, int], FoldFit] = {}
    sound = []
    for line in lines:
        with suppress(ValueError, TypeError, KeyError):
            one = json.loads(line)
            found[one["scale"], int(one["fold"])] = fold_fit(one["fit"])
            sound.append(line)
    if len(sound) < len(lines):
        path.rename(path.with_suffix(DAMAGED))
        write_whole(path, "".join(sound).encode())
    return found
