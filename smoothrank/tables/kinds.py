"""Which kind each column is: the marks of numbers and the order of dates are the file's."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, field, replace

import numpy as np
import pandas as pd
import pyarrow as pa

from smoothrank.tables.dates import Dates, read_dates
from smoothrank.tables.number_style import PLAIN, NumberStyle, styles_allowed
from smoothrank.tables.options import ReadOptions
from smoothrank.tables.plain_numbers import Candidate, find_plain_numbers
from smoothrank.tables.reading_notes import Notes
from smoothrank.tables.survey import Survey, survey
from smoothrank.tables.typed import TEXT, TypedColumn, as_dates, as_native, as_numbers, as_texts
from smoothrank.tables.written import Written, is_text

_THOUSANDS_LIKE = NumberStyle(",", ".")


@dataclass
class _Open:
    """A text column that is not plainly numbers."""

    name: str
    survey: Survey
    styles: list[NumberStyle]
    dates: Dates | None = None
    places: np.ndarray = field(default_factory=lambda: np.empty(0, dtype=np.intp))


def type_columns(table: Written, options: ReadOptions) -> tuple[list[TypedColumn], Notes]:
    """Decide what each column is, and return it so, with what a user should know about it."""
    said = Notes(table)
    typed: list[TypedColumn | None] = [
        None if is_text(column) else _native(name, column, said)
        for name, column in zip(table.names, table.columns, strict=True)
    ]
    texts = [i for i, column in enumerate(typed) if column is None]
    decimals: Counter[str] = Counter()
    undecided: dict[int, _Open] = {}
    styles = styles_allowed(options)
    for i, found in zip(texts, find_plain_numbers([table.columns[i] for i in texts]), strict=True):
        if found.values is not None and _is_settled(found, styles, options):
            typed[i] = TypedColumn(found.values, found.cells)
            decimals["."] += _has_fractions(found.values)
        else:
            seen = survey(found.cells)
            undecided[i] = _Open(table.names[i], seen, seen.fitting(styles))
    for column in undecided.values():
        marks = {style.decimal for style in column.styles}
        if len(marks) == 1:
            decimals[marks.pop()] += 1
    decimal = options.decimal or _agreed(decimals)
    _find_dates(list(undecided.values()), options, day_first=decimal == "," or table.sep == ";")
    for i, column in undecided.items():
        typed[i] = _decided(column, decimal, table.sep, said)
    return [column for column in typed if column is not None], said


def _native(name: str, column: pa.Array, said: Notes) -> TypedColumn:
    typed = as_native(column)
    if typed.values.dtype == TEXT and not pa.types.is_boolean(column.type):
        said.other_type(name, str(column.type))
    return typed


def _is_settled(found: Candidate, styles: Sequence[NumberStyle], options: ReadOptions) -> bool:
    """Tell whether plain numbers are sure to be that, and not 1.234 for 1234 or 20240131."""
    values = found.values
    if values is None or options.date_format is not None:
        return False
    if values.dtype.kind == "i":
        return True
    if PLAIN not in styles:
        return False
    present = values.to_numpy()[values.notna().to_numpy()]
    parts = present[present != np.floor(present)]
    thousandths = parts * 1000
    is_like = len(parts) > 0 and bool(
        (np.abs(parts) >= 1).all()
        and (np.abs(parts) < 1000).all()
        and np.allclose(thousandths, np.round(thousandths), rtol=0, atol=1e-6)
    )
    return not (is_like and _THOUSANDS_LIKE in styles)


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


def _find_dates(columns: list[_Open], options: ReadOptions, *, day_first: bool) -> None:
    """Look for dates among texts; where 1/2 may be both, the file's other dates decide."""
    for column in columns:
        given = options.date_format
        if not column.styles or given is not None:
            _look_for_dates(column, given, day_first=day_first)
    sure = {c.dates.format[:2] for c in columns if c.dates and _is_sure(c.dates)}
    if len(sure & {"%d", "%m"}) != 1:
        return
    for column in columns:
        if column.dates is not None and column.dates.rival is not None:
            _look_for_dates(column, options.date_format, day_first="%d" in sure)
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


def _decided(column: _Open, decimal: str | None, sep: str | None, said: Notes) -> TypedColumn:
    if column.dates is not None:
        typed = as_dates(column.survey, column.dates, column.places)
        said.dates(column.name, column.dates)
        said.wrong(column.name, column.survey, typed, "dates")
        return typed
    if column.styles:
        style = _chosen(column.styles, decimal, sep)
        typed = as_numbers(column.survey, style)
        said.style(column.name, column.survey, style)
        if decimal is None:
            said.ambiguous(column.name, column.survey, style, column.styles)
        said.wrong(column.name, column.survey, typed, "numbers")
        return typed
    typed = as_texts(column.survey)
    said.wrong(column.name, column.survey, typed, "values")
    return typed


def _chosen(styles: list[NumberStyle], decimal: str | None, sep: str | None) -> NumberStyle:
    """Prefer the file's decimal mark; if it has none, a point, then what the separator suggests."""
    if decimal is None:
        if PLAIN in styles:
            return PLAIN
        decimal = "," if sep == ";" else "."
    return min(styles, key=lambda style: (style.decimal != decimal, style.thousands != ""))
