"""The only reader of users' tables: training, validation and scoring all use what it returns."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from pathlib import Path

import numpy as np
import pandas as pd
import pyarrow as pa
import pyarrow.compute as pc

from smoothrank.datasets.cells.column_kinds import type_columns
from smoothrank.datasets.cells.missing import ALWAYS
from smoothrank.datasets.cells.notes import Notes
from smoothrank.datasets.cells.typed import TEXT, TypedColumn
from smoothrank.datasets.errors import TableFormatError
from smoothrank.datasets.files.paths import (
    EXCEL_ENDINGS,
    PARQUET_ENDINGS,
    TEXT_ENDINGS,
    find_files,
    table_checksum,
    table_name,
)
from smoothrank.datasets.files.unpack import read_contents
from smoothrank.datasets.files.written import Written, is_text, with_names
from smoothrank.datasets.options import UNKNOWN_STYLE, ReadOptions, TableStyle


@dataclass(frozen=True, eq=False)
class Table:
    """A user's table.

    Parameters
    ----------
    name : str
        The table's name, from that of its file.
    checksum : str
        sha256 of what it was read from.
    written : Written
        Its columns as the file has them.
    columns : tuple of TypedColumn
        The same columns as they are learnt from.
    said : Notes
        What was recognised, and what was taken as missing.
    style : TableStyle
        How it is written, where that is ambiguous.
    """

    name: str
    checksum: str
    written: Written
    columns: tuple[TypedColumn, ...]
    said: Notes
    style: TableStyle = UNKNOWN_STYLE

    @property
    def names(self) -> tuple[str, ...]:
        """The columns' names; one may occur twice."""
        return self.written.names

    @property
    def n_rows(self) -> int:
        """How many rows there are."""
        return self.written.n_rows

    @cached_property
    def by_name(self) -> dict[str, TypedColumn]:
        """The columns by their names."""
        return dict(zip(self.names, self.columns, strict=True))

    def values(self, name: str) -> pd.Series:
        """Return a column as it is learnt from."""
        return self.by_name[name].values

    def texts(self, name: str) -> pd.Series:
        """Return a column as it is written, missing where nothing or the usual marks are."""
        return written_values(self.written.columns[self.names.index(name)])

    def frame(self, *, as_text: bool) -> pd.DataFrame:
        """Return all columns as they are written, or, where nothing is lost, with their types."""
        written = [written_values(column) for column in self.written.columns]
        columns = [
            own if as_text or typed.cells is None or _is_lossy(typed) else typed.values
            for own, typed in zip(written, self.columns, strict=True)
        ]
        return pd.DataFrame(dict(enumerate(columns))).set_axis(list(self.names), axis=1)


def _is_lossy(column: TypedColumn) -> bool:
    return column.wrong is not None and bool(column.wrong.any())


def read_table(
    path: Path, options: ReadOptions | None = None, like: TableStyle = UNKNOWN_STYLE
) -> Table:
    """Read a file, a folder of Parquet files, or all that match a pattern.

    Parameters
    ----------
    path : Path
        Its ending says what it is: see `smoothrank.datasets.files.paths.EXPECTED`.
    options : ReadOptions, optional
        How it is written; what is not said is recognised.
    like : TableStyle
        How another table of its kind was written, for what this one leaves open.

    Raises
    ------
    DatasetError
        If it does not exist, or cannot be split into columns and rows.
    """
    options = options or ReadOptions()
    checksum = table_checksum(path)
    written = read_written(path, options)
    columns, said, style = type_columns(written, options, like)
    return Table(table_name(path), checksum, written, tuple(columns), said, style)


def read_written(path: Path, options: ReadOptions | None = None) -> Written:
    """Read a table as it stands in its file, without interpreting its cells."""
    options = options or ReadOptions()
    files = find_files(path)
    if len(files) > 1 or path.is_dir():
        from smoothrank.datasets.files.parquet import read_parquet

        base = path if path.is_dir() else path.parent
        parts = [(_inside(file, base), read_contents(file)[1]) for file in files]
        return with_names(read_parquet(path, parts))
    ending, data = read_contents(files[0])
    return with_names(_read_one(path, ending, data, options))


def _inside(file: Path, base: Path) -> Path:
    return file.relative_to(base) if file.is_relative_to(base) else Path(file.name)


def _read_one(path: Path, ending: str, data: bytes, options: ReadOptions) -> Written:
    if ending in TEXT_ENDINGS:
        from smoothrank.datasets.files.delimited import read_delimited

        return read_delimited(path, ending, data, options)
    if ending in PARQUET_ENDINGS:
        from smoothrank.datasets.files.parquet import read_parquet

        return read_parquet(path, [(Path(path.name), data)])
    from smoothrank.datasets.files.records import read_excel, read_json

    return read_excel(path, data) if ending in EXCEL_ENDINGS else read_json(path, data, options)


def written_values(column: pa.Array) -> pd.Series:
    """Return a column as it is written, missing where nothing or the usual marks are."""
    if not is_text(column):
        values: pd.Series = column.to_pandas()
        return values
    absent = pc.is_in(column, value_set=pa.array(ALWAYS, pa.large_string()))
    return pd.Series(pc.if_else(absent, pa.scalar(None, pa.large_string()), column), dtype=TEXT)


def finite(path: Path, name: str, values: pd.Series) -> pd.Series:
    """Return a column, and refuse infinite numbers.

    Raises
    ------
    TableFormatError
        If there is one; the column and the row are named.
    """
    if values.dtype.kind == "f":
        infinite = np.isinf(values.to_numpy())
        if infinite.any():
            row = int(np.flatnonzero(infinite)[0]) + 1
            raise TableFormatError(
                f"{path}: column {name!r} has an infinite value, or one beyond 1e308, in row {row}"
            )
    return values
