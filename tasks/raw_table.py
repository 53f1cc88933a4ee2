"""A table as its file has it: text cells, before anything is converted or refused."""

from __future__ import annotations

import hashlib
import io
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

import pandas as pd

from smoothrank.datasets.errors import DatasetError, TableFormatError
from smoothrank.datasets.keel import keel_rows
from smoothrank.datasets.keel_header import HeaderReader
from smoothrank.datasets.keel_text import MISSING_MARKS, decode, split_lines, unquote
from smoothrank.datasets.table import (
    CSV_ENDINGS,
    EXPECTED_ENDINGS,
    MISSING_TEXTS,
    csv_layout,
    csv_text,
    read_parquet,
    strip_texts,
)


@dataclass(frozen=True, eq=False)
class RawTable:
    """A table as written.

    Parameters
    ----------
    name : str
        The data set's or file's name.
    cells : pandas.DataFrame
        Every value as text, missing ones as None; the columns named and ordered as in the file,
        the rows numbered from 0.
    checksum : str
        sha256 of the file, in hexadecimal.
    lines : sequence of int or None
        The line of the file, counted from 1, at which each row stands, where that is known.
    """

    name: str
    cells: pd.DataFrame
    checksum: str
    lines: Sequence[int] | None = None

    @property
    def columns(self) -> tuple[str, ...]:
        """The column names in order; a name that the file has twice is here twice."""
        return tuple(str(name) for name in self.cells.columns)

    def line(self, row: int) -> int | None:
        """Give the line of the file at which a row stands."""
        return None if self.lines is None else int(self.lines[row])

    def row(self, row: int) -> dict[str, str | None]:
        """Give a row's values by column, as written."""
        values = self.cells.iloc[row]
        return {
            name: None if pd.isna(value) else str(value)
            for name, value in zip(self.columns, values, strict=True)
        }


def read_raw_table(path: Path) -> RawTable:
    """Read a KEEL, CSV or Parquet file as it is, without judging its values.

    Raises
    ------
    DatasetError
        If the file is not there or cannot be taken apart into columns and rows.
    """
    try:
        data = path.read_bytes()
    except OSError as error:
        raise DatasetError(f"cannot read {path}: {error.strerror or error}") from None
    checksum = hashlib.sha256(data).hexdigest()
    if path.suffix.lower() == ".dat":
        cells, lines = _keel_cells(data, path)
        return RawTable(path.stem, cells, checksum, lines)
    if path.suffix.lower() in CSV_ENDINGS:
        text = csv_text(path, data)
        cells = _csv_cells(text, path)
        return RawTable(path.stem, cells, checksum, _csv_lines(text, len(cells)))
    if path.suffix.lower() in (".parquet", ".pq"):
        return RawTable(path.stem, _parquet_cells(data, path), checksum)
    raise DatasetError(f"cannot read {path}: expected {EXPECTED_ENDINGS}")


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


def _csv_cells(text: str, path: Path) -> pd.DataFrame:
    separator, names = csv_layout(path, text)
    if not names:
        return pd.DataFrame()
    try:
        cells = pd.read_csv(
            io.StringIO(text),
            sep=separator,
            header=None,
            dtype="str",
            na_values=MISSING_TEXTS,
            keep_default_na=False,
            skipinitialspace=True,
        )
    except ValueError as error:  # pandas' parser errors are ValueErrors
        reason = " ".join(str(error).split())
        raise TableFormatError(f"cannot read {path} as CSV: {reason}") from None
    cells = cells.iloc[1:].reset_index(drop=True).apply(strip_texts)
    return cells.set_axis(names, axis="columns")


def _csv_lines(text: str, n_rows: int) -> Sequence[int] | None:
    """Give the line of each row, if no line is blank and no line end is inside quotes."""
    n_lines = len(split_lines(text.rstrip("\r\n")))
    return range(2, n_rows + 2) if n_lines == n_rows + 1 else None


def _parquet_cells(data: bytes, path: Path) -> pd.DataFrame:
    frame = read_parquet(path, data)
    columns = [
        pd.Series(
            [
                None if missing else str(value)
                for value, missing in zip(column.tolist(), column.isna(), strict=True)
            ],
            dtype="str",
        )
        for _, column in frame.items()
    ]
    return pd.DataFrame(dict(enumerate(columns))).set_axis(list(map(str, frame.columns)), axis=1)
