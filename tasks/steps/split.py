"""Put the test part aside, and cut the rest into folds."""

from __future__ import annotations

from dataclasses import asdict, dataclass
from typing import Any

import numpy as np

from tasks.problem.folds import folds, rows_checksum
from tasks.problem.problem import Problem, load_data
from tasks.problem.split_rule import write_rule
from tasks.project.progress import listener


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
