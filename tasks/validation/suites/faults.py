"""What is wrong with a stored suite, before anything relies on the types of its values."""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import Any

from tasks.validation.class_counts import CLASS_COUNTS, CLASS_SHARE

Check = Callable[[Any], bool]


def _is_number(value: Any) -> bool:
    return isinstance(value, (int, float)) and not isinstance(value, bool)


def _is_bound(value: Any) -> bool:
    return value is None or _is_number(value) or isinstance(value, str)


def _is_texts(value: Any) -> bool:
    return isinstance(value, list) and all(isinstance(one, str) for one in value)


def _is_values(value: Any) -> bool:
    return isinstance(value, list) and all(isinstance(one, (str, int, float)) for one in value)


def _is_regex(value: Any) -> bool:
    try:
        re.compile(value)
    except (re.error, TypeError, RecursionError, OverflowError):
        return False
    return True


def _is_text(value: Any) -> bool:
    return isinstance(value, str)


_ARGUMENTS: dict[str, tuple[Check, str]] = {
    "column": (_is_text, "the name of a column"),
    "column_list": (_is_texts, "a list of names"),
    "column_set": (_is_texts, "a list of names"),
    "value_set": (_is_values, "a list of values"),
    "regex": (_is_regex, "a regular expression"),
    "mostly": (lambda value: _is_number(value) and 0 <= value <= 1, "a share from 0 to 1"),
    "min_value": (_is_bound, "a number"),
    "max_value": (_is_bound, "a number"),
}
_NEEDED = {
    "expect_table_columns_to_match_ordered_list": ("column_list",),
    "expect_table_columns_to_match_set": ("column_set",),
    "expect_column_values_to_not_be_null": ("column",),
    "expect_column_values_to_match_regex": ("column", "regex"),
    "expect_column_values_to_be_between": ("column",),
    "expect_column_values_to_be_in_set": ("column", "value_set"),
}


def suite_fault(suite: Any) -> str | None:
    """Return what is wrong with a suite, or None if its values have the types they must have."""
    meta = suite.get("meta") if isinstance(suite, dict) else None
    expectations = suite.get("expectations") if isinstance(suite, dict) else None
    if not isinstance(meta, dict) or not isinstance(expectations, list) or not meta.get("target"):
        return "it needs expectations and the target in its meta"
    for key in ("target", "positive"):
        if not isinstance(meta.get(key, ""), str):
            return f"its {key} is not a text"
    if not _is_number(meta.get("positive_share", 0.5)):
        return "its positive_share is not a number"
    faults = (_fault(one) for one in expectations)
    found = ((place, fault) for place, fault in enumerate(faults, start=1) if fault)
    return next((f"expectation {place}: {fault}" for place, fault in found), None)


def _fault(expectation: Any) -> str | None:
    if not isinstance(expectation, dict) or not isinstance(expectation.get("type"), str):
        return "it has no type"
    kwargs, meta = expectation.get("kwargs"), expectation.get("meta", {})
    if not isinstance(kwargs, dict) or not isinstance(meta, dict):
        return "it needs kwargs, and its meta is an object"
    return _fault_of_arguments(expectation["type"], kwargs) or _fault_of_meta(expectation, meta)


def _fault_of_arguments(kind: str, kwargs: dict[str, Any]) -> str | None:
    if absent := [key for key in _NEEDED.get(kind, ()) if key not in kwargs]:
        return f"{kind} needs {absent[0]}"
    for key, (holds, expected) in _ARGUMENTS.items():
        if key in kwargs and not holds(kwargs[key]):
            return f"its {key} is not {expected}"
    return None


def _fault_of_meta(expectation: dict[str, Any], meta: dict[str, Any]) -> str | None:
    if meta.get("kind", "real") not in ("real", "integer"):
        return "its kind is neither real nor integer"
    if meta.get("table", CLASS_COUNTS) not in (CLASS_COUNTS, CLASS_SHARE):
        return f"its table is neither {CLASS_COUNTS} nor {CLASS_SHARE}"
    severity = expectation.get("severity", "critical")
    return None if isinstance(severity, str) else "its severity is not a text"
