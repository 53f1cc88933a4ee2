"""Parquet: one file, or several that are one table."""

from __future__ import annotations

import io
from collections.abc import Sequence
from pathlib import Path
from urllib.parse import unquote

import pyarrow as pa
import pyarrow.parquet as pq

from smoothrank.datasets.errors import TableFormatError
from smoothrank.datasets.files.written import Written, texts


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
    tables = [_with_partitions(file, _table(path, data)) for file, data in parts]
    try:
        whole = pa.concat_tables(tables, promote_options="permissive").combine_chunks()
    except pa.ArrowException as error:
        reason = " ".join(str(error).split())
        raise TableFormatError(f"{path}: the files' columns do not match: {reason}") from None
    columns = tuple(_plain(column) for column in whole.columns)
    return Written(tuple(name.strip() for name in whole.column_names), columns)


def _table(path: Path, data: bytes) -> pa.Table:
    try:
        return pq.read_table(io.BytesIO(data))
    except (pa.ArrowException, ValueError, OSError, TypeError) as error:
        reason = " ".join(str(error).split())
        raise TableFormatError(f"cannot read {path} as Parquet: {reason}") from error


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
