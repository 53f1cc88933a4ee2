"""The suite of a user's own file: what a first file shows, as errors and warnings for later ones.

A strict suite stops at every difference; tomorrow's file always has one. So what the model can
tolerate is a warning, and becomes an error where it affects many rows.
"""

from __future__ import annotations

import math
from collections.abc import Collection
from dataclasses import replace
from datetime import datetime

import numpy as np
import numpy.typing as npt
import pandas as pd

from smoothrank.datasets.dataset import Attribute, Dataset, Schema
from smoothrank.errors import SmoothrankError
from smoothrank.tables.left_out import FEW_ROWS, numeric_id
from tasks.validation.class_counts import CLASS_SHARE, share_bounds
from tasks.validation.raw_table import RawTable
from tasks.validation.suites.expectations import (
    COLUMN_ORDER,
    COLUMN_SET,
    CRITICAL,
    IN_SET,
    NOT_NULL,
    NUMBER_PATTERNS,
    RANGE,
    REGEX,
    WARNING,
    Expectation,
    Suite,
    build_suite,
    expect,
    kind_of,
)

RANGE_MARGIN = 1.0
MAX_LEVELS = 100
NEARLY_ALL = 0.95
"""Numbers and ranges: an error if less than this share of the values is as expected."""

HALF = 0.5
"""Levels and missing values: an error if less than this share is as expected."""


def build_own_suite(
    table: RawTable,
    dataset: Dataset,
    range_margin: float = RANGE_MARGIN,
    ids: Collection[str] = (),
) -> Suite:
    """Make the suite of a user's file from what it shows.

    Parameters
    ----------
    table : RawTable
        The file as written.
    dataset : Dataset
        The same file as it is learnt from.
    range_margin : float
        How far ranges are widened; see `observed_schema`.
    ids : collection of str
        Id columns, of which nothing is expected.

    Returns
    -------
    dict
        Errors: a column that is gone; an unknown class; fewer than two rows of a class; numbers or
        ranges that more than a twentieth of the values break; levels or missing values where more
        than half do. Warnings: the same in fewer rows, other columns or another order, and
        another share of positives.
    """
    schema = observed_schema(dataset, range_margin)
    attributes = tuple(_free(a) if a.name in ids else a for a in schema.attributes)
    schema = replace(schema, attributes=attributes)
    free = {attribute.name for attribute in attributes if attribute == _free(attribute)}
    suite = _softened(build_suite(dataset.name, schema, table.columns), free)
    share = expect(RANGE, WARNING, column="share", **share_bounds(dataset.y == 1))
    share["meta"] = {"table": CLASS_SHARE}
    suite["expectations"].append(share)
    suite["meta"]["positive_share"] = round(float(np.mean(dataset.y == 1)), 6)
    suite["meta"]["rows"] = len(dataset.y)
    return suite


def _free(attribute: Attribute) -> Attribute:
    """Return a column of which nothing is expected, not even that it exists."""
    return replace(attribute, kind="nominal", low=None, high=None, levels=(), nullable=True)


def _softened(suite: Suite, free: Collection[str]) -> Suite:
    target = suite["meta"]["target"]
    found: list[Expectation] = []
    for expectation in suite["expectations"]:
        column = expectation["kwargs"].get("column")
        if expectation["type"] == COLUMN_ORDER:
            names = expectation["kwargs"]["column_list"]
            needed = [name for name in names if name not in free]
            found.append(expect(COLUMN_SET, CRITICAL, column_set=needed, exact_match=False))
            found.append({**expectation, "severity": WARNING})
        elif column in (None, target) or expectation["meta"].get("table"):
            found.append(expectation)
        else:
            found += _both(expectation)
    return {**suite, "expectations": found}


def _both(strict: Expectation) -> list[Expectation]:
    """Return an error where many values break it, and a warning where any does."""
    share = {NOT_NULL: HALF, IN_SET: HALF, REGEX: NEARLY_ALL, RANGE: NEARLY_ALL}[strict["type"]]
    error = {**strict, "kwargs": {**strict["kwargs"], "mostly": share}, "severity": CRITICAL}
    if kind_of(strict) == "integer":
        error["kwargs"]["regex"] = NUMBER_PATTERNS["real"]
        error["meta"] = {"kind": "real"}
    return [error, {**strict, "severity": WARNING}]


def observed_schema(
    dataset: Dataset, range_margin: float = RANGE_MARGIN, max_levels: int = MAX_LEVELS
) -> Schema:
    """Return the schema that a first file shows, loosely enough for tomorrow's file.

    Kinds, missing values and class values are expected exactly as seen. A numeric column's range is
    the one seen, widened on both sides: a new record high is no fault, another unit or a -9999
    is. A nominal column's levels are the ones seen. Nothing is expected of what grows by itself:
    running numbers, dates, and texts of which there are so many that new ones are to be expected.

    Parameters
    ----------
    dataset : Dataset
        The file's table and inferred schema.
    range_margin : float
        How far a range is widened on each side, in widths of the range seen; a constant column
        counts as one as wide as its value. 0 keeps new data to the range seen, infinity sets no
        range.
    max_levels : int
        The levels of a nominal column with more than this many are not checked.

    Returns
    -------
    Schema
        The schema to make the suite from.
    """
    if not range_margin >= 0:
        raise SmoothrankError(f"the range margin must be 0 or more, not {range_margin}")
    attributes = tuple(
        _observed(attribute, _present(dataset.X[attribute.name]), range_margin, max_levels)
        for attribute in dataset.schema.attributes
    )
    return replace(dataset.schema, attributes=attributes)


def _present(values: pd.Series) -> pd.Series:
    return values.dropna() if values.hasnans else values


def _observed(
    attribute: Attribute, values: pd.Series, range_margin: float, max_levels: int
) -> Attribute:
    if attribute.kind in ("nominal", "date"):
        grows = _is_growing_text(attribute.levels, len(values), max_levels)
        return _free(attribute) if grows else attribute
    numbers = values.to_numpy(dtype=np.float64)
    if numeric_id(attribute.name, values) is not None:
        return _free(attribute)
    if len(numbers) == 0 or math.isinf(range_margin) or _is_growing(numbers):
        return replace(attribute, low=None, high=None)
    low, high = float(numbers.min()), float(numbers.max())
    width = (high - low) or abs(high) or 1.0
    bounds = low - range_margin * width, high + range_margin * width
    low_bound, high_bound = (bound if math.isfinite(bound) else None for bound in bounds)
    return replace(attribute, low=low_bound, high=high_bound)


def _is_growing(numbers: npt.NDArray[np.float64]) -> bool:
    """Return whether each number exceeds the one before, as with timestamps and ids."""
    return len(numbers) >= FEW_ROWS and bool((np.diff(numbers) > 0).all())


def _is_growing_text(levels: tuple[str, ...], n_rows: int, max_levels: int) -> bool:
    """Return whether every new file brings new texts: dates, names, remarks."""
    if len(levels) > max_levels or all(map(_is_date, levels)):
        return True
    return n_rows >= FEW_ROWS and len(levels) > n_rows / 2


def _is_date(text: str) -> bool:
    try:
        datetime.fromisoformat(text.strip())
    except ValueError:
        return False
    return True
