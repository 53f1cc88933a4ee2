"""The usual expectations of thousands of columns, without an engine's cost for each of them.

Great Expectations takes some milliseconds per expectation, which is minutes for ten thousand
columns. Here the same is decided for many columns at a time; a test checks that both agree.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Iterator, Sequence
from dataclasses import dataclass, field
from typing import Any

import numpy as np
import numpy.typing as npt
import pandas as pd

from tasks.validation.engine import Numbered, Outcome
from tasks.validation.raw_table import RawTable
from tasks.validation.suites.expectations import (
    COLUMN_ORDER,
    COLUMN_SET,
    IN_SET,
    NOT_NULL,
    NUMBER_PATTERNS,
    RANGE,
    REGEX,
    Expectation,
    Suite,
    number_columns,
)
from tasks.validation.table_frames import matching, plain_text

Flags = npt.NDArray[np.bool_]

_CELLS_AT_ONCE = 2_000_000
_SHOWN_ROWS = 20
_KNOWN = {
    NOT_NULL: {"column", "mostly"},
    REGEX: {"column", "mostly", "regex"},
    RANGE: {"column", "mostly", "min_value", "max_value"},
    IN_SET: {"column", "mostly", "value_set"},
}


def quick_outcomes(
    table: RawTable, suite: Suite
) -> tuple[list[tuple[int, Outcome]], list[Numbered]]:
    """Check the expectations that can be checked here.

    Returns
    -------
    outcomes : list of (int, Outcome)
        The position of those that do not hold, and what was found.
    rest : list of (int, dict)
        Position and expectation of what is left to Great Expectations.
    """
    cells, outcomes, rest = _Cells(table, number_columns(suite)), [], []
    for position, expectation in enumerate(suite["expectations"]):
        if _columns_hold(expectation, table.columns):
            continue
        if not _is_known(expectation, cells.numbers):
            rest.append((position, expectation))
        elif expectation["kwargs"]["column"] in cells.places:
            broken, counted = _broken(expectation, cells)
            if not _holds(broken, counted, expectation["kwargs"].get("mostly", 1.0)):
                outcomes.append((position, _outcome(broken)))
    return outcomes, rest


def _columns_hold(expectation: Expectation, columns: Sequence[str]) -> bool:
    kwargs = expectation["kwargs"]
    if expectation["type"] == COLUMN_ORDER:
        return list(kwargs.get("column_list", ())) == list(columns)
    if expectation["type"] == COLUMN_SET and kwargs.get("exact_match") is False:
        return set(kwargs.get("column_set", ())) <= set(columns)
    return False


def _is_known(expectation: Expectation, numbers: Collection[str]) -> bool:
    kwargs, kind = expectation["kwargs"], expectation["type"]
    if "table" in expectation.get("meta", {}) or not kwargs.keys() <= _KNOWN.get(kind, set()):
        return False
    if kind in (RANGE, IN_SET) and (kwargs.get("column") in numbers) != (kind == RANGE):
        return False
    return kind != IN_SET or all(isinstance(value, str) for value in kwargs["value_set"])


@dataclass
class _Cells:
    """The cells of a table, and cached checks of many columns at once."""

    table: RawTable
    numbers: dict[str, str]
    places: dict[str, int] = field(init=False)
    cells: npt.NDArray[np.object_] = field(init=False)
    missing: Flags = field(init=False)
    values: dict[str, npt.NDArray[np.float64]] = field(init=False)
    matches: dict[str, dict[str, Flags]] = field(init=False)

    def __post_init__(self) -> None:
        columns, counts = self.table.columns, Counter(self.table.columns)
        self.places = {name: place for place, name in enumerate(columns) if counts[name] == 1}
        self.cells = self.table.cells.to_numpy(dtype=object)
        self.missing = pd.isna(self.cells)
        self.values, self.matches = {}, {pattern: {} for pattern in NUMBER_PATTERNS.values()}
        for names, block in self._blocks([name for name in self.numbers if name in self.places]):
            for pattern, found in self.matches.items():
                found.update(
                    zip(names, np.split(matching(block, pattern), len(names)), strict=True)
                )
            is_number = np.concatenate([self.matches[NUMBER_PATTERNS["real"]][n] for n in names])
            values = block.where(is_number).astype("float64").to_numpy()
            self.values.update(zip(names, np.split(values, len(names)), strict=True))

    def _blocks(self, names: list[str]) -> Iterator[tuple[list[str], pd.Series[Any]]]:
        """Yield columns one below the other: a call for each of thousands is slow."""
        at_once = max(1, _CELLS_AT_ONCE // max(1, len(self.cells)))
        for start in range(0, len(names), at_once):
            block = names[start : start + at_once]
            cells = self.cells[:, [self.places[name] for name in block]].ravel(order="F")
            yield block, pd.Series(cells, dtype="str")

    def matching(self, name: str, pattern: str) -> Flags:
        """Return which cells of a column match a pattern."""
        if name in self.matches.get(pattern, {}):
            return self.matches[pattern][name]
        return matching(pd.Series(self.cells[:, self.places[name]], dtype="str"), pattern)


def _broken(expectation: Expectation, cells: _Cells) -> tuple[Flags, int]:
    """Return which rows break an expectation, and how many rows count."""
    kwargs, kind = expectation["kwargs"], expectation["type"]
    name = kwargs["column"]
    is_null = cells.missing[:, cells.places[name]]
    if kind == NOT_NULL:
        return is_null, len(is_null)
    present = ~is_null
    if kind == REGEX:
        return present & ~cells.matching(name, kwargs["regex"]), int(present.sum())
    if kind == IN_SET:
        return _outside(cells.cells[:, cells.places[name]], present, kwargs["value_set"])
    numbers = cells.values[name]
    low, high = (kwargs.get(bound) for bound in ("min_value", "max_value"))
    outside = np.zeros(len(numbers), dtype=bool)
    if low is not None:
        outside |= numbers < low
    if high is not None:
        outside |= numbers > high
    return outside, int((~np.isnan(numbers)).sum())


def _outside(
    values: npt.NDArray[np.object_], present: Flags, levels: Sequence[str]
) -> tuple[Flags, int]:
    known = set(levels)
    broken = np.array([value not in known for value in values], dtype=bool) & present
    if broken.any():
        same = {plain_text(level) for level in levels}
        for row in np.flatnonzero(broken):
            broken[row] = plain_text(values[row]) not in same
    return broken, int(present.sum())


def _holds(broken: Flags, counted: int, mostly: float) -> bool:
    n_broken = int(broken.sum())
    return n_broken == 0 or (counted - n_broken) / counted >= mostly


def _outcome(broken: Flags) -> Outcome:
    rows = np.flatnonzero(broken)
    return Outcome(len(rows), tuple(rows[:_SHOWN_ROWS].tolist()))
