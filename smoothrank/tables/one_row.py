"""One raw row at a time: the same features as a table's, without a table."""

from __future__ import annotations

import datetime
import math
import re
from collections.abc import Callable, Mapping
from functools import lru_cache, partial
from typing import Any

import numpy as np
import pandas as pd

from smoothrank.arrays import Matrix
from smoothrank.tables.columns import (
    TableColumn,
    date_circle,
    days,
    encode_column,
    level_text,
    numbers,
)

Features = tuple[float, ...]
ValueEncoder = Callable[[Any], Features]

_REMEMBERED = 4096
_DAY = re.compile(r"[0-9]{4}-[0-9]{2}-[0-9]{2}")
_FIRST_DAY = datetime.date(1970, 1, 1).toordinal()
_NUMBERS = (int, float, np.integer)


class UnusualValueError(Exception):
    """A value that only the encoder of tables knows how to take, or to refuse."""


class RowEncoder:
    """What `encode_rows` computes of a table of one row, in microseconds.

    Parameters
    ----------
    columns : sequence of TableColumn
        In the order of the features.
    strict : bool
        Whether a value that is missing, never seen or cannot be read is unusual, so that the
        encoder of tables can refuse it.
    """

    def __init__(self, columns: list[TableColumn], *, strict: bool) -> None:
        makers = {"levels": _level_encoder, "number": _number_encoder, "date": _date_encoder}
        self._encoders = [
            (column.name, makers[column.kind](column, strict)) for column in columns
        ]  # fmt: skip

    def features(self, row: Mapping[str, Any]) -> Matrix | None:
        """Return the features, of shape (1, d); None where a column is absent or unusual."""
        found: list[float] = []
        try:
            for name, encode in self._encoders:
                found += encode(row[name])
        except (KeyError, UnusualValueError):
            return None
        return np.array([found])


def _number_encoder(column: TableColumn, strict: bool) -> ValueEncoder:
    fill, marks = float(column.fill), column.marks_missing

    def encode(value: Any) -> Features:
        number = _number(value)
        is_number = math.isfinite(number)
        if strict and not is_number:
            raise UnusualValueError
        filled = number if is_number else fill
        return (filled, float(not is_number)) if marks else (filled,)

    return encode


def _number(value: Any) -> float:
    """Return a number or the number that a text is; NaN where it is missing or neither."""
    if isinstance(value, str):
        return _number_in_text(value)
    if isinstance(value, _NUMBERS) and not isinstance(value, bool):
        try:
            return float(value)
        except OverflowError as error:
            raise UnusualValueError from error
    if _is_missing(value):
        return math.nan
    raise UnusualValueError


@lru_cache(_REMEMBERED)
def _number_in_text(text: str) -> float:
    return float(numbers(pd.Series([text]))[0])


def _date_encoder(column: TableColumn, strict: bool) -> ValueEncoder:
    fill, marks, parts = float(column.fill), column.marks_missing, column.parts

    @lru_cache(_REMEMBERED)
    def filled(since_epoch: float) -> Features:
        circles = [date_circle(np.array([since_epoch]), part)[0].tolist() for part in parts]
        return (since_epoch, *(number for circle in circles for number in circle))

    def encode(value: Any) -> Features:
        since_epoch = _days(value)
        is_date = math.isfinite(since_epoch)
        if strict and not is_date:
            raise UnusualValueError
        features = filled(since_epoch if is_date else fill)
        return (*features, float(not is_date)) if marks else features

    return encode


def _days(value: Any) -> float:
    """Return the days from 1970-01-01 to a date; NaN where it is missing or no date."""
    if isinstance(value, str):
        if _DAY.fullmatch(value):
            return _whole_days(value)
        return _days_in(value)
    if _is_missing(value):
        return math.nan
    if isinstance(value, pd.Timestamp):
        return _days_in(value)
    raise UnusualValueError


def _whole_days(text: str) -> float:
    try:
        return float(datetime.date.fromisoformat(text).toordinal() - _FIRST_DAY)
    except ValueError:
        return _days_in(text)


@lru_cache(_REMEMBERED)
def _days_in(value: str | pd.Timestamp) -> float:
    return float(days(pd.Series([value]))[0])


def _level_encoder(column: TableColumn, strict: bool) -> ValueEncoder:
    """Look up the features of a level among those that the encoder of tables gave once."""
    known = [*(column.levels or ()), *(column.rare or ())]
    blocks = encode_column(column, pd.Series([*known, None], dtype=object)).features.tolist()
    of_level: dict[str, Features] = dict(zip(known, map(tuple, blocks), strict=False))
    missing = tuple(blocks[-1])
    unseen = _unseen(column)
    text = partial(level_text, known=set(known))

    def encode(value: Any) -> Features:
        is_missing = _is_missing(value)
        if not is_missing and not isinstance(value, (str, *_NUMBERS)):
            raise UnusualValueError
        found = missing if is_missing else of_level.get(text(value), unseen)
        if strict and (found is missing or found is unseen):
            raise UnusualValueError
        return found

    return encode


def _unseen(column: TableColumn) -> Features:
    """Return the features of a level that is none of the known ones."""
    known = {*(column.levels or ()), *(column.rare or ())}
    new = "?"
    while new in known:
        new += "?"
    block = encode_column(column, pd.Series([new], dtype=object))
    return tuple(block.features[0].tolist())


def _is_missing(value: Any) -> bool:
    if value is None or value is pd.NA or value is pd.NaT:
        return True
    return isinstance(value, float) and math.isnan(value)
