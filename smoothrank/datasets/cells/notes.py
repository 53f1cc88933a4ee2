"""What a user should know about how a file was read, a plain sentence each."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from smoothrank.arrays import Flags
from smoothrank.datasets.cells.dates import Dates
from smoothrank.datasets.cells.number_style import NumberStyle
from smoothrank.datasets.cells.survey import Survey
from smoothrank.datasets.cells.typed import TypedColumn
from smoothrank.datasets.files.written import Written

MAX_COLUMNS = 12
"""The most columns named in one kind of note."""

MAX_EXAMPLES = 3


class Notes:
    """Collects what was recognised and what was taken as missing."""

    def __init__(self, table: Written) -> None:
        self._table = table
        self._styles: dict[NumberStyle, list[tuple[str, bool]]] = {}
        self._dates: dict[str, list[str]] = {}
        self._zones: list[str] = []
        self._doubts: dict[str, str] = {}
        self._wrong: dict[str, str] = {}
        self._others: dict[str, str] = {}
        self._mixed: dict[str, str] = {}

    def sentences(self, without: str | None = None) -> tuple[str, ...]:
        """Return all notes, the file's before the columns'; not those `without` one column."""
        facts = [*self._table.facts, *self._style_facts()]
        whole = [f"read with {', '.join(facts)}"] if facts else []
        dates = [f"dates ({form}): {_listed(names)}" for form, names in self._dates.items()]
        if self._zones:
            dates.append(f"times with a zone are taken in UTC: {_listed(self._zones)}")
        columns = [_capped(part, without) for part in self._parts()]
        return (*whole, *self._table.notes, *dates, *(note for part in columns for note in part))

    def _parts(self) -> tuple[dict[str, str], ...]:
        return self._doubts, self._wrong, self._mixed, self._others

    def _style_facts(self) -> list[str]:
        """Say which marks the numbers have; where columns differ in the decimal mark, which."""
        decimals: dict[str, list[str]] = {}
        thousands: dict[str, None] = {}
        for style, columns in self._styles.items():
            names = [name for name, has_decimals in columns if has_decimals]
            decimals.setdefault(style.decimal, []).extend(names)
            thousands |= dict.fromkeys(style.thousands_name())
        commas = decimals.get(",", [])
        mixed = bool(commas and decimals.get("."))
        facts = [f"decimal comma in {_listed(commas)}" if mixed else "decimal comma"]
        return (facts if commas else []) + [f"thousands mark {mark}" for mark in thousands]

    def style(self, name: str, style: NumberStyle, *, decimals: bool, thousands: bool) -> None:
        """Note in which style a column's numbers are written, and which marks they have."""
        if decimals or thousands:
            shown = NumberStyle(style.decimal, style.thousands if thousands else "")
            self._styles.setdefault(shown, []).append((name, decimals))

    def ambiguous(
        self, name: str, column: Survey, style: NumberStyle, styles: list[NumberStyle]
    ) -> None:
        """Note that numbers could be read in another way, and how to ask for it."""
        read = style.numbers(column.levels)
        for other in (one for one in styles if one != style):
            levels = zip(column.texts, read, other.numbers(column.levels), strict=True)
            for text, mine, theirs in levels:
                if mine is None or theirs is None or mine == theirs:
                    continue
                option = f"--thousands {other.thousands}" if other.thousands else "--decimal "
                option += "" if other.thousands else other.decimal
                self._doubts[name] = (
                    f"column {name!r}: {text!r} is taken as {mine:g}; {option} reads it as "
                    f"{theirs:g}"
                )
                return

    def dates(self, name: str, dates: Dates) -> None:
        """Note that a column holds dates, in which format, and whether that is a guess."""
        self._dates.setdefault(dates.format, []).append(name)
        if dates.has_zone:
            self._zones.append(name)
        if dates.rival is not None:
            self._doubts[name] = (
                f"column {name!r}: its dates fit {dates.format} and {dates.rival} alike, and the "
                f'first was taken; --date-format "{dates.rival}" takes the other'
            )

    def wrong(self, name: str, column: Survey, typed: TypedColumn, what: str) -> None:
        """Note the cells that were taken as missing because of what they say."""
        if typed.wrong is None or not typed.wrong.any():
            return
        count = column.count(typed.wrong)
        cells = "1 cell is" if count == 1 else f"{count} cells are"
        self._wrong[name] = (
            f"column {name!r}: {cells} not {what}, taken as missing: "
            f"{self._examples(column, typed.wrong)}"
        )

    def numbers_as_levels(self, name: str, column: Survey, styles: Sequence[NumberStyle]) -> None:
        """Note that a column is one of levels although some of its cells are numbers."""
        numbers = max((column.numbers(style) for style in styles), key=column.count)
        odd = ~numbers & ~column.missing
        right, wrong = column.count(numbers), column.count(odd)
        if wrong and right:
            few = right < wrong
            shown = self._examples(column, numbers if few else odd)
            self._mixed[name] = (
                f"column {name!r}: {right} of {right + wrong} cells are numbers, yet all are taken "
                f"as levels, {'such as' if few else 'because others are not:'} {shown}"
            )

    def _examples(self, column: Survey, which: Flags) -> str:
        """Return the first cells that have one of the texts, and where they stand."""
        places = np.flatnonzero(which)
        first = sorted((column.first_row(int(level)), int(level)) for level in places[:200])
        examples = [
            f"{_short(column.texts[level])} ({self._table.place(row)})"
            for row, level in first[:MAX_EXAMPLES]
        ]
        return ", ".join(examples) + (", …" if len(places) > MAX_EXAMPLES else "")

    def other_type(self, name: str, kind: str) -> None:
        """Note that a column of a type of its own was turned into texts."""
        self._others[name] = f"column {name!r} holds {kind}; its values are taken as texts"


def _capped(notes: dict[str, str], without: str | None) -> list[str]:
    part = [note for name, note in notes.items() if name != without]
    if len(part) <= MAX_COLUMNS:
        return part
    return [*part[:MAX_COLUMNS], f"… and {len(part) - MAX_COLUMNS} more columns like these"]


def _listed(names: list[str]) -> str:
    shown = ", ".join(map(repr, names[:MAX_COLUMNS]))
    return shown + (f", … ({len(names)} in all)" if len(names) > MAX_COLUMNS else "")


def _short(text: str) -> str:
    return repr(text if len(text) <= 30 else f"{text[:29]}…")
