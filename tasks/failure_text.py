"""Plain sentences for expectations that do not hold."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable
from typing import Any

import pandas as pd

from tasks.expectations import CLASS_COUNTS, Expectation, Suite

_KINDS = {"integer": "whole numbers", "real": "numbers"}
_MOST_NAMES = 10


def failure_sentence(
    expectation: Expectation,
    outcome: dict[str, Any],
    suite: Suite,
    frame: pd.DataFrame,
    written: str | None,
) -> str:
    """Say in a sentence what breaks an expectation.

    Parameters
    ----------
    expectation : dict
        The expectation, with its `type`, `kwargs` and `meta`.
    outcome : dict
        Great Expectations' result for it.
    suite : dict
        The suite it belongs to.
    frame : pandas.DataFrame
        What it was run on.
    written : str or None
        The first value that breaks it, as it stands in the file.
    """
    result = {**outcome["result"], "example": written}
    if not outcome["result"]:
        return f"{expectation['type']} could not be checked: {_reason(outcome)}"
    if expectation["meta"].get("table") == CLASS_COUNTS:
        return _too_few(expectation, frame)
    sentence = _SENTENCES.get(expectation["type"], _any_other)
    return sentence(expectation, result, suite)


def _reason(outcome: dict[str, Any]) -> str:
    for detail in outcome["exception_info"].values():
        if isinstance(detail, dict) and detail.get("exception_message"):
            return str(detail["exception_message"]).splitlines()[0]
    return str(outcome["exception_info"].get("exception_message") or "no result")


def _columns(expectation: Expectation, result: dict[str, Any], suite: Suite) -> str:
    expected, found = expectation["kwargs"]["column_list"], result["observed_value"]
    if not found:
        return f"The file is empty: none of the {len(expected)} expected columns is there."
    faults = [
        f"{word} {_names(names)}"
        for word, names in (
            ("missing:", [name for name in expected if name not in found]),
            ("not expected:", [name for name in dict.fromkeys(found) if name not in expected]),
            ("more than once:", [name for name, count in Counter(found).items() if count > 1]),
        )
        if names
    ]
    if not faults:
        place = next(i for i, name in enumerate(expected) if name != found[i])
        faults = [
            f"in another order: column {place + 1} is {found[place]!r}, not {expected[place]!r}"
        ]
    return f"The columns differ from the {len(expected)} expected ones; {'; '.join(faults)}."


def _null(expectation: Expectation, result: dict[str, Any], suite: Suite) -> str:
    return f"{_where(expectation)} has {_values(result)} missing; none may be."


def _kind(expectation: Expectation, result: dict[str, Any], suite: Suite) -> str:
    pattern = f"text like {expectation['kwargs']['regex']}"
    kind = _KINDS.get(expectation["meta"].get("kind"), pattern)
    return f"{_where(expectation)} must hold {kind}; {_exceptions(result)}."


def _range(expectation: Expectation, result: dict[str, Any], suite: Suite) -> str:
    low, high = (expectation["kwargs"].get(key) for key in ("min_value", "max_value"))
    if low is None:
        bounds = f"at most {high:.12g}"
    elif high is None:
        bounds = f"at least {low:.12g}"
    else:
        bounds = f"between {low:.12g} and {high:.12g}"
    return f"{_where(expectation)} must be {bounds}; {_exceptions(result)}."


def _levels(expectation: Expectation, result: dict[str, Any], suite: Suite) -> str:
    levels = _names(expectation["kwargs"]["value_set"])
    is_target = expectation["kwargs"]["column"] == suite["meta"]["target"]
    where = f"The class {_where(expectation)}" if is_target else _where(expectation)
    return f"{where} must be one of {levels}; {_exceptions(result)}."


def _too_few(expectation: Expectation, frame: pd.DataFrame) -> str:
    least = expectation["kwargs"]["min_value"]
    few = frame[frame["rows"] < least]
    counts = ", ".join(
        f"{label!r} has {rows}" for label, rows in zip(few["class"], few["rows"], strict=True)
    )
    return f"Each class needs at least {least:g} rows; {counts}."


def _any_other(expectation: Expectation, result: dict[str, Any], suite: Suite) -> str:
    kwargs = {key: value for key, value in expectation["kwargs"].items() if key != "batch_id"}
    wanted = ", ".join(f"{key}={value!r}" for key, value in kwargs.items())
    if "unexpected_count" in result:
        return f"{expectation['type']} ({wanted}) does not hold; {_exceptions(result)}."
    return f"{expectation['type']} ({wanted}) does not hold; seen: {result.get('observed_value')}."


def _where(expectation: Expectation) -> str:
    return repr(expectation["kwargs"]["column"])


def _values(result: dict[str, Any]) -> str:
    count = result["unexpected_count"]
    return f"{count} value" if count == 1 else f"{count} values"


def _exceptions(result: dict[str, Any]) -> str:
    verb = "is not" if result["unexpected_count"] == 1 else "are not"
    return f"{_values(result)} {verb}, such as {result['example']!r}"


def _names(names: list[Any]) -> str:
    shown = ", ".join(repr(name) for name in names[:_MOST_NAMES])
    more = len(names) - _MOST_NAMES
    return f"{shown} and {more} more" if more > 0 else shown


_SENTENCES: dict[str, Callable[[Expectation, dict[str, Any], Suite], str]] = {
    "expect_table_columns_to_match_ordered_list": _columns,
    "expect_column_values_to_not_be_null": _null,
    "expect_column_values_to_match_regex": _kind,
    "expect_column_values_to_be_between": _range,
    "expect_column_values_to_be_in_set": _levels,
}
