"""A table in the forms that expectations need: as written, typed, and its classes counted."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from typing import Any

import numpy as np
import numpy.typing as npt
import pandas as pd

from tasks.validation.class_counts import CLASS_COUNTS, CLASS_SHARE, class_counts, class_share
from tasks.validation.raw_table import RawTable
from tasks.validation.suites.expectations import (
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

Frames = dict[str, pd.DataFrame]


def frame_name(expectation: Expectation) -> str:
    """Name the frame that an expectation is about."""
    if "table" in expectation.get("meta", {}):
        return str(expectation["meta"]["table"])
    if expectation["type"] in (COLUMN_ORDER, COLUMN_SET):
        return "header"
    return "written" if expectation["type"] in (NOT_NULL, REGEX) else "typed"


def frames_of(table: RawTable, suite: Suite, expectations: Sequence[Expectation]) -> Frames:
    """Return the table in every form that the expectations of a suite need."""
    once = [name for name, count in Counter(table.columns).items() if count == 1]
    target, positive = suite["meta"]["target"], suite["meta"].get("positive")
    used = {target, *(expectation["kwargs"].get("column") for expectation in expectations)}
    written = table.cells.loc[:, [name for name in once if name in used]]
    numbers, levels = number_columns(suite), level_sets(suite)
    typed = written.copy()
    for column in set(written.columns) & numbers.keys():
        typed[column] = _numbers(written[column])
    for column in set(written.columns) & levels.keys() - numbers.keys():
        typed[column] = as_levels(written[column], levels[column])
    counts = pd.DataFrame(columns=["class"])
    if target in written.columns:
        counts = class_counts(typed[target], levels.get(target, []))
    return {
        "header": pd.DataFrame(columns=list(table.columns)),
        "written": written,
        "typed": typed,
        CLASS_COUNTS: counts,
        CLASS_SHARE: class_share(counts, positive, suite["meta"].get("positive_share")),
    }


def as_levels(written: pd.Series[Any], levels: list[str]) -> pd.Series[Any]:
    """Write each value as the suite does, where it differs only like 1 and 1.0."""
    if set(written.dropna().unique()) <= set(levels):
        return written
    same = {plain_text(level): level for level in levels}
    return written.map(lambda value: same.get(plain_text(value), value), na_action="ignore")


def plain_text(text: str) -> str:
    """Write a number or boolean in one canonical way."""
    if text.lower() in ("true", "false"):
        return text.capitalize()
    try:
        number = float(text)
    except ValueError:
        return text
    return str(int(number)) if number.is_integer() else str(number)


def _numbers(written: pd.Series[Any]) -> pd.Series[float]:
    """Read numbers where there are any; other text becomes missing."""
    return written.where(matching(written, NUMBER_PATTERNS["real"])).astype("float64")


def matching(cells: pd.Series[Any], pattern: str) -> npt.NDArray[np.bool_]:
    """Return which cells are present and match a pattern."""
    return cells.str.match(pattern).fillna(value=False).to_numpy(dtype=bool)
