"""Which kind each column is: the marks of numbers and the order of dates are the file's."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field, replace

import numpy as np
import numpy.typing as npt
import pandas as pd
import pyarrow as pa
import pyarrow.compute as pc

from smoothrank.datasets.cells.dates import Dates, read_dates
from smoothrank.datasets.cells.notes import Notes
from smoothrank.datasets.cells.number_style import COMMA, PLAIN, NumberStyle, styles_allowed
from smoothrank.datasets.cells.quick_numbers import Candidate, find_numbers
from smoothrank.datasets.cells.survey import Survey, survey
from smoothrank.datasets.cells.typed import (
    TEXT,
    TypedColumn,
    as_dates,
    as_native,
    as_numbers,
    as_texts,
)
from smoothrank.datasets.files.written import Written, is_text
from smoothrank.datasets.options import UNKNOWN_STYLE, ReadOptions, TableStyle

_RIVALS = {PLAIN: NumberStyle(",", "."), COMMA: NumberStyle(".", ",")}
_GROUPED = {
    PLAIN: r"^[+-]?[1-9][0-9]{0,2}(\.[0-9]{3})+$",
    COMMA: r"^[+-]?[1-9][0-9]{0,2}(,[0-9]{3})+$",
}


@dataclass
class _Open:
    """A text column that is not obviously numeric."""

    name: str
    survey: Survey
    styles: list[NumberStyle]
    has_digits: bool
    dates: Dates | None = None
    places: npt.NDArray[np.intp] = field(default_factory=lambda: np.empty(0, dtype=np.intp))


def type_columns(
    table: Written, options: ReadOptions, like: TableStyle = UNKNOWN_STYLE
) -> tuple[list[TypedColumn], Notes, TableStyle]:
    """Decide the kind of each column; return the typed columns and notes for the user.

    What the table leaves open, such as the month of 1/2/2024, is read as in another table, whose
    style is `like`; the last value returned is the style of this one.
    """
    deciding = _Deciding(table, options, like)
    return deciding.columns(), deciding.said, deciding.style


def _day_first(columns: Iterable[_Open]) -> bool | None:
    """Return whether days come before months in dates written in this format."""
    starts = {column.dates.format[:2] for column in columns if column.dates is not None}
    orders = starts & {"%d", "%m"}
    return "%d" in orders if len(orders) == 1 else None


class _Deciding:
    """Decides the obvious columns first, then those that depend on them."""

    def __init__(self, table: Written, options: ReadOptions, like: TableStyle) -> None:
        self.table = table
        self.options = options
        self.like = like
        self.style = UNKNOWN_STYLE
        self.styles = styles_allowed(options)
        self.said = Notes(table)
        self.typed: dict[int, TypedColumn] = {}
        self.decimals: Counter[str] = Counter()

    def columns(self) -> list[TypedColumn]:
        """Return all columns in order."""
        texts = {}
        for i, column in enumerate(self.table.columns):
            if is_text(column):
                texts[i] = column
            else:
                self.typed[i] = self._native(i, column)
        rest = self._take_numbers(PLAIN, texts)
        commas = {i: texts[i] for i, found in rest.items() if found.has_digits}
        rest |= self._take_numbers(COMMA, commas) if COMMA in self.styles else {}
        undecided = {i: self._opened(i, c) for i, c in rest.items() if i not in self.typed}
        decimal = self.options.decimal or _agreed(self.decimals) or self.like.decimal
        day_first = self.like.day_first
        if day_first is None:
            day_first = decimal == "," or self.table.sep == ";"
        _find_dates(list(undecided.values()), self.options.date_format, day_first=day_first)
        for i, column in undecided.items():
            self.typed[i] = self._decided(column, decimal)
        self.style = TableStyle(decimal, _day_first(undecided.values()))
        return [self.typed[i] for i in range(len(self.table.columns))]

    def _native(self, i: int, column: pa.Array) -> TypedColumn:
        typed = as_native(column)
        if typed.values.dtype == TEXT and not pa.types.is_boolean(column.type):
            self.said.other_type(self.table.names[i], str(column.type))
        return typed

    def _take_numbers(
        self, style: NumberStyle, columns: dict[int, pa.Array]
    ) -> dict[int, Candidate]:
        """Type the columns that are surely numbers in a style; return the others."""
        rest = {}
        found_columns = find_numbers(list(columns.values()), style)
        for i, found in zip(columns, found_columns, strict=True):
            if found.values is None or not self._is_sure(style, found, columns[i]):
                rest[i] = found
                continue
            self.typed[i] = TypedColumn(found.values, found.cells)
            if _has_fractions(found.values):
                self.decimals[style.decimal] += 1
            if style != PLAIN:
                self.said.style(self.table.names[i], style, decimals=True, thousands=False)
        return rest

    def _is_sure(self, style: NumberStyle, found: Candidate, written: pa.Array) -> bool:
        """Return whether these are surely numbers: not 1.234 for 1234, nor 20240131 for a day."""
        if found.values is None or self.options.date_format is not None:
            return False
        if found.values.dtype.kind == "i":
            return True
        if style not in self.styles:
            return not found.has_digits
        return _RIVALS[style] not in self.styles or not _looks_grouped(style, found.values, written)

    def _opened(self, i: int, found: Candidate) -> _Open:
        # cells of a numeric column are normalised, so those of the file are checked again
        cells = found.cells if found.values is None else _present(self.table.columns[i])
        seen = survey(cells)
        styles = seen.fitting(self.styles) if found.has_digits else []
        marks = {style.decimal for style in styles}
        if len(marks) == 1:
            self.decimals[marks.pop()] += 1
        return _Open(self.table.names[i], seen, styles, found.has_digits)

    def _decided(self, column: _Open, decimal: str | None) -> TypedColumn:
        name, seen = column.name, column.survey
        if column.dates is not None:
            typed = as_dates(seen, column.dates, column.places)
            self.said.dates(name, column.dates)
            self.said.wrong(name, seen, typed, "dates")
        elif column.styles:
            style = _chosen(column.styles, decimal, self.table.sep)
            typed = as_numbers(seen, style)
            has_decimals, has_thousands = style.marks_in(seen.levels)
            self.said.style(name, style, decimals=has_decimals, thousands=has_thousands)
            if decimal is None:
                self.said.ambiguous(name, seen, style, column.styles)
            self.said.wrong(name, seen, typed, "numbers")
        else:
            typed = as_texts(seen)
            self.said.wrong(name, seen, typed, "values")
            if column.has_digits:
                self.said.numbers_as_levels(name, seen, self.styles)
        return typed


def _present(column: pa.Array) -> pa.Array:
    (candidate,) = find_numbers([column])
    return candidate.cells


def _looks_grouped(style: NumberStyle, values: pd.Series, written: pa.Array) -> bool:
    """Return whether every mark could stand between thousands as well."""
    numbers = values.to_numpy()
    parts = np.abs(numbers[np.isfinite(numbers) & (numbers != np.floor(numbers))])
    if len(parts) and (parts.min() < 1 or parts.max() >= 1000):
        return False
    if (np.abs(parts * 1000 - np.round(parts * 1000)) > 1e-6).any():
        return False
    marked = written.filter(pc.match_substring(written, style.decimal))
    return len(marked) > 0 and bool(
        pc.all(pc.match_substring_regex(marked, _GROUPED[style])).as_py()
    )


def _has_fractions(values: pd.Series) -> bool:
    if values.dtype.kind != "f":
        return False
    present = values.to_numpy()
    return bool((np.floor(present) != present)[np.isfinite(present)].any())


def _agreed(decimals: Counter[str]) -> str | None:
    """Return the decimal mark that most columns need, or None if no column needs one."""
    if decimals["."] == decimals[","]:
        return "." if decimals["."] else None
    return max(decimals, key=lambda mark: decimals[mark])


def _chosen(styles: Sequence[NumberStyle], decimal: str | None, sep: str | None) -> NumberStyle:
    """Prefer the file's decimal mark; if it has none, a point, then what the separator suggests."""
    if decimal is None:
        if PLAIN in styles:
            return PLAIN
        decimal = "," if sep == ";" else "."
    return min(styles, key=lambda style: (style.decimal != decimal, style.thousands != ""))


def _find_dates(columns: list[_Open], given: str | None, *, day_first: bool) -> None:
    """Look for dates among texts; where 1/2 is ambiguous, the file's other dates decide."""
    for column in columns:
        if column.has_digits and (not column.styles or given is not None):
            _look_for_dates(column, given, day_first=day_first)
    sure = {c.dates.format[:2] for c in columns if c.dates and _is_sure(c.dates)}
    if len(sure & {"%d", "%m"}) != 1:
        return
    for column in columns:
        if column.dates is not None and column.dates.rival is not None:
            _look_for_dates(column, given, day_first="%d" in sure)
            if column.dates is not None:
                column.dates = replace(column.dates, rival=None)


def _is_sure(dates: Dates) -> bool:
    return dates.rival is None and "/" in dates.format


def _look_for_dates(column: _Open, given: str | None, *, day_first: bool) -> None:
    column.places = np.flatnonzero(~column.survey.missing)
    if len(column.places) == 0:
        return
    levels = pd.Series(column.survey.levels.take(pa.array(column.places)), dtype=TEXT)
    column.dates = read_dates(levels, given, only_given=bool(column.styles), day_first=day_first)
