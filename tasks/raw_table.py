"""A table as its file has it: text cells, before anything is converted or refused."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import pandas as pd


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
