"""Dates and times among texts: which format a column is written in."""

from __future__ import annotations

import re
from dataclasses import dataclass
from itertools import product

import pandas as pd

ISO = "ISO 8601"
_SAMPLE = 200
_MOSTLY = 0.95

_ISO = re.compile(
    r"\d{4}-\d{1,2}-\d{1,2}([T ]\d{1,2}:\d{2}(:\d{2}([.,]\d+)?)?\s*(Z|[A-Z]{3}|[+-]\d{2}:?\d{2})?)?"
)
_ZONE = re.compile(r"\d\s*(?:Z|UTC|GMT|[+-]\d{2}:?\d{2})$")
_SHAPES = (
    (re.compile(r"\d{4}/\d{1,2}/\d{1,2}(\s.*)?"), ("%Y/%m/%d",)),
    (re.compile(r"\d{4}\.\d{1,2}\.\d{1,2}(\s.*)?"), ("%Y.%m.%d",)),
    (re.compile(r"\d{1,2}\.\d{1,2}\.\d{4}(\s.*)?"), ("%d.%m.%Y",)),
    (re.compile(r"\d{1,2}\.\d{1,2}\.\d{2}(\s.*)?"), ("%d.%m.%y",)),
    (re.compile(r"\d{1,2}/\d{1,2}/\d{4}(,?\s.*)?"), ("%d/%m/%Y", "%m/%d/%Y")),
    (re.compile(r"\d{1,2}/\d{1,2}/\d{2}(,?\s.*)?"), ("%d/%m/%y", "%m/%d/%y")),
    (re.compile(r"\d{1,2}-\d{1,2}-\d{4}(\s.*)?"), ("%d-%m-%Y", "%m-%d-%Y")),
    (re.compile(r"\d{1,2}-[A-Za-z]{3}-\d{4}(\s.*)?"), ("%d-%b-%Y",)),
    (re.compile(r"\d{1,2} [A-Za-z]{3} \d{4}(\s.*)?"), ("%d %b %Y",)),
    (re.compile(r"\d{1,2} [A-Za-z]{4,9} \d{4}(\s.*)?"), ("%d %B %Y",)),
    (re.compile(r"[A-Za-z]{3} \d{1,2}, \d{4}(\s.*)?"), ("%b %d, %Y",)),
    (re.compile(r"[A-Za-z]{4,9} \d{1,2}, \d{4}(\s.*)?"), ("%B %d, %Y",)),
)
_TIMES = ("", " %H:%M:%S", " %H:%M", " %I:%M:%S %p", " %I:%M %p", " %H:%M:%S.%f")


@dataclass(frozen=True, eq=False)
class Dates:
    """A column's distinct texts as dates; NaT where one is not a date.

    `rival` is another format that fits as well, so that the choice is a guess.
    """

    values: pd.Series
    format: str
    rival: str | None = None
    has_zone: bool = False


def read_dates(
    texts: pd.Series, given: str | None, *, only_given: bool = False, day_first: bool
) -> Dates | None:
    """Read texts as dates, if nearly all of them are.

    Parameters
    ----------
    texts : pandas.Series
        A column's distinct texts, none missing.
    given : str or None
        The format that the user says.
    only_given : bool
        Whether to try no other: the texts are numbers, and dates only if the user says so.
    day_first : bool
        Which of 1/2/2024 comes first, if the texts leave it open.
    """
    if given is not None:
        dates = _parsed(texts, given)
        if dates is not None or only_given:
            return dates
    sample = texts.iloc[:_SAMPLE].tolist()
    if _mostly(_ISO, sample):
        return _parsed(texts, ISO)
    formats = next((formats for shape, formats in _SHAPES if _mostly(shape, sample)), ())
    ordered = formats if day_first else formats[::-1]
    found = [
        dates
        for day, time in product(ordered, _TIMES)
        if _parsed(texts.iloc[:_SAMPLE], day + time) is not None
        and (dates := _parsed(texts, day + time)) is not None
    ]
    if not found:
        return None
    best = max(found, key=lambda dates: int(dates.values.notna().sum()))
    rivals = [d.format for d in found if d is not best and _as_good(d, best)]
    return Dates(best.values, best.format, rivals[0] if rivals else None)


def _as_good(dates: Dates, best: Dates) -> bool:
    return int(dates.values.notna().sum()) == int(best.values.notna().sum())


def _mostly(shape: re.Pattern[str], sample: list[str]) -> bool:
    if not sample or not (shape.fullmatch(sample[0]) or shape.fullmatch(sample[-1])):
        return False
    return sum(bool(shape.fullmatch(text)) for text in sample) >= _MOSTLY * len(sample)


def _parsed(texts: pd.Series, form: str) -> Dates | None:
    """Read texts in one format; None if too few match it."""
    has_zone = "%z" in form or (
        form == ISO and bool(texts.iloc[:_SAMPLE].str.contains(_ZONE).any())
    )
    try:
        values = pd.to_datetime(
            texts, format="ISO8601" if form == ISO else form, errors="coerce", utc=has_zone
        )
    except (ValueError, TypeError, OverflowError):
        return None
    if values.dtype.kind != "M" or values.notna().sum() < _MOSTLY * len(texts):
        return None
    if has_zone:
        values = values.dt.tz_localize(None)
    return Dates(values.astype("datetime64[us]"), form, has_zone=has_zone)
