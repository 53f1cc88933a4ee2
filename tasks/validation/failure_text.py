"""Plain sentences for expectations that do not hold."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import pandas as pd

from tasks.validation.class_counts import CLASS_COUNTS, CLASS_SHARE
from tasks.validation.engine import Outcome
from tasks.validation.suites.expectations import (
    COLUMN_ORDER,
    COLUMN_SET,
    CRITICAL,
    IN_SET,
    NOT_NULL,
    NUMBER_PATTERNS,
    RANGE,
    REGEX,
    Expectation,
    Suite,
)

_KINDS = {"integer": "whole numbers", "real": "numbers"}
_MOST_NAMES = 10


@dataclass(frozen=True)
class _Found:
    """What breaks an expectation: the outcome, the first such value, and the table seen."""

    outcome: Outcome
    example: str | None
    frame: pd.DataFrame

    @property
    def columns(self) -> list[str]:
        """The columns of the table; of thousands, made only for the sentence about them."""
        return [str(name) for name in self.frame.columns]


def failure_sentence(
    expectation: Expectation,
    outcome: Outcome,
    suite: Suite,
    frame: pd.DataFrame,
    written: str | None,
) -> str:
    """Say in a sentence what breaks an expectation.

    Parameters
    ----------
    expectation : dict
        The expectation, with its `type`, `kwargs` and `meta`.
    outcome : Outcome
        What was found about it.
    suite : dict
        The suite it belongs to.
    frame : pandas.DataFrame
        What it was run on.
    written : str or None
        The first value that breaks it, as it stands in the file.
    """
    if outcome.obstacle is not None:
        return f"{expectation['type']} could not be checked: {outcome.obstacle}"
    table = expectation["meta"].get("table")
    if table == CLASS_COUNTS:
        return _too_few(expectation, frame)
    if table == CLASS_SHARE:
        return _share(expectation, suite, frame)
    found = _Found(outcome, written, frame)
    sentence = _SENTENCES.get(expectation["type"], _any_other)
    return sentence(expectation, found, suite)


def _columns(expectation: Expectation, found: _Found, suite: Suite) -> str:
    expected, seen = _expected_columns(expectation, suite), found.columns
    if not seen:
        return f"The file is empty: none of the {len(expected)} expected columns is there."
    here, known = set(seen), set(expected)
    faults = [
        f"{word} {_names(names)}"
        for word, names in (
            ("missing:", [name for name in expected if name not in here]),
            ("not expected:", [name for name in dict.fromkeys(seen) if name not in known]),
            ("more than once:", [name for name, count in Counter(seen).items() if count > 1]),
        )
        if names
    ]
    if not faults:
        place = next(i for i, name in enumerate(expected) if name != seen[i])
        faults = [
            f"in another order: column {place + 1} is {seen[place]!r}, not {expected[place]!r}"
        ]
    remark = "" if _is_error(expectation) else " (columns are found by their names)"
    return (
        f"The columns differ from the {len(expected)} expected ones; {'; '.join(faults)}{remark}."
    )


def _expected_columns(expectation: Expectation, suite: Suite) -> list[str]:
    """Return the columns in order, even if only some are expected, in any order."""
    for one in (expectation, *suite["expectations"]):
        if "column_list" in one["kwargs"]:
            return list(one["kwargs"]["column_list"])
    return list(expectation["kwargs"]["column_set"])


def _null(expectation: Expectation, found: _Found, suite: Suite) -> str:
    missing = f"{_where(expectation)} has {_values(found)} missing"
    if not _is_error(expectation):
        is_target = expectation["kwargs"]["column"] == suite["meta"]["target"]
        remark = "such rows are left out" if is_target else "they are filled in"
        return f"{missing}; there were none before ({remark})."
    return f"{missing}{_too_many(expectation) or '; none may be'}."


def _kind(expectation: Expectation, found: _Found, _suite: Suite) -> str:
    pattern = f"text like {expectation['kwargs']['regex']}"
    kind = _KINDS.get(expectation["meta"].get("kind"), pattern)
    if _is_error(expectation):
        return f"{_where(expectation)} must hold {kind}; {_exceptions(expectation, found)}."
    is_number = re.match(NUMBER_PATTERNS["real"], found.example or "") is not None
    remark = "" if is_number else " (anything that is not a number counts as missing)"
    held = f"{_where(expectation)} held only {kind} before"
    return f"{held}; {_exceptions(expectation, found)}{remark}."


def _range(expectation: Expectation, found: _Found, _suite: Suite) -> str:
    low, high = (expectation["kwargs"].get(key) for key in ("min_value", "max_value"))
    if low is None:
        bounds = f"at most {high:.12g}"
    elif high is None:
        bounds = f"at least {low:.12g}"
    else:
        bounds = f"between {low:.12g} and {high:.12g}"
    must = "must" if _is_error(expectation) else "should"
    return f"{_where(expectation)} {must} be {bounds}; {_exceptions(expectation, found)}."


def _levels(expectation: Expectation, found: _Found, suite: Suite) -> str:
    levels = _names(expectation["kwargs"]["value_set"])
    is_target = expectation["kwargs"]["column"] == suite["meta"]["target"]
    where = f"The class {_where(expectation)}" if is_target else _where(expectation)
    exceptions = _exceptions(expectation, found)
    if _is_error(expectation):
        return f"{where} must be one of {levels}; {exceptions}."
    remark = "such rows count as negative" if is_target else "new levels count as `other`"
    return f"{where} was one of {levels} before; {exceptions} ({remark})."


def _share(expectation: Expectation, suite: Suite, frame: pd.DataFrame) -> str:
    positive, before = suite["meta"]["positive"], suite["meta"]["positive_share"]
    now = float(frame["seen"].iloc[0])
    return (
        f"The share of the positive class {positive!r} is {_percent(now)}; it was "
        f"{_percent(before)} (expected would be {_percent(expectation['kwargs']['min_value'])} "
        f"to {_percent(expectation['kwargs']['max_value'])})."
    )


def _percent(share: float) -> str:
    return f"{100 * share:.3g} %"


def _too_few(expectation: Expectation, frame: pd.DataFrame) -> str:
    least = expectation["kwargs"]["min_value"]
    few = frame[frame["rows"] < least]
    counts = ", ".join(
        f"{label!r} has {rows}" for label, rows in zip(few["class"], few["rows"], strict=True)
    )
    return f"Each class needs at least {least:g} rows; {counts}."


def _any_other(expectation: Expectation, found: _Found, _suite: Suite) -> str:
    kwargs = {key: value for key, value in expectation["kwargs"].items() if key != "batch_id"}
    wanted = ", ".join(f"{key}={value!r}" for key, value in kwargs.items())
    if found.outcome.count is not None:
        exceptions = _exceptions(expectation, found)
        return f"{expectation['type']} ({wanted}) does not hold; {exceptions}."
    return f"{expectation['type']} ({wanted}) does not hold; seen: {found.outcome.observed}."


def _where(expectation: Expectation) -> str:
    return repr(expectation["kwargs"]["column"])


def _values(found: _Found) -> str:
    count = found.outcome.count
    return f"{count} value" if count == 1 else f"{count} values"


def _exceptions(expectation: Expectation, found: _Found) -> str:
    verb = "is not" if found.outcome.count == 1 else "are not"
    return f"{_values(found)} {verb}{_too_many(expectation)}, such as {found.example!r}"


def _too_many(expectation: Expectation) -> str:
    """Say which share of the values may break an expectation, if any may."""
    mostly = expectation["kwargs"].get("mostly", 1.0)
    return f" (more than {_percent(1.0 - mostly)})" if mostly < 1.0 else ""


def _is_error(expectation: Expectation) -> bool:
    return bool(expectation.get("severity", CRITICAL) == CRITICAL)


def _names(names: list[Any]) -> str:
    shown = ", ".join(repr(name) for name in names[:_MOST_NAMES])
    more = len(names) - _MOST_NAMES
    return f"{shown} and {more} more" if more > 0 else shown


_SENTENCES: dict[str, Callable[[Expectation, _Found, Suite], str]] = {
    COLUMN_ORDER: _columns,
    COLUMN_SET: _columns,
    NOT_NULL: _null,
    REGEX: _kind,
    RANGE: _range,
    IN_SET: _levels,
}
