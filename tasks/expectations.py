"""Great Expectations suites: made from a schema, stored as JSON, read back.

A suite is a plain dictionary in Great Expectations' own form, so making and storing one needs
no Great Expectations, and the same schema gives the same bytes on every machine.
"""

from __future__ import annotations

import json
import math
from collections.abc import Sequence
from dataclasses import replace
from datetime import datetime
from pathlib import Path
from typing import Any

from smoothrank.datasets.dataset import Attribute, Dataset, Schema
from smoothrank.errors import SmoothrankError

Suite = dict[str, Any]
Expectation = dict[str, Any]

MINIMUM_ROWS_OF_A_CLASS = 2
CLASS_COUNTS = "class_counts"
RANGE_MARGIN = 1.0
MAX_LEVELS = 100

_DIGITS = r"(?:[0-9]+\.?[0-9]*|\.[0-9]+)"
NUMBER_PATTERNS = {
    "integer": r"^ *[+-]?[0-9]+(?:\.0*)? *$",
    "real": rf"^ *[+-]?{_DIGITS}(?:[eE][+-]?[0-9]+)? *$",
}


class SuiteError(SmoothrankError):
    """A stored suite cannot be used: not JSON, not a suite, or an unknown expectation."""


def build_suite(name: str, schema: Schema, columns: Sequence[str] | None = None) -> Suite:
    """Make the suite of a data set from what its header says.

    Parameters
    ----------
    name : str
        The data set's name, which becomes the suite's.
    schema : Schema
        The columns, with kinds, ranges, levels and whether values may be missing.
    columns : sequence of str, optional
        The column names in the file's order; by default the inputs, then the target.

    Returns
    -------
    dict
        The columns in order; for each column its kind, range, levels and missing values; the
        class values; and at least two rows of each class.
    """
    attributes = (*schema.attributes, schema.target)
    order = list(columns or (attribute.name for attribute in attributes))
    expectations = [_expect("expect_table_columns_to_match_ordered_list", column_list=order)]
    for attribute in attributes:
        expectations += _column_expectations(attribute)
    enough = _expect(
        "expect_column_values_to_be_between", column="rows", min_value=MINIMUM_ROWS_OF_A_CLASS
    )
    enough["meta"] = {"table": CLASS_COUNTS}
    meta = {"target": schema.target.name, "positive": schema.positive}
    return {"name": name, "meta": meta, "expectations": [*expectations, enough]}


def _column_expectations(attribute: Attribute) -> list[Expectation]:
    column, found = attribute.name, []
    if not attribute.nullable:
        found.append(_expect("expect_column_values_to_not_be_null", column=column))
    if attribute.kind in NUMBER_PATTERNS:
        pattern = NUMBER_PATTERNS[attribute.kind]
        kind = _expect("expect_column_values_to_match_regex", column=column, regex=pattern)
        kind["meta"] = {"kind": attribute.kind}
        found.append(kind)
        bounds = {"min_value": attribute.low, "max_value": attribute.high}
        stated = {key: bound for key, bound in bounds.items() if bound is not None}
        if stated:
            found.append(_expect("expect_column_values_to_be_between", column=column, **stated))
    elif attribute.levels:
        levels = list(attribute.levels)
        found.append(_expect("expect_column_values_to_be_in_set", column=column, value_set=levels))
    return found


def _expect(expectation: str, **kwargs: Any) -> Expectation:
    return {"type": expectation, "kwargs": kwargs, "meta": {}, "severity": "critical"}


def observed_schema(
    dataset: Dataset, range_margin: float = RANGE_MARGIN, max_levels: int = MAX_LEVELS
) -> Schema:
    """State what a first file shows about its columns, loosely enough for tomorrow's file.

    Kinds, missing values and class values are held exactly as seen. A numeric column's range is
    the one seen, widened on both sides: a new record high is no fault, another unit or a -9999
    is. A nominal column's levels are the ones seen, unless there are so many that new ones are
    to be expected, or they are dates.

    Parameters
    ----------
    dataset : Dataset
        The file's table and inferred schema.
    range_margin : float
        How far a range is widened on each side, in widths of the range seen; a constant column
        counts as one as wide as its value. 0 holds new data to the range seen, infinity sets no
        range.
    max_levels : int
        A nominal column with more levels than this is not held to them.

    Returns
    -------
    Schema
        The schema to make the suite from.
    """
    if not range_margin >= 0:
        raise SmoothrankError(f"the range margin must be 0 or more, not {range_margin}")
    attributes = tuple(
        _observed(attribute, dataset, range_margin, max_levels)
        for attribute in dataset.schema.attributes
    )
    return replace(dataset.schema, attributes=attributes)


def _observed(
    attribute: Attribute, dataset: Dataset, range_margin: float, max_levels: int
) -> Attribute:
    if attribute.kind == "date":
        return attribute
    values = dataset.X[attribute.name].dropna()
    if attribute.kind == "nominal":
        is_open = len(attribute.levels) > max_levels or all(map(_is_date, attribute.levels))
        return replace(attribute, levels=()) if is_open else attribute
    if values.empty or math.isinf(range_margin):
        return replace(attribute, low=None, high=None)
    low, high = float(values.min()), float(values.max())
    width = (high - low) or abs(high) or 1.0
    bounds = low - range_margin * width, high + range_margin * width
    low_bound, high_bound = (bound if math.isfinite(bound) else None for bound in bounds)
    return replace(attribute, low=low_bound, high=high_bound)


def _is_date(text: str) -> bool:
    try:
        datetime.fromisoformat(text.strip())
    except ValueError:
        return False
    return True


def suite_text(suite: Suite) -> str:
    """Write a suite as JSON text: the same text for the same suite, on every machine."""
    return json.dumps(suite, indent=1, sort_keys=True, ensure_ascii=False, allow_nan=False) + "\n"


def write_suite(suite: Suite, path: Path) -> None:
    """Store a suite as JSON, making its folder if there is none."""
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(suite_text(suite), encoding="utf-8", newline="\n")
    except OSError as error:
        raise SuiteError(f"cannot write {path}: {error.strerror or error}") from None


def read_suite(path: Path) -> Suite:
    """Read a stored suite.

    Raises
    ------
    SuiteError
        If the file holds no suite with a target column.
    """
    try:
        suite = json.loads(path.read_text(encoding="utf-8"))
    except OSError as error:
        raise SuiteError(f"cannot read {path}: {error.strerror or error}") from None
    except ValueError as error:
        raise SuiteError(f"{path} is not a JSON file: {error}") from None
    try:
        complete = bool(suite["meta"]["target"]) and all(
            isinstance(item["type"], str)
            and isinstance(item["kwargs"], dict)
            and isinstance(item.get("meta", {}), dict)
            for item in suite["expectations"]
        )
    except (KeyError, TypeError, AttributeError):
        complete = False
    if not complete:
        raise SuiteError(f"{path} is not a suite: it needs expectations and the target in its meta")
    return dict(suite)


def number_columns(suite: Suite) -> dict[str, str]:
    """Name the columns that a suite says hold numbers, with their kinds."""
    return {
        expectation["kwargs"]["column"]: expectation["meta"]["kind"]
        for expectation in suite["expectations"]
        if "kind" in expectation.get("meta", {}) and "column" in expectation["kwargs"]
    }


def level_sets(suite: Suite) -> dict[str, list[str]]:
    """Name the columns that a suite holds to a list of values, with those values."""
    return {
        expectation["kwargs"]["column"]: [
            str(level) for level in expectation["kwargs"]["value_set"]
        ]
        for expectation in suite["expectations"]
        if expectation["type"] == "expect_column_values_to_be_in_set"
        and {"column", "value_set"} <= expectation["kwargs"].keys()
    }


def negative_of(suite: Suite) -> str | None:
    """Return the name of a suite's negative class, if it has one."""
    levels = level_sets(suite).get(suite["meta"]["target"], [])
    others = [level for level in levels if level != suite["meta"].get("positive")]
    return others[0] if len(others) == 1 else None
