"""How the features of a table are said: "colour is red" for what the encoder calls colour_red 1."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal

import numpy as np

from smoothrank.arrays import Indices
from smoothrank.tables.columns import TableColumn
from smoothrank.tables.encoder import TableEncoder, in_feature_order, plain_columns
from smoothrank.tables.one_hot import Encoder

HALFWAY = 0.5
"""A 0/1 feature of at least this much is said to hold."""

TURNS = {
    "month": (("January", "July"), ("April", "October")),
    "weekday": (("Monday", "Thursday"), ("Wednesday", "Saturday")),
    "hour": (("midnight", "noon"), ("6 h", "18 h")),
}
"""Where cosine and sine of a periodic part of a date are largest, and where smallest."""


@dataclass(frozen=True)
class FeatureWords:
    """How one feature is said.

    Parameters
    ----------
    name : str
        Its name for people, different from that of any other feature of its column.
    kind : {"number", "flag", "day", "turn"}
        A number; whether something holds; a day, counted from 1970-01-01; a coordinate of a
        point on a circle.
    high, low : str
        What a large and a small value say; of a number and a day nothing.
    of : str
        The column that a point on a circle belongs to.
    """

    name: str
    kind: Literal["number", "flag", "day", "turn"] = "number"
    high: str = ""
    low: str = ""
    of: str = ""

    def said(self, value: float) -> str:
        """Say that the feature has a value."""
        if self.kind == "flag":
            return self.high if value >= HALFWAY else self.low
        if self.kind == "turn":
            return f"{self.of} towards {self.high if value >= 0.0 else self.low}"
        if self.kind == "day":
            return f"{self.name} {day_text(value)}"
        return f"{self.name} {value:.4g}"

    def short(self, value: float) -> str:
        """Write the value alone, for a figure."""
        if self.kind == "flag":
            return "yes" if value >= HALFWAY else "no"
        if self.kind == "turn":
            return _abbreviated(self.high if value >= 0.0 else self.low)
        return day_text(value)[:-3] if self.kind == "day" else f"{value:.3g}"


def feature_words(encoder: TableEncoder | Encoder) -> list[FeatureWords]:
    """Return how each feature of an encoder is said, in its order."""
    return [words for column in encoded_columns(encoder) for words in _words(column)]


def encoded_columns(encoder: TableEncoder | Encoder) -> list[TableColumn]:
    """Return the columns of a table in the order of their features."""
    known = encoder.columns_ if isinstance(encoder, TableEncoder) else plain_columns(encoder)
    return in_feature_order(known)


def column_starts(columns: Sequence[TableColumn]) -> Indices:
    """Return the first feature of each of an encoder's columns."""
    widths = [len(column.features) for column in columns]
    return np.cumsum([0, *widths[:-1]]).astype(np.intp)


def one_line(text: str) -> str:
    """Return a text in one line."""
    return "".join(c if c.isprintable() else " " for c in text)


def day_text(days: float) -> str:
    """Write a day that is counted from 1970-01-01."""
    return str(np.datetime64(round(days), "D"))


def _words(column: TableColumn) -> list[FeatureWords]:
    name = one_line(column.name)
    if column.kind == "levels":
        found = _levels(name, column)
    else:
        found = [FeatureWords(name, "number" if column.kind == "number" else "day")]
        found += [
            FeatureWords(
                f"{name}, {_abbreviated(high)} or {_abbreviated(low)}", "turn", high, low, name
            )
            for part in column.parts
            for high, low in TURNS[part]
        ]
    if column.marks_missing:
        missing = f"{name} is missing"
        found.append(FeatureWords(missing, "flag", missing, f"{name} is there"))
    return found


def _abbreviated(time: str) -> str:
    """Return the first letters of a month or a weekday, and an hour as it is."""
    return time[:3] if time[0].isupper() else time


def _levels(name: str, column: TableColumn) -> list[FeatureWords]:
    first, *others = (one_line(level) for level in column.levels or ("",))
    said = [f"{name} is {level}" for level in others]
    if len(others) == 1 and not column.has_other and not column.marks_missing:
        return [FeatureWords(said[0], "flag", said[0], f"{name} is {first}")]
    found = [
        FeatureWords(held, "flag", held, f"{name} is not {level}")
        for held, level in zip(said, others, strict=True)
    ]
    rare = f"{name} is a rare one"
    return (
        found + [FeatureWords(rare, "flag", rare, f"{name} is a frequent one")] * column.has_other
    )
