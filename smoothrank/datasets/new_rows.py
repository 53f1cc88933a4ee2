"""Rows to score: a user's table, with or without its target."""

from __future__ import annotations

from collections.abc import Collection, Iterable
from pathlib import Path

import pandas as pd

from smoothrank.datasets.errors import TableFormatError
from smoothrank.datasets.files.read_table import Table, finite, read_table
from smoothrank.datasets.keel.reader import read_keel
from smoothrank.datasets.options import ReadOptions


def load_rows(
    path: str | Path,
    columns: Iterable[str],
    read: ReadOptions | None = None,
    as_text: Collection[str] = (),
) -> pd.DataFrame:
    """Read those of the named columns that a file has, as `load_file` reads them for training.

    Parameters
    ----------
    path : str or Path
        A file, folder or pattern as `load_file` takes it. Other columns may hold anything.
    columns : iterable of str
        The columns that a model needs.
    read : ReadOptions, optional
        How the file is written; what is not said is recognised.
    as_text : collection of str
        Columns whose texts are wanted as they are written, even if here they are all numbers.

    Raises
    ------
    DatasetError
        If the file cannot be read or has no rows, or has one of the columns twice.
    """
    path = Path(path)
    if path.suffix.lower() == ".dat":
        frame = read_keel(path).X
        return frame[[name for name in columns if name in frame.columns]]
    frame = rows_of(path, read_table(path, read), columns, as_text)
    for name in frame.columns:
        finite(path, name, frame[name])
    return frame


def rows_of(
    path: Path, table: Table, columns: Iterable[str], as_text: Collection[str] = ()
) -> pd.DataFrame:
    """Return those of the named columns that a table has; see `load_rows`."""
    if not table.names:
        raise TableFormatError(f"{path} is empty")
    if table.n_rows == 0:
        raise TableFormatError(f"{path} has no rows")
    known = [name for name in dict.fromkeys(columns) if name in table.names]
    for name in known:
        if table.names.count(name) > 1:
            raise TableFormatError(f"{path}: there are two columns {name!r}")
    found = {name: _column(table, name, name in as_text) for name in known}
    return pd.DataFrame(found, index=pd.RangeIndex(table.n_rows))


def _column(table: Table, name: str, as_text: bool) -> pd.Series:
    values = table.values(name)
    is_number = pd.api.types.is_numeric_dtype(values)
    if as_text and is_number and values.notna().any():
        return table.texts(name).astype("str")
    return values
