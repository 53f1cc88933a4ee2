"""Parquet: one file, or several that are one table."""

from __future__ import annotations

import io
from collections.abc import Sequence
from pathlib import Path
from urllib.parse import unquote

import pyarrow as pa
import pyarrow.parquet as pq

from smoothrank.datasets.errors import TableFormatError
from smoothrank.datasets.files.unpack import SMALL
from smoothrank.datasets.files.written import Written, texts

MAX_CELL_RATIO = 100
"""A table whose cells need more than this many times the bytes of its files is a bomb."""

_CELL_BYTES = 8


def read_parquet(path: Path, parts: Sequence[tuple[Path, bytes]]) -> Written:
    """Read Parquet files that have the same columns; folders such as year=2024 are columns too.

    Parameters
    ----------
    path : Path
        What the user named, for the messages.
    parts : sequence of (Path, bytes)
        Each file's path, from the folder that the user named, and its contents.

    Raises
    ------
    TableFormatError
        If a file is not Parquet, or their columns do not go together.
    """
    _check_sizes(path, parts)
    tables = [_with_partitions(file, _table(path, data)) for file, data in parts]
    try:
        whole = pa.concat_tables(tables, promote_options="permissive").combine_chunks()
    except pa.ArrowException as error:
        reason = " ".join(str(error).split())
        raise TableFormatError(f"{path}: the files' columns do not match: {reason}") from None
    columns = tuple(_plain(column) for column in whole.columns)
    return Written(tuple(name.strip() for name in whole.column_names), columns)


def _check_sizes(path: Path, parts: Sequence[tuple[Path, bytes]]) -> None:
    """Refuse by its metadata a table that would be far larger in memory than in its files."""
    cells = sum(_cells(path, data) for _, data in parts)
    packed = sum(len(data) for _, data in parts)
    if cells * _CELL_BYTES > max(SMALL, MAX_CELL_RATIO * packed):
        raise TableFormatError(
            f"{path} has {cells:,} cells in {packed:,} bytes, more than {MAX_CELL_RATIO} times its "
            "size in memory, as no table of measurements has; take a sample of its rows"
        )


def _cells(path: Path, data: bytes) -> int:
    try:
        found = pq.read_metadata(io.BytesIO(data))
        return int(found.num_rows) * max(int(found.num_columns), 1)
    except (pa.ArrowException, ValueError, OSError, TypeError) as error:
        raise _unreadable(path, error) from error


def _unreadable(path: Path, error: Exception) -> TableFormatError:
    reason = " ".join(str(error).split()) or type(error).__name__
    return TableFormatError(f"cannot read {path} as Parquet: {reason}")


def _table(path: Path, data: bytes) -> pa.Table:
    try:
        return pq.read_table(io.BytesIO(data))
    except (pa.ArrowException, ValueError, OSError, TypeError) as error:
        raise _unreadable(path, error) from error


def _with_partitions(file: Path, table: pa.Table) -> pa.Table:
    for part in file.parts[:-1]:
        name, equals, value = part.partition("=")
        if equals and name not in table.column_names:
            table = table.append_column(name, pa.array([unquote(value)] * len(table)))
    return table


def _plain(column: pa.ChunkedArray) -> pa.Array:
    """Return one array: texts as large strings, whatever Parquet keeps them as."""
    if pa.types.is_dictionary(column.type):
        column = column.cast(column.type.value_type)
    one = pa.concat_arrays(column.chunks) if column.num_chunks else pa.array([], column.type)
    if isinstance(one, pa.ExtensionArray):
        one = one.storage
    if pa.types.is_string(one.type) or pa.types.is_string_view(one.type):
        one = one.cast(pa.large_string())
    return texts(one) if pa.types.is_large_string(one.type) else one
