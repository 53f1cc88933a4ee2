"""A table as it stands in its file, before its cells are interpreted."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

import pyarrow as pa
import pyarrow.compute as pc

INDEX_NAME = "Unnamed: {}"
"""The name given to a nameless column at a position; pandas uses the same one."""


@dataclass(frozen=True, eq=False)
class Written:
    """The columns of a file.

    Parameters
    ----------
    names : tuple of str
        The columns' names; one may occur twice.
    columns : tuple of pyarrow.Array
        Their cells: texts as large strings without blanks around them, or what Parquet has.
    lines : sequence of int or None
        The line of the file at which each row stands, where there are lines.
    sep : str or None
        The separator between cells, where there is one.
    facts : tuple of str
        What was recognised about the file as a whole, such as its separator.
    notes : tuple of str
        What else a user should know, a sentence each.
    """

    names: tuple[str, ...]
    columns: tuple[pa.Array, ...]
    lines: Sequence[int] | None = None
    sep: str | None = None
    facts: tuple[str, ...] = ()
    notes: tuple[str, ...] = ()

    @property
    def n_rows(self) -> int:
        """How many rows there are."""
        return len(self.columns[0]) if self.columns else 0

    def place(self, row: int) -> str:
        """Say where a row stands, in words."""
        return f"row {row + 1}" if self.lines is None else f"line {self.lines[row]}"


def is_text(column: pa.Array) -> bool:
    """Return whether a column holds texts."""
    return bool(pa.types.is_large_string(column.type))


def texts(values: Sequence[str | None]) -> pa.Array:
    """Return texts as a column, without the blanks around them."""
    return pc.utf8_trim_whitespace(pa.array(values, type=pa.large_string()))


def with_names(table: Written) -> Written:
    """Name the columns that have no name; leave out those that are empty as well.

    `DataFrame.to_csv()` writes such a column first: the row's number.
    """
    names: list[str] = []
    columns = []
    for place, (name, column) in enumerate(zip(table.names, table.columns, strict=True)):
        if not name and not _has_values(column):
            continue
        names.append(name or _free_name(place, (*table.names, *names)))
        columns.append(column)
    return replace(table, names=tuple(names), columns=tuple(columns))


def _has_values(column: pa.Array) -> bool:
    if not is_text(column):
        return bool(column.null_count < len(column))
    return bool(pc.any(pc.not_equal(column, "")).as_py())


def _free_name(place: int, taken: Sequence[str]) -> str:
    name = plain = INDEX_NAME.format(place)
    number = 0
    while name in taken:
        number += 1
        name = f"{plain}.{number}"
    return name
