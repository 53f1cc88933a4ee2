"""A table in the ways in which expectations need it: as written, typed, and its classes counted."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from typing import Any

import numpy as np
import numpy.typing as npt
import pandas as pd

from tasks.class_counts import CLASS_COUNTS, CLASS_SHARE, class_counts, class_share
from tasks.expectations import (
    COLUMN_ORDER,
    COLUMN_SET,
    NOT_NULL,
    NUMBER_PATTERNS,
    REGEX,
    Expectation,
    Suite,
    level_sets,
    number_columns,
)
from tasks.raw_table import RawTable

Frames = dict[str, pd.DataFrame]

_CELLS_AT_ONCE = 2_000_000


def frame_name(expectation: Expectation) -> str:
    """Name the frame that an expectation is about."""
    if "table" in expectation.get("meta", {}):
        return str(expectation["meta"]["table"])
    if expectation["type"] in (COLUMN_ORDER, COLUMN_SET):
        return "header"
    return "written" if expectation["type"] in (NOT_NULL, REGEX) else "typed"


def frames_of(table: RawTable, suite: Suite) -> Frames:
    """Show the table in all ways that expectations need it."""
    once = [name for name, count in Counter(table.columns).items() if count == 1]
    written = table.cells.loc[:, once]
    numbers, levels = number_columns(suite), level_sets(suite)
    typed: dict[str, Any] = {name: written[name] for name in once}
    typed |= dict(_numbers(written, [name for name in once if name in numbers]))
    for column in set(once) & levels.keys() - numbers.keys():
        typed[column] = as_levels(written[column], levels[column])
    target, positive = suite["meta"]["target"], suite["meta"].get("positive")
    counts = pd.DataFrame(columns=["class"])
    if target in once:
        known = levels.get(target, [])
        labels = as_levels(written[target], known or [positive or ""])
        counts = class_counts(labels, known, positive)
    return {
        "header": pd.DataFrame(columns=list(table.columns)),
        "written": written,
        "typed": pd.DataFrame(typed, index=written.index, columns=pd.Index(once)),
        CLASS_COUNTS: counts,
        CLASS_SHARE: class_share(counts, positive, suite["meta"].get("positive_share")),
    }


def as_levels(written: pd.Series[Any], levels: list[str]) -> pd.Series[Any]:
    """Write each value as the suite does, where it only differs as 1 and 1.0 do."""
    if set(written.dropna().unique()) <= set(levels):
        return written
    same = {_plain_text(level): level for level in levels}
    return written.map(lambda value: same.get(_plain_text(value), value), na_action="ignore")


def _plain_text(text: str) -> str:
    if text.lower() in ("true", "false"):
        return text.capitalize()
    try:
        number = float(text)
    except ValueError:
        return text
    return str(int(number)) if number.is_integer() else str(number)


def _numbers(
    written: pd.DataFrame, columns: Sequence[str]
) -> Iterator[tuple[str, npt.NDArray[np.float64]]]:
    """Read numbers where there are any; text that is none becomes missing."""
    for names, cells in blocks(written, columns):
        is_number = matching(cells, NUMBER_PATTERNS["real"])
        values = cells.where(is_number).astype("float64").to_numpy()
        yield from zip(names, np.split(values, len(names)), strict=True)


def matching(cells: pd.Series[Any], pattern: str) -> npt.NDArray[np.bool_]:
    """Tell which cells are there and match a pattern."""
    found = cells.str.match(pattern).fillna(value=False)
    return found.to_numpy(dtype=bool)


def blocks(
    written: pd.DataFrame, columns: Sequence[str]
) -> Iterator[tuple[Sequence[str], pd.Series[Any]]]:
    """Yield columns one below the other, many at a time: a call for each of thousands is slow."""
    at_once = max(1, _CELLS_AT_ONCE // max(1, len(written)))
    for start in range(0, len(columns), at_once):
        names = columns[start : start + at_once]
        yield names, pd.concat([written[name] for name in names], ignore_index=True)
