"""Great Expectations suites: made from a schema, stored as JSON, read back.

A suite is a plain dictionary in Great Expectations' own form, so making and storing one needs
no Great Expectations, and the same schema gives the same bytes on every machine.
"""

from __future__ import annotations

import json
from collections.abc import Collection, Sequence
from pathlib import Path
from typing import Any

from smoothrank.datasets.dataset import Attribute, Schema
from smoothrank.errors import SmoothrankError
from tasks.validation.class_counts import CLASS_COUNTS
from tasks.validation.suites.faults import suite_fault

Suite = dict[str, Any]
Expectation = dict[str, Any]

COLUMN_ORDER = "expect_table_columns_to_match_ordered_list"
COLUMN_SET = "expect_table_columns_to_match_set"
NOT_NULL = "expect_column_values_to_not_be_null"
REGEX = "expect_column_values_to_match_regex"
RANGE = "expect_column_values_to_be_between"
IN_SET = "expect_column_values_to_be_in_set"

CRITICAL, WARNING = "critical", "warning"

MINIMUM_ROWS_OF_A_CLASS = 2
MOST_BYTES = 200 * 1024**2

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
    expectations = [expect(COLUMN_ORDER, column_list=order)]
    for attribute in attributes:
        expectations += _column_expectations(attribute)
    enough = expect(RANGE, column="rows", min_value=MINIMUM_ROWS_OF_A_CLASS)
    enough["meta"] = {"table": CLASS_COUNTS}
    meta = {"target": schema.target.name, "positive": schema.positive}
    return {"name": name, "meta": meta, "expectations": [*expectations, enough]}


def _column_expectations(attribute: Attribute) -> list[Expectation]:
    column, found = attribute.name, []
    if not attribute.nullable:
        found.append(expect(NOT_NULL, column=column))
    if attribute.kind in NUMBER_PATTERNS:
        pattern = NUMBER_PATTERNS[attribute.kind]
        kind = expect(REGEX, column=column, regex=pattern)
        kind["meta"] = {"kind": attribute.kind}
        found.append(kind)
        bounds = {"min_value": attribute.low, "max_value": attribute.high}
        stated: dict[str, Any] = {key: bound for key, bound in bounds.items() if bound is not None}
        if stated:
            found.append(expect(RANGE, column=column, **stated))
    elif attribute.levels:
        levels = list(attribute.levels)
        found.append(expect(IN_SET, column=column, value_set=levels))
    return found


def expect(expectation: str, severity: str = CRITICAL, **kwargs: Any) -> Expectation:
    """Return an expectation in Great Expectations' own form."""
    return {"type": expectation, "kwargs": kwargs, "meta": {}, "severity": severity}


def kind_of(expectation: Expectation) -> str | None:
    """Return the kind of numbers that an expectation asks for, if it does."""
    kind = expectation.get("meta", {}).get("kind")
    return None if kind is None else str(kind)


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
    from smoothrank.datasets.files.regular import read_bytes

    try:
        suite = json.loads(read_bytes(path, MOST_BYTES))
    except OSError as error:
        raise SuiteError(f"cannot read {path}: {error.strerror or error}") from None
    except RecursionError:
        raise SuiteError(f"{path} is not a suite: it is nested too deeply") from None
    except ValueError as error:
        raise SuiteError(f"{path} is not a JSON file: {error}") from None
    if fault := suite_fault(suite):
        raise SuiteError(f"{path} is not a suite: {fault}")
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
        if expectation["type"] == IN_SET and {"column", "value_set"} <= expectation["kwargs"].keys()
    }


def suite_columns(suite: Suite) -> list[str]:
    """Name the columns that a suite expects, in order."""
    for expectation in suite["expectations"]:
        if expectation["type"] == COLUMN_ORDER:
            return list(expectation["kwargs"]["column_list"])
    return []


def without_columns(suite: Suite, names: Collection[str]) -> Suite:
    """Return a suite that expects nothing of some columns, not even that they are there."""
    kept = []
    for expectation in suite["expectations"]:
        kwargs = expectation["kwargs"]
        if kwargs.get("column") in names and "table" not in expectation.get("meta", {}):
            continue
        lists = {
            key: [name for name in kwargs[key] if name not in names]
            for key in ("column_list", "column_set")
            if key in kwargs
        }
        kept.append({**expectation, "kwargs": kwargs | lists})
    return {**suite, "expectations": kept}


def negative_of(suite: Suite) -> str | None:
    """Return the name of a suite's negative class, if it has one."""
    levels = level_sets(suite).get(suite["meta"]["target"], [])
    others = [level for level in levels if level != suite["meta"].get("positive")]
    return others[0] if len(others) == 1 else None
