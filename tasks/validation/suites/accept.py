"""Accept a file as the new normal: its suite is widened, and the old one is kept beside it."""

from __future__ import annotations

import shlex
from dataclasses import dataclass, replace
from pathlib import Path

from tasks.validation.raw_table import read_raw_table
from tasks.validation.suites.expectations import Suite, SuiteError, suite_text, write_suite
from tasks.validation.suites.widen import suite_changes, widened
from tasks.validation.validate_file import (
    OwnFile,
    as_trained,
    first_suite,
    stored_suite,
    without_places,
)
from tasks.validation.validate_table import broken_expectations


@dataclass(frozen=True)
class Accepted:
    """What was accepted.

    Parameters
    ----------
    dataset : str
        The name of the data set.
    suite : Path
        The suite that holds from now on.
    previous : Path or None
        Where the one before it is kept; None if there was none, or nothing changed.
    changes : tuple of str
        What is expected differently from now on, a line each.
    """

    dataset: str
    suite: Path
    previous: Path | None
    changes: tuple[str, ...]


def accept_file(file: OwnFile) -> Accepted:
    """Widen the suite of a file until the file passes without a warning.

    Levels and ranges seen before stay allowed. A file without a suite gets its first one.

    Raises
    ------
    DatasetError
        If the file cannot be read, or its target column is not specified.
    SuiteError
        If no suite can let the file pass: too few rows of a class, or a column twice.
    """
    old = stored_suite(file)
    if old is not None:
        file = replace(
            file,
            target=file.target or old["meta"]["target"],
            positive=file.positive or old["meta"].get("positive"),
        )
    table = read_raw_table(file.path, file.read)
    new, result = first_suite(file, table)
    if not result.passed:
        faults = " ".join(failure.message for failure in result.failures)
        raise SuiteError(f"{file.path} cannot be accepted: {faults}")
    if old is None:
        write_suite(new, file.suite)
        return Accepted(file.name, file.suite, None, ())
    both = widened(old, new)
    broken = {place for place, _ in broken_expectations(*as_trained(file.columns, table, both))}
    return _store(file, old, without_places(both, broken))


def accepting(path: str | Path) -> str:
    """Return how a file is accepted."""
    here = Path.cwd()
    path = Path(path)
    short = path.relative_to(here) if path.is_relative_to(here) else path
    command = shlex.join(["smoothrank", "data", "accept", str(short)])
    return f"if this is how the data is from now on: {command}"


def _store(file: OwnFile, old: Suite, new: Suite) -> Accepted:
    if suite_text(old) == suite_text(new):
        return Accepted(file.name, file.suite, None, ())
    number = 1
    while (previous := file.suite.with_name(f"{file.suite.stem}.{number}.json")).exists():
        number += 1
    write_suite(old, previous)
    write_suite(new, file.suite)
    return Accepted(file.name, file.suite, previous, tuple(suite_changes(old, new)))
