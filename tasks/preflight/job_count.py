"""How many processes a retraining is worth; unusable data is refused on the way."""

from __future__ import annotations

from pathlib import Path

from smoothrank.datasets.files.paths import find_files
from smoothrank.errors import SmoothrankError
from smoothrank.tables.encoder import ColumnOptionError
from tasks.problem.problem import Problem
from tasks.steps.search import fitting_seconds, plan_of
from tasks.validation.suites.location import suite_path_of

FEW_SECONDS = 18.0
"""Estimated CPU time up to which a second process costs more than it saves."""

LARGE_FILE = 2_000_000
"""Bytes from which a file surely has enough rows, and reading it twice would take a while."""


def jobs_worth_starting(problem: Problem, jobs: int) -> int:
    """Load the rows, and return how many processes are worth starting: one for a short search.

    Faults of a file that already has a suite are left to validation, which says more about them.
    A large file is not read here.

    Raises
    ------
    SmoothrankError
        If the data cannot be read, does not have two classes, has too few rows, or lacks a column
        that an option names.
    """
    files = find_files(Path(problem.source.path))
    if sum(file.stat().st_size for file in files) > LARGE_FILE:
        return jobs
    try:
        seconds = fitting_seconds(problem, plan_of(problem))
    except ColumnOptionError:
        raise
    except SmoothrankError:
        if not problem.source.in_catalogue and suite_path_of(problem.name).exists():
            return jobs
        raise
    return 1 if seconds <= FEW_SECONDS else jobs
