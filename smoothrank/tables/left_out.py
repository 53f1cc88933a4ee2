"""Columns that nothing can be learnt from: constants, row ids, free text."""

from __future__ import annotations

import re
from dataclasses import dataclass

import numpy as np
import pandas as pd

FEW_ROWS = 20
"""In a shorter table a number of its own in every row is no sign of an id."""

NEARLY_ALL = 0.95
"""The share of distinct values from which a column named like an id is one."""

RUNNING_DENSITY = 0.5
"""Distinct whole numbers that fill this share of their range are a running number."""

MOSTLY_DISTINCT = 0.9
"""The share of distinct texts from which nearly every row has its own."""

_ID_NAME = re.compile(
    r"(?:.*[\W_])?(?:id|ids|uuid|guid|key|nr)|(?:.*[\W_])?index|idx|row(?:[\W_]?(?:names?|num|number))?"
    r"|unnamed: \d+|",
    re.IGNORECASE,
)
_NAMELESS = re.compile(r"(?:unnamed: \d+(?:\.\d+)?)?", re.IGNORECASE)
_CAMEL_ID = re.compile(r".*[a-z0-9](?:Id|ID)|.*[a-z](?:Key|UUID|Uuid|GUID|Guid|Nr|No)")
_TIME_NAME = re.compile(r"year|jahr|month|day|date|time|age|hour|week", re.IGNORECASE)


@dataclass(frozen=True)
class LeftOut:
    """A column that is not learnt from, and why."""

    name: str
    reason: str


def looks_like_an_id_name(name: str) -> bool:
    """Return whether a column is named like an id: id, customer_id, PassengerId, Unnamed: 0."""
    return bool(_ID_NAME.fullmatch(name.strip()) or _CAMEL_ID.fullmatch(name.strip()))


def numeric_id(name: str, numbers: pd.Series) -> str | None:
    """Return why a column of numbers is an id, or None if it may be a measurement.

    Parameters
    ----------
    name : str
        The column's name.
    numbers : pandas.Series
        Its values that are not missing.
    """
    n, values = len(numbers), numbers.to_numpy(dtype=np.float64)
    if n < FEW_ROWS or not np.array_equal(values, np.floor(values)):
        return None
    distinct = len(np.unique(values))
    if looks_like_an_id_name(name) and distinct >= NEARLY_ALL * n:
        return "a number of its own in every row, and the name of an id"
    if _NAMELESS.fullmatch(name.strip()) and distinct >= FEW_ROWS:
        return "whole numbers without a name, as row numbers are"
    dense = distinct >= RUNNING_DENSITY * (values.max() - values.min() + 1)
    if distinct == n and dense and not _TIME_NAME.search(name):
        return "a running number"
    return None


def free_text(n_levels: int, n_rows: int) -> str | None:
    """Return why texts are not levels, or None if some may recur in new rows."""
    if n_levels == n_rows and n_rows >= 5:
        return "a different text in every row"
    if n_levels > FEW_ROWS and n_levels > MOSTLY_DISTINCT * n_rows:
        return "a different text in nearly every row"
    return None
