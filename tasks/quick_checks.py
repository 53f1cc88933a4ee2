"""The usual expectations of thousands of columns, without an engine's cost for each of them.

Great Expectations takes some milliseconds an expectation, which is minutes for ten thousand
columns. Here the same is decided for many columns at a time; a test holds the two together.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np
import numpy.typing as npt
import pandas as pd

from tasks.expectation_engine import Numbered, Outcome
from tasks.expectations import IN_SET, NOT_NULL, RANGE, REGEX, Expectation
from tasks.table_frames import Frames, blocks, matching

Flags = npt.NDArray[np.bool_]

_SHOWN_ROWS = 20
_KNOWN = {
    NOT_NULL: {"column", "mostly"},
    REGEX: {"column", "mostly", "regex"},
    RANGE: {"column", "mostly", "min_value", "max_value"},
    IN_SET: {"column", "mostly", "value_set"},
}


def quick_outcomes(
    frames: Frames, groups: Mapping[str, Sequence[Numbered]]
) -> tuple[list[tuple[int, Outcome]], dict[str, list[Numbered]]]:
    """Decide the expectations that can be decided here.

    Returns
    -------
    outcomes : list of (int, dict)
        Position and result, as Great Expectations has it, of those that do not hold.
    rest : dict
        The groups with what is left to Great Expectations.
    """
    rest = {name: [item for item in group if not _is_known(name, item[1])]
            for name, group in groups.items()}  # fmt: skip
    known = [item for name, group in groups.items() for item in group if _is_known(name, item[1])]
    written, typed = frames["written"], frames["typed"]
    missing = dict(zip(written.columns, written.isna().to_numpy().T, strict=True))
    matches = _matches(written, [expectation for _, expectation in known])
    outcomes = []
    for position, expectation in known:
        column = expectation["kwargs"]["column"]
        is_null = missing[column] if expectation["type"] in (NOT_NULL, REGEX) else None
        broken, counted = _broken(expectation, typed[column], is_null, matches)
        if not _holds(broken, counted, expectation["kwargs"].get("mostly", 1.0)):
            outcomes.append((position, _outcome(expectation, broken)))
    return outcomes, rest


def _is_known(frame: str, expectation: Expectation) -> bool:
    kwargs, kind = expectation["kwargs"], expectation["type"]
    if frame not in ("written", "typed") or kind not in _KNOWN or not kwargs.keys() <= _KNOWN[kind]:
        return False
    return kind != IN_SET or all(isinstance(value, str) for value in kwargs["value_set"])


def _matches(
    written: pd.DataFrame, expectations: Sequence[Expectation]
) -> dict[tuple[str, str], Flags]:
    """Tell for each column and pattern which cells match it."""
    columns = defaultdict(dict)  # type: ignore[var-annotated]
    for expectation in expectations:
        if expectation["type"] == REGEX:
            columns[expectation["kwargs"]["regex"]][expectation["kwargs"]["column"]] = None
    found = {}
    for pattern, of_pattern in columns.items():
        for names, cells in blocks(written, list(of_pattern)):
            flags = np.split(matching(cells, pattern), len(names))
            found.update({(name, pattern): flag for name, flag in zip(names, flags, strict=True)})
    return found


def _broken(
    expectation: Expectation,
    values: pd.Series[Any],
    is_null: Flags | None,
    matches: Mapping[tuple[str, str], Flags],
) -> tuple[Flags, int]:
    """Tell which rows break an expectation, and how many rows count."""
    kwargs, kind = expectation["kwargs"], expectation["type"]
    if kind == NOT_NULL and is_null is not None:
        return is_null, len(is_null)
    if kind == REGEX and is_null is not None:
        broken = ~matches[kwargs["column"], kwargs["regex"]] & ~is_null
        return broken, int((~is_null).sum())
    present = values.notna().to_numpy()
    if kind == IN_SET:
        return present & ~values.isin(kwargs["value_set"]).to_numpy(), int(present.sum())
    numbers = values.to_numpy(dtype=np.float64, na_value=np.nan)
    low, high = kwargs.get("min_value"), kwargs.get("max_value")
    outside = np.zeros(len(numbers), dtype=bool)
    if low is not None:
        outside |= numbers < low
    if high is not None:
        outside |= numbers > high
    return outside & present, int(present.sum())


def _holds(broken: Flags, counted: int, mostly: float) -> bool:
    n_broken = int(broken.sum())
    return n_broken == 0 or (counted - n_broken) / counted >= mostly


def _outcome(expectation: Expectation, broken: Flags) -> Outcome:
    rows = np.flatnonzero(broken)
    result = {
        "unexpected_count": len(rows),
        "partial_unexpected_index_list": rows[:_SHOWN_ROWS].tolist(),
    }
    return {"expectation_config": expectation, "result": result, "exception_info": {}}
