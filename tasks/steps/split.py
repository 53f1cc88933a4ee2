"""Hold out the test part, and cut the rest into folds."""

from __future__ import annotations

import numpy as np

from tasks.problem.folds import folds, rows_checksum
from tasks.problem.problem import Problem, load_data
from tasks.problem.split_rule import write_rule
from tasks.problem.user_file import forget_user_files
from tasks.project.progress import listener
from tasks.results.split import SplitSummary


def split(problem: Problem) -> SplitSummary:
    """Split the rows, and store the rule; return the size of each part.

    Later steps have the rows of the problem, and no longer need the file.

    Raises
    ------
    SmoothrankError
        If there are too few rows of a class.
    """
    data = load_data(problem)
    forget_user_files()
    n_folds = len(folds(problem, data))
    if problem.stable and data.split.rule != problem.stored:
        write_rule(problem.name, data.split.rule)
    if data.split.note:
        listener().note(data.split.note)
    return SplitSummary(
        n_train=len(data.train),
        n_test=len(data.test),
        positives_train=int(np.sum(data.y[data.train] == 1)),
        positives_test=int(np.sum(data.y[data.test] == 1)),
        n_folds=n_folds,
        test_rows=rows_checksum(data.test),
        split_by=" ".join(filter(None, problem.split_key)),
        split_note=data.split.note,
    )
