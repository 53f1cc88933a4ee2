"""Tables as HTML that can be sorted, and how their numbers are written."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import groupby, zip_longest
from typing import TYPE_CHECKING, Any

from tasks.reporting.pages import macros

if TYPE_CHECKING:
    import pandas as pd


@dataclass(frozen=True)
class Cell:
    """A cell of a table.

    Parameters
    ----------
    text : str
        What it shows.
    value : float or str or None
        What it is sorted by; None or NaN is last either way.
    note : str
        A smaller line below.
    css : str
        Classes of the style sheet.
    """

    text: str
    value: float | str | None = None
    note: str = ""
    css: str = ""


@dataclass(frozen=True)
class Head:
    """The head of a column, and the group that it shares with its neighbours."""

    text: str
    group: str = ""
    css: str = "number"


def number_cell(value: float | None, form: str, css: str = "") -> Cell:
    """Return the cell of a number in a format; a dash if there is none."""
    known = value is not None and not math.isnan(value)
    text = format(value, form).replace("-", "−") if known else "–"
    return Cell(text, value, css=f"number {css}".strip())


def table(
    name: str,
    caption: str,
    heads: Sequence[Head],
    rows: Sequence[Sequence[Cell]],
    row_css: Sequence[str] = (),
) -> str:
    """Return a table that can be sorted by each column; the first column names the rows."""
    groups = [(text, len(list(same))) for text, same in groupby(heads, key=lambda h: h.group)]
    html: str = macros.table(name, caption, heads, groups, zip_longest(row_css, rows))
    return html


def frame_table(name: str, caption: str, frame: pd.DataFrame) -> str:
    """Return a data frame as a table; its index is the first column if it has a name."""
    plain = frame.reset_index() if frame.index.name else frame
    text = shown_frame(plain)
    numeric = set(number_columns(plain))
    heads = [Head(str(c), css="number" if c in numeric else "") for c in plain.columns]
    rows = [
        [
            Cell(str(shown), _sort_value(value), css="number" if column in numeric else "")
            for column, shown, value in zip(plain.columns, words, values, strict=True)
        ]
        for words, values in zip(text.to_numpy(), plain.itertuples(index=False), strict=True)
    ]
    return table(name, caption, heads, rows)


def filed_table(name: str, caption: str, frame: pd.DataFrame) -> list[str]:
    """Return a data frame as a table, and the links to its files."""
    return [frame_table(f"{name}-table", caption, frame), macros.table_files(name)]


def number_columns(frame: pd.DataFrame) -> list[str]:
    """Return the columns that hold numbers, or yes and no."""
    return [str(c) for c in frame.columns if frame[c].dtype.kind in "biuf"]


def shown_frame(frame: pd.DataFrame, digits: int | None = None) -> pd.DataFrame:
    """Write each value as a reader wants it.

    Numbers have `digits` decimals, or else as many as the longest of their column.
    """
    import pandas as pd

    numeric = set(number_columns(frame))
    return pd.DataFrame(
        {c: _shown_column(str(c), frame[c], c in numeric, digits) for c in frame.columns},
        dtype=object,
    )


def _shown_column(name: str, values: pd.Series, numeric: bool, digits: int | None) -> list[str]:
    import pandas as pd

    if not numeric:
        return ["–" if pd.isna(value) else str(value) for value in values]
    if values.dtype.kind == "b":
        return ["yes" if value else "no" for value in values]
    numbers = [math.nan if pd.isna(value) else float(value) for value in values]
    if name == "p" or name.startswith(("p,", "p of")):
        return [shown_p(number) for number in numbers]
    if digits is None:
        digits = max((_decimals(n) for n in numbers if math.isfinite(n)), default=0)
    is_difference = name.endswith("difference") and name != "critical difference"
    return [_shown_number(number, digits, is_difference) for number in numbers]


def _shown_number(number: float, digits: int, is_difference: bool) -> str:
    if math.isnan(number):
        return "–"
    if math.isinf(number):
        return "∞"
    return signed(number, digits) if is_difference else f"{number:.{digits}f}"


def shown_p(number: float) -> str:
    """Write a p-value."""
    return "< 0.001" if number < 0.001 else f"{number:.3f}"


def _decimals(number: float) -> int:
    """Return how many decimals a number has, at most four."""
    return next((d for d in range(4) if round(number, d) == round(number, 4)), 4)


def _sort_value(value: Any) -> float | str | None:
    import pandas as pd

    if isinstance(value, str):
        return value
    return None if pd.isna(value) else float(value)


def signed(number: float, digits: int) -> str:
    """Write a difference with its sign; a true minus sign, and no sign for zero."""
    text = f"{abs(number):.{digits}f}"
    if float(text) == 0.0:
        return text
    return f"+{text}" if number > 0 else f"−{text}"
