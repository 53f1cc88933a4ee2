"""A table as text cells, before anything is refused: the input of the validation."""

from __future__ import annotations

import hashlib
from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from pathlib import Path

import numpy as np
import pandas as pd
import pyarrow as pa

from smoothrank.datasets.cells.typed import TEXT, date_cells
from smoothrank.datasets.files.read_table import Table
from smoothrank.datasets.keel.header import HeaderReader
from smoothrank.datasets.keel.reader import keel_rows, read_keel_bytes
from smoothrank.datasets.keel.text import MISSING_MARKS, decode, unquote
from smoothrank.datasets.labels import labels_of
from smoothrank.datasets.options import AS_RECOGNISED, ReadOptions
from smoothrank.datasets.target import rest_label
from tasks.problem.user_file import read_user_table


@dataclass(frozen=True, eq=False)
class RawTable:
    """A table as texts.

    Parameters
    ----------
    name : str
        The data set's or file's name.
    cells : pandas.DataFrame
        Every value as text, missing ones as None; numbers with a decimal point and dates as in
        ISO 8601, however the file has them; the columns named and ordered as in the file, the
        rows numbered from 0.
    checksum : str
        sha256 of the file, in hexadecimal.
    lines : sequence of int or None
        The line of the file, counted from 1, at which each row stands, where that is known.
    rows : sequence of int or None
        The number of each row in the file, counted from 1, where some rows are left out.
    table : Table or None
        What was read, if it is not a KEEL file.
    """

    name: str
    cells: pd.DataFrame
    checksum: str
    lines: Sequence[int] | None = None
    rows: Sequence[int] | None = None
    table: Table | None = None

    @cached_property
    def columns(self) -> tuple[str, ...]:
        """The column names in order; a name that the file has twice is here twice."""
        return tuple(map(str, self.cells.columns.tolist()))

    def line(self, row: int) -> int | None:
        """Return the line of the file at which a row stands."""
        return None if self.lines is None else int(self.lines[row])

    def number(self, row: int) -> int:
        """Return the number of a row in the file, counted from 1."""
        return row + 1 if self.rows is None else int(self.rows[row])

    def row(self, row: int) -> dict[str, str | None]:
        """Return a row's values by column, as written; the same object for the same row."""
        if row not in self._rows_shown:
            values = self.cells.iloc[row]
            self._rows_shown[row] = {
                name: None if pd.isna(value) else str(value)
                for name, value in zip(self.columns, values, strict=True)
            }
        return self._rows_shown[row]

    @cached_property
    def _rows_shown(self) -> dict[int, dict[str, str | None]]:
        return {}


def read_raw_table(path: Path, read: ReadOptions = AS_RECOGNISED) -> RawTable:
    """Read a KEEL file or a user's own table without checking its values.

    Raises
    ------
    DatasetError
        If the file does not exist or cannot be split into columns and rows.
    """
    if path.suffix.lower() != ".dat":
        table = read_user_table(path, read)
        cells = _cells(table)
        return RawTable(table.name, cells, table.checksum, table.written.lines, table=table)
    data = read_keel_bytes(path)
    cells, lines = _keel_cells(data, path)
    return RawTable(path.stem, cells, hashlib.sha256(data).hexdigest(), lines)


def _keel_cells(data: bytes, path: Path) -> tuple[pd.DataFrame, list[int]]:
    reader = HeaderReader(path, decode(data))
    header = reader.header()
    rows, lines = keel_rows(reader, len(header.attributes))
    cells = {}
    for name, values in zip(header.names, zip(*rows, strict=True), strict=True):
        missing = MISSING_MARKS - header.marks[name]
        texts = [None if value in missing else unquote(value) for value in values]
        cells[name] = pd.Series(texts, dtype="str")
    return pd.DataFrame(cells), lines


def _cells(table: Table) -> pd.DataFrame:
    """Return every value as text, written as numbers and dates are everywhere."""
    columns = [
        pd.array(_texts(column.values) if column.cells is None else column.cells, dtype=TEXT)
        for column in table.columns
    ]
    return pd.DataFrame(dict(enumerate(columns))).set_axis(list(table.names), axis=1)


def _texts(values: pd.Series) -> pa.Array | list[str | None]:
    if values.dtype.kind == "M":
        return date_cells(values)
    return [
        None if missing else str(value)
        for value, missing in zip(values.tolist(), values.isna(), strict=True)
    ]


def with_classes(table: RawTable, target: str, positive: str | None, negative: str) -> RawTable:
    """Return the rows that have a label, with the label that training sees.

    Where the negative class is all labels but the positive one, it is that in the table too.
    """
    if table.table is None or table.columns.count(target) != 1:
        return table
    labels = labels_of(table.table, target)
    kept = labels.notna().to_numpy()
    if positive is not None and negative == rest_label(positive):
        labels = labels.where(labels.isna() | (labels == positive), negative)
    cells = table.cells.copy()
    cells[target] = labels.astype(TEXT)
    if not kept.all():
        cells = cells.loc[kept].reset_index(drop=True)
    rows = np.flatnonzero(kept)
    lines = None if table.lines is None else [table.lines[int(row)] for row in rows]
    return replace(table, cells=cells, lines=lines, rows=(rows + 1).tolist())
