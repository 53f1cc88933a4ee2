"""What a user can specify about a table of their own; everything else is recognised."""

from __future__ import annotations

import codecs
from dataclasses import dataclass

from smoothrank.errors import SmoothrankError

THOUSANDS = {"space": " ", "none": ""}
"""Words for marks that are hard to write in a shell."""

_SEPARATORS = {"tab": "\t", "\\t": "\t", "comma": ",", "semicolon": ";", "pipe": "|"}
_MARKS = (".", ",", " ", "'", "")


class ReadOptionError(SmoothrankError):
    """An option about a file is invalid: no such separator, mark, encoding or date format."""


@dataclass(frozen=True)
class ReadOptions:
    """How a file is written. None means: recognise it, and report what was recognised.

    Parameters
    ----------
    sep : str or None
        The separator between cells: one character, or "tab".
    decimal : str or None
        The decimal mark of numbers, "." or ",".
    thousands : str or None
        The mark between thousands: ".", ",", "'", "space" or "none".
    encoding : str or None
        The text encoding, such as "utf-8", "utf-16" or "latin-1".
    date_format : str or None
        The format of dates, as `datetime.strptime` writes it.

    Raises
    ------
    ReadOptionError
        If one of them cannot be.
    """

    sep: str | None = None
    decimal: str | None = None
    thousands: str | None = None
    encoding: str | None = None
    date_format: str | None = None

    def __post_init__(self) -> None:
        object.__setattr__(self, "sep", _separator(self.sep))
        object.__setattr__(self, "thousands", _thousands(self.thousands, self.decimal))
        _check_encoding(self.encoding)
        _check_date_format(self.date_format)


@dataclass(frozen=True)
class TableStyle:
    """How a table was written, which decides what another of its kind leaves open.

    Parameters
    ----------
    decimal : str or None
        The decimal mark; None if no number had one.
    day_first : bool or None
        Whether 1/2/2024 was in February; None if there was no such date.
    """

    decimal: str | None = None
    day_first: bool | None = None


UNKNOWN_STYLE = TableStyle()
"""Nothing is known."""


def _separator(sep: str | None) -> str | None:
    sep = _SEPARATORS.get(sep, sep) if sep is not None else None
    if sep is not None and (len(sep) != 1 or sep in '"\r\n'):
        raise ReadOptionError(f"--sep is one character such as ; or | or the word tab, not {sep!r}")
    return sep


def _thousands(thousands: str | None, decimal: str | None) -> str | None:
    if decimal not in (None, ".", ","):
        raise ReadOptionError(f"--decimal is . or , and not {decimal!r}")
    if thousands is None:
        return None
    mark = THOUSANDS.get(thousands, thousands)
    if mark not in _MARKS:
        raise ReadOptionError(
            f"--thousands is one of . , ' or the words space and none, not {thousands!r}"
        )
    if mark and mark == decimal:
        raise ReadOptionError(f"--decimal and --thousands are both {mark!r}; they must differ")
    return mark


def _check_encoding(encoding: str | None) -> None:
    if encoding is None:
        return
    try:
        "a,1".encode(codecs.lookup(encoding).name)
    except (LookupError, UnicodeError, ValueError):
        raise ReadOptionError(
            f"--encoding: there is no text encoding {encoding!r}; "
            "known are utf-8, utf-16, latin-1, cp1252 and others of Python"
        ) from None


def _check_date_format(date_format: str | None) -> None:
    from datetime import datetime

    if date_format is None:
        return
    example = "2024-05-17 13:45"
    try:
        day = datetime.strptime(example, "%Y-%m-%d %H:%M")
        read = datetime.strptime(day.strftime(date_format), date_format)
    except ValueError:
        read = None
    if read is None or "%" not in date_format:
        raise ReadOptionError(
            f"--date-format {date_format!r} is no format of dates; "
            "write it as %d.%m.%Y or %m/%d/%Y %H:%M"
        )


AS_RECOGNISED = ReadOptions()
"""Nothing is specified, everything is recognised."""


@dataclass(frozen=True)
class ColumnOptions:
    """Which columns are learnt from, apart from those left out automatically.

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
