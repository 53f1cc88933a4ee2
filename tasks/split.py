"""Put the test part aside, and cut the rest into folds."""

from __future__ import annotations

import hashlib
from dataclasses import asdict, dataclass
from typing import Any

import numpy as np

from smoothrank.folds import Folds, forward_folds, grouped_folds
from smoothrank.halving import stratified_sample
from smoothrank.honest import honest_folds
from smoothrank.selection import paper_folds
from tasks.problem import Data, Problem, load_data
from tasks.progress import listener
from tasks.share_out import Indices
from tasks.split_rule import write_rule


@dataclass(frozen=True)
class Parts:
    """How the rows were shared out.

    Parameters
    ----------
    n_train, n_test : int
        Rows of each part.
    positives_train, positives_test : int
        Positive rows among them.
    n_folds : int
        Folds, all repeats counted.
    test_rows : str
        A checksum of the numbers of the test rows.
    split_by : str
        What decides a row's part: its content, an id, a group, a time, or chance.
    split_note : str
        Why a new split was drawn although there was one; else empty.
    """

    n_train: int
    n_test: int
    positives_train: int
    positives_test: int
    n_folds: int
    test_rows: str
    split_by: str
    split_note: str


def split(problem: Problem) -> dict[str, Any]:
    """Share out the rows, and store the rule; return how many went where.

    Raises
    ------
    SmoothrankError
        If there are too few rows of a class.
    """
    data = load_data(problem)
    n_folds = len(folds(problem, data))
    if problem.stable and data.shares.rule != problem.stored:
        write_rule(problem.name, data.shares.rule)
    if data.shares.note:
        listener().note(data.shares.note)
    return asdict(
        Parts(
            n_train=len(data.train),
            n_test=len(data.test),
            positives_train=int(np.sum(data.y[data.train] == 1)),
            positives_test=int(np.sum(data.y[data.test] == 1)),
            n_folds=n_folds,
            test_rows=rows_checksum(data.test),
            split_by=" ".join(filter(None, problem.split_key)),
            split_note=data.shares.note,
        )
    )


def rows_checksum(rows: Indices) -> str:
    """Return a checksum of the numbers of rows."""
    return hashlib.sha256(np.sort(rows).astype("<i8").tobytes()).hexdigest()


def folds(problem: Problem, data: Data, n_rows: int | None = None) -> Folds:
    """The folds of the training part, or of a sample of so many of its rows, as places in it."""
    y = data.y[data.train]
    if problem.selection == "paper":
        return paper_folds(data.X[data.train], y)
    if n_rows is None:
        return honest_folds_of(problem, data, data.train)
    drawn = stratified_sample(y, n_rows, problem.fold_seed)
    cut = honest_folds_of(problem, data, data.train[drawn])
    return [(drawn[rows], drawn[validation]) for rows, validation in cut]


def honest_folds_of(problem: Problem, data: Data, rows: Indices) -> Folds:
    """The folds of some rows, as places among them: groups stay whole, the past comes first."""
    y = data.y[rows]
    if data.shares.groups is not None:
        groups = data.shares.groups[rows]
        return grouped_folds(y, groups, problem.folds, problem.repeats, problem.fold_seed)
    if data.shares.times is not None:
        return forward_folds(y, data.shares.times[rows], problem.folds)
    return honest_folds(y, problem.folds, problem.repeats, problem.fold_seed)
