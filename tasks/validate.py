"""Validate a data set of the catalogue, or a file of a user's own, against its stored suite."""

from __future__ import annotations

from pathlib import Path

from smoothrank.datasets.catalog import catalogue, data_folder, entry
from smoothrank.datasets.dataset import Dataset
from smoothrank.datasets.errors import (
    DatasetError,
    KeelFormatError,
    MissingDataError,
    TableFormatError,
)
from smoothrank.datasets.fetch import fetch_dataset
from smoothrank.datasets.keel import read_keel
from smoothrank.datasets.load import load_dataset, load_file
from smoothrank.tables.options import ReadOptions
from smoothrank.tables.paths import table_checksum, table_name
from tasks.expectations import (
    RANGE_MARGIN,
    Suite,
    SuiteError,
    build_suite,
    negative_of,
    observed_schema,
    read_suite,
    write_suite,
)
from tasks.raw_table import RawTable, read_raw_table, with_classes
from tasks.suite_place import adopt_old_suite, expectations_folder, suite_path_of
from tasks.validate_table import Failure, ValidationResult, validate_table


def validate_dataset(name: str, folder: Path | None = None) -> ValidationResult:
    """Hold a data set of the catalogue against its suite.

    The file in the data folder is checked as it is, whether or not its checksum is right.

    Parameters
    ----------
    name : str
        A name of the catalogue.
    folder : Path, optional
        The folder of suites, `expectations_folder()` unless given. Where it has none of that
        name, the file's own header makes the suite.

    Raises
    ------
    UnknownDatasetError, MissingDataError
        If the catalogue has no such name, or the file is not here.
    SuiteError
        If the stored suite cannot be used.
    """
    path = data_folder() / entry(name).file
    if not path.exists():
        path = fetch_dataset(name, download=False)
    stored = (folder or expectations_folder()) / f"{name}.json"
    suite = read_suite(stored) if stored.exists() else None
    try:
        table = read_raw_table(path)
        return validate_table(table, suite or _header_suite(path, table))
    except KeelFormatError as error:
        return _unreadable(path, error, suite)


def validate_file(
    path: Path,
    *,
    target: str | None = None,
    positive: str | None = None,
    suite_path: Path | None = None,
    range_margin: float = RANGE_MARGIN,
    read: ReadOptions | None = None,
) -> ValidationResult:
    """Hold a file against its suite; the first time, make the suite from the file.

    The suite of a `.dat` file is made from its header, that of a CSV or Parquet file from what
    the file shows (see `tasks.expectations.observed_schema`). It is stored once a file passes.

    Parameters
    ----------
    path : Path
        The file.
    target, positive : str, optional
        The target column and the positive label; see `smoothrank.datasets.load_file`.
    suite_path : Path, optional
        Where the suite is kept; unless given see `suite_path_of`.
    range_margin : float
        How far a first file's ranges are widened.
    read : ReadOptions, optional
        How the file is written, where that is not to be recognised.

    Raises
    ------
    DatasetError
        If there is no such file, or it is not said which column is its target.
    SuiteError
        If the stored suite cannot be used, or is about another target.
    """
    name = table_name(path)
    if suite_path is None:
        adopt_old_suite(name)
    stored = suite_path or suite_path_of(name)
    suite = read_suite(stored) if stored.exists() else None
    if suite is not None:
        _check_same_problem(stored, suite, target, positive)
    try:
        table = read_raw_table(path, read)
    except (KeelFormatError, TableFormatError) as error:
        return _unreadable(path, error, suite)
    if suite is not None:
        return _held_against(table, suite)
    try:
        dataset = load_file(path, target, positive, read)
        suite = _first_suite(path, table, dataset, range_margin)
    except (KeelFormatError, TableFormatError) as error:
        if isinstance(error, TableFormatError) and not table.cells.empty:
            raise
        return _unreadable(path, error, suite)
    result = _held_against(table, suite)
    if result.passed:
        write_suite(suite, stored)
    return result


def write_suites(folder: Path | None = None) -> tuple[list[Path], list[str]]:
    """Write the suites of the catalogue's data sets from their headers.

    Returns
    -------
    written : list of Path
        The files written.
    missing : list of str
        The data sets that are not here.
    """
    written, missing = [], []
    for name, known in catalogue().items():
        try:
            schema = load_dataset(name).schema
        except MissingDataError:
            missing.append(name)
            continue
        columns = read_raw_table(data_folder() / known.file).columns
        path = (folder or expectations_folder()) / f"{name}.json"
        write_suite(build_suite(name, schema, columns), path)
        written.append(path)
    return written, missing


def _header_suite(path: Path, table: RawTable) -> Suite:
    return build_suite(path.stem, read_keel(path).schema, table.columns)


def _held_against(table: RawTable, suite: Suite) -> ValidationResult:
    """Validate the rows that have a label, with the classes that training sees."""
    meta, negative = suite["meta"], negative_of(suite)
    if negative is not None:
        table = with_classes(table, meta["target"], meta.get("positive"), negative)
    return validate_table(table, suite)


def _first_suite(path: Path, table: RawTable, dataset: Dataset, range_margin: float) -> Suite:
    is_stated = path.suffix.lower() == ".dat"
    schema = dataset.schema if is_stated else observed_schema(dataset, range_margin)
    return build_suite(dataset.name, schema, table.columns)


def _check_same_problem(
    stored: Path, suite: Suite, target: str | None, positive: str | None
) -> None:
    for what, asked in (("target", target), ("positive", positive)):
        held = suite["meta"].get(what)
        if asked is not None and asked != held:
            raise SuiteError(
                f"{stored} was written for {what} {held!r}, not {asked!r}: "
                "name another suite, or remove this one to start anew"
            )


def _unreadable(path: Path, error: DatasetError, suite: Suite | None) -> ValidationResult:
    line = error.line if isinstance(error, KeelFormatError) else None
    failure = Failure("file_can_be_read", None, f"The file cannot be read: {error}.", line=line)
    total = len(suite["expectations"]) if suite else 0
    return ValidationResult(False, table_name(path), table_checksum(path), total, (failure,))
