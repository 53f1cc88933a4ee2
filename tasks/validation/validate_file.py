"""Validate a user's own file against its suite, which the first file makes."""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import dataclass, field, replace
from pathlib import Path

from smoothrank.datasets.errors import DatasetError, KeelFormatError, TableFormatError
from smoothrank.datasets.files.paths import table_checksum, table_name
from smoothrank.datasets.options import ColumnOptions, ReadOptions
from tasks.problem.user_file import load_user_file
from tasks.validation.raw_table import RawTable, read_raw_table, with_classes
from tasks.validation.result import CAN_BE_READ, Failure, ValidationResult
from tasks.validation.suites.expectations import (
    CRITICAL,
    Suite,
    SuiteError,
    build_suite,
    negative_of,
    read_suite,
    suite_columns,
    without_columns,
    write_suite,
)
from tasks.validation.suites.location import adopt_old_suite, suite_path_of
from tasks.validation.suites.own_file import RANGE_MARGIN, build_own_suite
from tasks.validation.validate_table import broken_expectations, validate_table


@dataclass(frozen=True)
class OwnFile:
    """A user's file, and the options given for it.

    Parameters
    ----------
    path : Path
        The file.
    target, positive : str or None
        The target column and the positive label; see `smoothrank.datasets.load_file`.
    read : ReadOptions
        How the file is written.
    columns : ColumnOptions
        Which columns are left out.
    suite_path : Path or None
        Where the suite is kept; unless given see `tasks.validation.suites.location.suite_path_of`.
    range_margin : float
        How far a first file's ranges are widened.
    """

    path: Path
    target: str | None = None
    positive: str | None = None
    read: ReadOptions = field(default_factory=ReadOptions)
    columns: ColumnOptions = field(default_factory=ColumnOptions)
    suite_path: Path | None = None
    range_margin: float = RANGE_MARGIN

    @property
    def name(self) -> str:
        """The name of the data set."""
        return table_name(self.path)

    @property
    def suite(self) -> Path:
        """The place of its suite, which need not exist."""
        return self.suite_path or suite_path_of(self.name)


def validate_file(file: OwnFile) -> ValidationResult:
    """Validate a file against its suite; the first time, make the suite from the file.

    The suite of a `.dat` file is made from its header, that of another file from what it shows
    (see `tasks.validation.suites.own_file`). It is stored once a file passes.

    Raises
    ------
    DatasetError
        If there is no such file, or its target column is not specified.
    SuiteError
        If the stored suite cannot be used, or is about another target.
    """
    suite = stored_suite(file)
    if suite is not None:
        _check_same_problem(file, suite)
    try:
        table = read_raw_table(file.path, file.read)
    except (KeelFormatError, TableFormatError) as error:
        return unreadable(file.path, error, suite)
    if suite is None:
        return _validate_first(file, table)
    result = validate_table(*as_trained(file.columns, table, suite))
    if result.passed:
        _check_trainable(file, suite)
    return result


def _check_trainable(file: OwnFile, suite: Suite) -> None:
    """Load a file that meets its suite as training does, so that both refuse the same."""
    meta = suite["meta"]
    load_user_file(
        file.path,
        file.target or meta["target"],
        file.positive or meta.get("positive"),
        file.read,
        negative_of(suite),
        file.columns,
    )


def stored_suite(file: OwnFile) -> Suite | None:
    """Read the suite of a file; None if it has none yet."""
    if file.suite_path is None:
        adopt_old_suite(file.name)
    return read_suite(file.suite) if file.suite.exists() else None


def as_trained(options: ColumnOptions, table: RawTable, suite: Suite) -> tuple[RawTable, Suite]:
    """Return the table as training sees it, and what the suite expects of that.

    Rows without a label are left out, other labels than the positive one may count together, and
    columns that the user wants left out are not looked at.
    """
    meta, negative = suite["meta"], negative_of(suite)
    if negative is not None:
        table = with_classes(table, meta["target"], meta.get("positive"), negative)
    ours = {*options.keep_only, suite["meta"]["target"], options.id}
    known = {*table.columns, *suite_columns(suite)}
    left_out = set(options.drop) | (known - ours if options.keep_only else set())
    left_out.discard(suite["meta"]["target"])
    if not left_out:
        return table, suite
    kept = [name not in left_out for name in table.columns]
    return replace(table, cells=table.cells.loc[:, kept]), without_columns(suite, left_out)


def first_suite(file: OwnFile, table: RawTable) -> tuple[Suite, ValidationResult]:
    """Make the suite of a file that has none, and validate the file against it.

    The suite omits warnings that the file itself would raise.

    Raises
    ------
    DatasetError
        If the file has no target of two values.
    """
    dataset = load_user_file(file.path, file.target, file.positive, file.read, columns=file.columns)
    if file.path.suffix.lower() == ".dat":
        suite = build_suite(file.name, dataset.schema, table.columns)
    else:
        named = () if file.columns.id is None else (file.columns.id,)
        suite = build_own_suite(table, dataset, file.range_margin, named)
    table, suite = as_trained(file.columns, table, suite)
    broken = broken_expectations(table, suite)
    suite = without_places(suite, {p for p, failure in broken if failure.severity != CRITICAL})
    failures = tuple(failure for _, failure in broken if failure.severity == CRITICAL)
    total = len(suite["expectations"])
    return suite, ValidationResult(not failures, file.name, table.checksum, total, failures)


def without_places(suite: Suite, places: Collection[int]) -> Suite:
    """Return a suite without the expectations at some places."""
    kept = [one for place, one in enumerate(suite["expectations"]) if place not in places]
    return {**suite, "expectations": kept}


def unreadable(path: Path, error: DatasetError, suite: Suite | None) -> ValidationResult:
    """Return the result for a file that cannot be read."""
    line = error.line if isinstance(error, KeelFormatError) else None
    failure = Failure(
        CAN_BE_READ, None, f"The file cannot be read: {error}.", line=line, acceptable=False
    )
    total = len(suite["expectations"]) if suite else 0
    return ValidationResult(False, table_name(path), table_checksum(path), total, (failure,))


def _validate_first(file: OwnFile, table: RawTable) -> ValidationResult:
    try:
        suite, result = first_suite(file, table)
    except (KeelFormatError, TableFormatError) as error:
        if isinstance(error, TableFormatError) and not table.cells.empty:
            raise
        return unreadable(file.path, error, None)
    if result.passed:
        write_suite(suite, file.suite)
    return result


def _check_same_problem(file: OwnFile, suite: Suite) -> None:
    for what, asked in (("target", file.target), ("positive", file.positive)):
        held = suite["meta"].get(what)
        if asked is not None and asked != held:
            raise SuiteError(
                f"{file.suite} was written for {what} {held!r}, not {asked!r}: "
                f"`smoothrank data accept {file.path} --{what} {asked}` changes it"
            )
