"""What a user can say about a table of their own; what is not said is recognised."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True)
class ReadOptions:
    """How a file is written. None means: recognise it, and say what was recognised.

    Parameters
    ----------
    sep : str or None
        The separator between cells.
    decimal : str or None
        The decimal mark of numbers, "." or ",".
    thousands : str or None
        The mark between thousands.
    encoding : str or None
        The text encoding, such as "utf-8", "utf-16" or "latin-1".
    date_format : str or None
        The format of dates, as `datetime.strptime` writes it.
    """

    sep: str | None = None
    decimal: str | None = None
    thousands: str | None = None
    encoding: str | None = None
    date_format: str | None = None


@dataclass(frozen=True)
class ColumnOptions:
    """Which columns are learnt from, beside what is left out by itself.

    Parameters
    ----------
    drop : tuple of str
        Columns to leave out.
    id : str or None
        The column that names a row; it is left out, and decides the row's part of the split.
    keep_only : tuple of str
        If any are named, all other columns are left out.
    """

    drop: tuple[str, ...] = ()
    id: str | None = None
    keep_only: tuple[str, ...] = ()
