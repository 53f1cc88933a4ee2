"""Put the test part aside, and cut the rest into folds."""

from __future__ import annotations

import hashlib
from dataclasses import asdict, dataclass
from typing import Any

import numpy as np

from smoothrank.honest import honest_folds
from smoothrank.selection import paper_folds
from tasks.problem import Data, Indices, Problem, load_data


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
    """

    n_train: int
    n_test: int
    positives_train: int
    positives_test: int
    n_folds: int
    test_rows: str


def split(problem: Problem) -> dict[str, Any]:
    """Share out the rows; give how many went where.

    Raises
    ------
    SmoothrankError
        If there are too few rows of a class.
    """
    data = load_data(problem)
    rows = hashlib.sha256(np.sort(data.test).astype("<i8").tobytes()).hexdigest()
    return asdict(
        Parts(
            n_train=len(data.train),
            n_test=len(data.test),
            positives_train=int(np.sum(data.y[data.train] == 1)),
            positives_test=int(np.sum(data.y[data.test] == 1)),
            n_folds=len(folds(problem, data)),
            test_rows=rows,
        )
    )


def folds(problem: Problem, data: Data) -> list[tuple[Indices, Indices]]:
    """The folds of the training part, as places in it."""
    X, y = data.X[data.train], data.y[data.train]
    if problem.selection == "paper":
        return paper_folds(X, y)
    return honest_folds(y, problem.folds, problem.repeats, problem.fold_seed)
