"""A suite that holds for old files and for a new one, and what has changed in it."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from tasks.validation.class_counts import CLASS_SHARE
from tasks.validation.suites.expectations import (
    COLUMN_ORDER,
    COLUMN_SET,
    IN_SET,
    NOT_NULL,
    RANGE,
    REGEX,
    Expectation,
    Suite,
    kind_of,
    suite_columns,
)

Key = tuple[str, str | None, str | None]

_OWN = (COLUMN_ORDER, COLUMN_SET, NOT_NULL, REGEX, RANGE, IN_SET)
_BOUNDS = (("min_value", min), ("max_value", max))
_MOST_NAMES = 10


def widened(old: Suite, new: Suite) -> Suite:
    """Merge two suites: what either allows is allowed, in the form of the new one.

    Ranges and levels are merged; values may be missing where either suite allows it; columns that
    both need are needed. What was written by hand into the old suite stays.
    """
    before, known = _by_key(old), set(suite_columns(old))
    found = []
    for expectation in new["expectations"]:
        column = _key(expectation)[1]
        counterpart = before.get(_key(expectation))
        if counterpart is not None:
            found.append(_united(counterpart, expectation))
        elif column is None or column not in known:
            found.append(_needed_by_both(old, expectation))
    gone = known - set(suite_columns(new))
    for expectation in old["expectations"]:
        is_of_gone = expectation["kwargs"].get("column") in gone
        if expectation["type"] not in _OWN or is_of_gone:
            found.append(expectation)
    return {**new, "expectations": found}


def suite_changes(old: Suite, new: Suite) -> list[str]:
    """Return what a suite expects differently from an earlier one, a line each."""
    return [*_meta_changes(old, new), *_column_changes(old, new), *_value_changes(old, new)]


def _key(expectation: Expectation) -> Key:
    table = expectation.get("meta", {}).get("table")
    column = None if table else expectation["kwargs"].get("column")
    return expectation["type"], column, table


def _by_key(suite: Suite) -> dict[Key, Expectation]:
    """Return the expectations by what they are about; of an error and a warning the warning."""
    return {_key(expectation): expectation for expectation in suite["expectations"]}


def _united(old: Expectation, new: Expectation) -> Expectation:
    before, kwargs, meta = old["kwargs"], dict(new["kwargs"]), dict(new.get("meta", {}))
    if new["type"] == RANGE:
        for bound, outer in _BOUNDS:
            both = (before.get(bound), kwargs.pop(bound, None))
            if None not in both:
                kwargs[bound] = outer(both)
    elif new["type"] == IN_SET:
        kwargs["value_set"] = list(dict.fromkeys([*before["value_set"], *kwargs["value_set"]]))
    elif new["type"] == REGEX and kind_of(old) == "real":
        kwargs["regex"], meta = before["regex"], {"kind": "real"}
    elif new["type"] == COLUMN_SET:
        kwargs["column_set"] = [n for n in kwargs["column_set"] if n in before["column_set"]]
    return {**new, "kwargs": kwargs, "meta": meta}


def _needed_by_both(old: Suite, expectation: Expectation) -> Expectation:
    """Return the columns that both suites need; an earlier version's suite needs all of its own."""
    if expectation["type"] != COLUMN_SET:
        return expectation
    needed = [n for n in expectation["kwargs"]["column_set"] if n in suite_columns(old)]
    return {**expectation, "kwargs": {**expectation["kwargs"], "column_set": needed}}


def _meta_changes(old: Suite, new: Suite) -> Iterator[str]:
    for what, name in (("target", "target"), ("positive", "positive label")):
        if old["meta"].get(what) != new["meta"].get(what):
            yield f"{name}: {new['meta'].get(what)!r} instead of {old['meta'].get(what)!r}"
    shares = [suite["meta"].get("positive_share") for suite in (old, new)]
    if None not in shares and shares[0] != shares[1]:
        key = (RANGE, None, CLASS_SHARE)
        low, high = (_by_key(new)[key]["kwargs"].get(bound) for bound, _ in _BOUNDS)
        before, now, least, most = (f"{100 * share:.3g} %" for share in (*shares, low, high))
        yield (
            f"positive share: {now} instead of {before}; {least} to {most} is expected from now on"
        )


def _column_changes(old: Suite, new: Suite) -> Iterator[str]:
    before, now = suite_columns(old), suite_columns(new)
    if added := [name for name in now if name not in before]:
        yield f"new columns: {_names(added)}"
    if gone := [name for name in before if name not in now]:
        yield f"columns that need not be there any more: {_names(gone)}"
    if not added and not gone and before != now:
        yield "columns in another order"


def _value_changes(old: Suite, new: Suite) -> Iterator[str]:
    before, now = _by_key(old), _by_key(new)
    kept = set(suite_columns(old)) & set(suite_columns(new))
    for key, expectation in before.items():
        kind, column, _ = key
        if column not in kept:
            continue
        if key not in now:
            yield f"{column}: {_no_longer(kind)}"
        elif now[key]["kwargs"] != expectation["kwargs"]:
            text = _difference(kind, expectation, now[key])
            if text:
                yield f"{column}: {text}"


def _no_longer(kind: str) -> str:
    texts = {
        NOT_NULL: "values may be missing",
        REGEX: "need not hold numbers",
        RANGE: "no range any more",
        IN_SET: "any levels",
    }
    return texts.get(kind, f"{kind} is no longer expected")


def _difference(kind: str, old: Expectation, new: Expectation) -> str:
    if kind == RANGE:
        return f"range {_range(new)} instead of {_range(old)}"
    if kind == IN_SET:
        before = old["kwargs"]["value_set"]
        added = [level for level in new["kwargs"]["value_set"] if level not in before]
        return f"new levels {_names(added)}" if added else ""
    return "numbers instead of whole numbers" if kind_of(old) == "integer" else ""


def _range(expectation: Expectation) -> str:
    low, high = (expectation["kwargs"].get(bound) for bound, _ in _BOUNDS)
    words = [f"{bound:.6g}" if bound is not None else "any" for bound in (low, high)]
    return " to ".join(words)


def _names(names: list[Any]) -> str:
    shown = ", ".join(repr(name) for name in names[:_MOST_NAMES])
    more = len(names) - _MOST_NAMES
    return f"{shown} and {more} more" if more > 0 else shown
