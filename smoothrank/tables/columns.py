"""What is learnt about one column of a table, and the features it becomes."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import Literal

import numpy as np
import numpy.typing as npt
import pandas as pd

from smoothrank.arrays import Flags, Matrix, Vector

Kind = Literal["number", "levels", "date"]

PERIODS = {"month": 12, "weekday": 7, "hour": 24}
"""Periodic parts of a date, and their periods."""

_WHOLE_FLOAT = re.compile(r"-?\d+\.0+")
_DAY = 86_400e6
_EPOCH = "days since 1970-01-01"


@dataclass(frozen=True)
class TableColumn:
    """A column that is learnt from.

    Parameters
    ----------
    name : str
        Its name in the file.
    kind : {"number", "levels", "date"}
        What its values are.
    fill : float or str
        What a missing value is taken for: the median, in days for a date, or the most frequent
        level. A level never seen is taken for the same where there is no level `other`.
    levels : tuple of str or None
        The levels that have a name, sorted; the first of them has no feature. None unless the
        kind is levels.
    has_other : bool
        Whether rare levels, and those never seen, are together in one level.
    marks_missing : bool
        Whether a 0/1 feature says where the value is missing; in a column of levels, missing is
        then a level of its own.
    missing_share : float
        The share of missing values in the rows learnt from.
    parts : tuple of str
        The parts of a date that are features too: month, weekday, hour, each as a point on a
        circle, so that December is near January.
    rare : tuple of str or None
        The levels that were put together; None if they are too many to remember.
    """

    name: str
    kind: Kind
    fill: float | str
    levels: tuple[str, ...] | None = None
    has_other: bool = False
    marks_missing: bool = False
    missing_share: float = 0.0
    parts: tuple[str, ...] = ()
    rare: tuple[str, ...] | None = ()

    @property
    def features(self) -> list[str]:
        """The names of the features that the column becomes, each in one line."""
        if self.kind == "levels":
            names = [f"{self.name}_{level}" for level in (self.levels or ())[1:]]
            names += [f"{self.name} (other)"] * self.has_other
        elif self.kind == "date":
            names = [f"{self.name} ({_EPOCH})"]
            names += [f"{self.name} ({part}, {f})" for part in self.parts for f in ("cos", "sin")]
        else:
            names = [self.name]
        names += [f"{self.name} is missing"] * self.marks_missing
        return ["".join(c if c.isprintable() else " " for c in name) for name in names]


@dataclass(frozen=True, eq=False)
class Block:
    """The features of one column, and which rows had unexpected values."""

    features: Matrix
    missing: Flags
    unseen: Flags
    unreadable: Flags


def encode_column(column: TableColumn, values: pd.Series) -> Block:
    """Turn the values of a column into its features."""
    if column.kind == "levels":
        return _encode_levels(column, values)
    missing = values.isna().to_numpy()
    found = days(values) if column.kind == "date" else numbers(values)
    unreadable = ~np.isfinite(found) & ~missing
    filled = np.where(np.isfinite(found), found, float(column.fill))
    blocks = [filled[:, None], *(date_circle(filled, part) for part in column.parts)]
    if column.marks_missing:
        blocks.append((missing | unreadable).astype(np.float64)[:, None])
    return Block(np.hstack(blocks), missing, np.zeros(len(values), dtype=bool), unreadable)


def numbers(values: pd.Series) -> Vector:
    """Return values as numbers; NaN where a value is missing or not a number."""
    if values.dtype.kind in "mM":
        return np.full(len(values), np.nan)
    plain = values if values.dtype != object else values.astype("str").where(values.notna())
    if isinstance(plain.dtype, pd.CategoricalDtype):
        plain = plain.astype(object)
    found: Vector = pd.to_numeric(plain, errors="coerce").to_numpy(np.float64, na_value=np.nan)
    return found


def days(values: pd.Series) -> Vector:
    """Return dates as days since 1970-01-01; NaN where a value is missing or not a date."""
    if values.dtype.kind in "iufb":
        return np.full(len(values), np.nan)
    dates = values
    if not pd.api.types.is_datetime64_any_dtype(values.dtype):
        dates = pd.to_datetime(values.astype("str"), errors="coerce", format="ISO8601", utc=True)
    if isinstance(dates.dtype, pd.DatetimeTZDtype):
        dates = dates.dt.tz_convert("UTC").dt.tz_localize(None)
    found = dates.astype("datetime64[us]").to_numpy()
    return np.where(np.isnat(found), np.nan, found.astype(np.int64) / _DAY)


def date_part(since_epoch: Vector, part: str) -> npt.NDArray[np.int64]:
    """Return month, weekday or hour of dates in days since 1970-01-01, counted from 0."""
    stamps = pd.DatetimeIndex(np.rint(since_epoch * 86_400).astype("datetime64[s]"))
    found = {"month": stamps.month - 1, "weekday": stamps.day_of_week, "hour": stamps.hour}[part]
    return np.asarray(found, dtype=np.int64)


def date_circle(since_epoch: Vector, part: str) -> Matrix:
    """Return month, weekday or hour of dates as points on a circle, of shape (n, 2)."""
    angle = 2.0 * np.pi * date_part(since_epoch, part) / PERIODS[part]
    return np.column_stack((np.cos(angle), np.sin(angle)))


def level_texts(values: pd.Series, levels: tuple[str, ...] = ()) -> npt.NDArray[np.object_]:
    """Return levels as texts, None where missing; 1.0 is '1' unless there is a level '1.0'."""
    texts = np.full(len(values), None, dtype=object)
    present = values.notna().to_numpy()
    known = set(levels)
    texts[present] = [level_text(value, known) for value in values[present].tolist()]
    return texts


def level_text(value: object, known: set[str]) -> str:
    """Return a level as a text; see `level_texts`."""
    text = str(value)
    if text in known or not (known or isinstance(value, float)):
        return text
    return text.partition(".")[0] if _WHOLE_FLOAT.fullmatch(text) else text


def _encode_levels(column: TableColumn, values: pd.Series) -> Block:
    levels = column.levels or ()
    texts = level_texts(values, (*levels, *(column.rare or ())))
    missing = values.isna().to_numpy()
    place = {level: number for number, level in enumerate(levels)}
    place |= dict.fromkeys(column.rare or (), len(levels))
    unknown = len(levels) if column.has_other else place[str(column.fill)]
    lost = len(levels) + column.has_other if column.marks_missing else place[str(column.fill)]
    codes = pd.Series(texts).map(place).to_numpy(np.float64, copy=True)
    new = np.isnan(codes) & ~missing
    codes[new], codes[missing] = unknown, lost
    width = len(levels) + column.has_other + column.marks_missing
    features = np.zeros((len(values), width))
    features[np.arange(len(values)), codes.astype(np.intp)] = 1.0
    nowhere = np.zeros(len(values), dtype=bool)
    unseen = nowhere if column.rare is None else new
    return Block(features[:, 1:], missing, unseen, nowhere)
