"""Checks that refuse what cannot work before anything slow is started."""

from __future__ import annotations

from pathlib import Path

from smoothrank.datasets.errors import TableFormatError
from smoothrank.persistence.foreign_content import check_savable
from tasks.problem.candidates import is_foreign, make_estimator
from tasks.problem.problem import Problem, load_source
from tasks.problem.source import Source
from tasks.steps.validate import with_known_target
from tasks.validation.suites.location import suite_path_of


def check_savable_method(problem: Problem) -> None:
    """Refuse a method whose model could not be saved: a classifier with parts of its own types.

    Raises
    ------
    SmoothrankError
        If the estimator, not one of smoothrank's own, has types that are not trusted.
    """
    if is_foreign(problem):
        check_savable(make_estimator(problem, problem.grid[0], None))


def check_readable(source: Source) -> None:
    """Read a user's own file once, so that its faults are reported at once.

    Where a suite is stored, a readable file that does not fit is left to the validation, which
    reports everything that is wrong with it.

    Raises
    ------
    DatasetError
        If the file cannot be read, or its target column is unknown.
    """
    if source.in_catalogue or Path(source.path).suffix.lower() == ".dat":
        return
    try:
        load_source(with_known_target(source))
    except TableFormatError:
        if not suite_path_of(source.name).exists():
            raise
        from smoothrank.datasets.files.read_table import read_written

        read_written(Path(source.path), source.read)
