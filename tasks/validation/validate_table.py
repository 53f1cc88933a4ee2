"""Validate a table against its Great Expectations suite; failures are plain sentences."""

from __future__ import annotations

from collections import Counter

import pandas as pd

from tasks.validation.class_counts import CLASS_COUNTS, CLASS_SHARE
from tasks.validation.engine import Numbered, Outcome, failed_outcomes
from tasks.validation.failure_text import failure_sentence
from tasks.validation.quick_checks import quick_outcomes
from tasks.validation.raw_table import RawTable
from tasks.validation.result import Failure, ValidationResult
from tasks.validation.suites.expectations import (
    COLUMN_ORDER,
    COLUMN_SET,
    CRITICAL,
    Expectation,
    Suite,
    level_sets,
)
from tasks.validation.table_frames import Frames, as_levels, frame_name, frames_of

WIDE = 300
"""A suite of more expectations than this is run on the columns in blocks."""

MOST_EXAMPLES = 50
"""The most failures that come with the whole row of their first value."""

_COLUMNS = (COLUMN_ORDER, COLUMN_SET)


def validate_table(table: RawTable, suite: Suite) -> ValidationResult:
    """Validate a table against a suite.

    Expectations about a column that the table lacks or has twice are not run: the expectation
    about the columns reports it once. A warning is dropped where an error of the same kind covers
    more rows.

    Parameters
    ----------
    table : RawTable
        The table as written in its file.
    suite : dict
        The suite, as `build_suite` or `build_own_suite` makes it or `read_suite` reads it.

    Returns
    -------
    ValidationResult
        All failures and warnings, each with the first row that breaks it.

    Raises
    ------
    SuiteError
        If the suite holds an expectation that Great Expectations does not know.
    """
    found = [failure for _, failure in broken_expectations(table, suite)]
    failures = tuple(failure for failure in found if failure.severity == CRITICAL)
    said = {_subject(failure) for failure in failures}
    warnings = tuple(
        failure
        for failure in found
        if failure.severity != CRITICAL and _subject(failure) not in said
    )
    total = len(suite["expectations"])
    return ValidationResult(not failures, table.name, table.checksum, total, failures, warnings)


def broken_expectations(table: RawTable, suite: Suite) -> list[tuple[int, Failure]]:
    """Return each expectation that does not hold, with its position in the suite, in order."""
    outcomes: list[tuple[int, Outcome]] = []
    rest = list(enumerate(suite["expectations"]))
    if len(rest) > WIDE:
        outcomes, rest = quick_outcomes(table, suite)
    frames = frames_of(table, suite, [expectation for _, expectation in rest])
    groups: dict[str, list[Numbered]] = {name: [] for name in frames}
    for position, expectation in rest:
        name = frame_name(expectation)
        column = expectation["kwargs"].get("column")
        if column is None or column in frames[name].columns:
            groups[name].append((position, expectation))
    outcomes += failed_outcomes(frames, groups)
    found = sorted(outcomes, key=lambda pair: pair[0])
    return [
        (position, _failure(table, frames, suite, position, outcome, shown=place < MOST_EXAMPLES))
        for place, (position, outcome) in enumerate(found)
    ]


def _subject(failure: Failure) -> tuple[str, str | None]:
    kind = COLUMN_ORDER if failure.expectation in _COLUMNS else failure.expectation
    return kind, failure.column


def _failure(
    table: RawTable,
    frames: Frames,
    suite: Suite,
    position: int,
    outcome: Outcome,
    *,
    shown: bool,
) -> Failure:
    expectation = {"meta": {}, **suite["expectations"][position]}
    name = frame_name(expectation)
    is_of_classes = name in (CLASS_COUNTS, CLASS_SHARE)
    column = suite["meta"]["target"] if is_of_classes else expectation["kwargs"].get("column")
    row = _first_row(table, suite, frames[name], name, outcome)
    example = None if row is None else table.row(row)
    written = example[column] if example and column else None
    return Failure(
        expectation="positive_share" if name == CLASS_SHARE else expectation["type"],
        column=column,
        message=failure_sentence(expectation, outcome, suite, frames[name], written),
        count=0 if is_of_classes else outcome.count or 0,
        row=None if row is None else table.number(row),
        line=None if row is None else table.line(row),
        example=example if shown else None,
        severity=_severity(expectation, table),
        acceptable=_is_acceptable(expectation, table, suite),
    )


def _severity(expectation: Expectation, table: RawTable) -> str:
    """Return the severity; a duplicate column is critical, whatever the suite says."""
    if expectation["type"] in _COLUMNS and _has_twins(table):
        return CRITICAL
    return str(expectation.get("severity", CRITICAL))


def _is_acceptable(expectation: Expectation, table: RawTable, suite: Suite) -> bool:
    if expectation["type"] in _COLUMNS:
        return suite["meta"]["target"] in table.columns and not _has_twins(table)
    return frame_name(expectation) != CLASS_COUNTS


def _has_twins(table: RawTable) -> bool:
    return max(Counter(table.columns).values(), default=0) > 1


def _first_row(
    table: RawTable, suite: Suite, frame: pd.DataFrame, name: str, outcome: Outcome
) -> int | None:
    places = outcome.places
    if name == CLASS_SHARE:
        return None
    if name != CLASS_COUNTS:
        return places[0] if places else None
    labels = [frame["class"][place] for place in places]
    target = suite["meta"]["target"]
    classes = as_levels(table.cells[target], level_sets(suite)[target])
    rows = classes.isin(labels).to_numpy().nonzero()[0]
    return int(rows[0]) if len(rows) else None
