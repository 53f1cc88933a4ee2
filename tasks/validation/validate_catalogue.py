"""Validate a data set of the catalogue against its stored suite."""

from __future__ import annotations

from pathlib import Path

from smoothrank.datasets.catalogue.catalogue import catalogue, data_folder, entry
from smoothrank.datasets.catalogue.fetch import fetch_dataset
from smoothrank.datasets.errors import KeelFormatError, MissingDataError
from smoothrank.datasets.keel.reader import read_keel
from smoothrank.datasets.load import load_dataset
from tasks.validation.raw_table import RawTable, read_raw_table
from tasks.validation.result import ValidationResult
from tasks.validation.suites.expectations import Suite, build_suite, read_suite, write_suite
from tasks.validation.suites.location import expectations_folder
from tasks.validation.validate_file import unreadable
from tasks.validation.validate_table import validate_table


def validate_dataset(name: str, folder: Path | None = None) -> ValidationResult:
    """Validate a data set of the catalogue against its suite.

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
        return unreadable(path, error, suite)


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
