"""Rows to score: a user's file again, with or without its target."""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path

import pandas as pd

from smoothrank.datasets.errors import TableFormatError
from smoothrank.datasets.keel import read_keel
from smoothrank.datasets.table import plain_column, read_table


def load_rows(path: str | Path, columns: Iterable[str]) -> pd.DataFrame:
    """Read those of the named columns that a file has, as `load_file` reads them for training.

    Parameters
    ----------
    path : str or Path
        A CSV, TSV, Parquet or KEEL file. Other columns, such as dates, may hold anything.
    columns : iterable of str
        The columns that a model needs.

    Raises
    ------
    DatasetError
        If the file cannot be read or has no rows.
    """
    path = Path(path)
    if path.suffix.lower() == ".dat":
        frame = read_keel(path).X
        return frame[[name for name in columns if name in frame.columns]]
    _, frame = read_table(path)
    if len(frame) == 0:
        raise TableFormatError(f"{path} has no rows")
    if not frame.columns.is_unique:
        twice = frame.columns[frame.columns.duplicated()][0]
        raise TableFormatError(f"{path}: there are two columns {twice!r}")
    known = [name for name in columns if name in frame.columns]
    return pd.DataFrame({name: plain_column(path, name, frame[name]) for name in known})
