"""Tables as HTML that can be sorted, and the parts of the page around them."""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from html import escape
from typing import TYPE_CHECKING, Any

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

    def html(self, tag: str = "td") -> str:
        """Give the element."""
        scope = ' scope="row"' if tag == "th" else ""
        known = self.value is not None and self.value == self.value
        value = f' data-value="{escape(str(self.value))}"' if known else ""
        css = f' class="{self.css}"' if self.css else ""
        note = f"<small>{escape(self.note)}</small>" if self.note else ""
        return f"<{tag}{scope}{css}{value}>{escape(self.text)}{note}</{tag}>"


@dataclass(frozen=True)
class Head:
    """The head of a column, and the group that it belongs to with its neighbours."""

    text: str
    group: str = ""
    css: str = "number"


def html_table(
    name: str,
    caption: str,
    heads: Sequence[Head],
    rows: Iterable[Sequence[Cell]],
    *,
    row_css: Sequence[str] = (),
) -> str:
    """Give a table that can be sorted by each of its columns; its first column heads the rows."""
    body = []
    for number, row in enumerate(rows):
        css = f' class="{row_css[number]}"' if row_css and row_css[number] else ""
        cells = row[0].html("th") + "".join(cell.html() for cell in row[1:])
        body.append(f"<tr{css}>{cells}</tr>")
    return (
        f'<div class="scroll" role="region" aria-labelledby="{name}-caption" tabindex="0">'
        f'<table id="{name}" class="sortable"><caption id="{name}-caption">{escape(caption)}'
        f"</caption><thead>{_head_rows(heads)}</thead><tbody>{''.join(body)}</tbody></table></div>"
    )


def _head_rows(heads: Sequence[Head]) -> str:
    buttons = "".join(
        f'<th scope="col" class="{head.css}" aria-sort="none">'
        f'<button type="button">{escape(head.text)}</button></th>'
        for head in heads
    )
    if not any(head.group for head in heads):
        return f"<tr>{buttons}</tr>"
    groups: list[tuple[str, int]] = []
    for head in heads:
        if groups and head.group and groups[-1][0] == head.group:
            groups[-1] = (head.group, groups[-1][1] + 1)
        else:
            groups.append((head.group, 1))
    top = "".join(
        f'<th scope="colgroup" colspan="{span}">{escape(text)}</th>' if text else "<td></td>"
        for text, span in groups
    )
    return f'<tr class="groups">{top}</tr><tr>{buttons}</tr>'


def frame_table(name: str, caption: str, frame: pd.DataFrame) -> str:
    """Give a data frame as a table; its index is the first column if it has a name."""
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
    return html_table(name, caption, heads, rows)


def number_columns(frame: pd.DataFrame) -> list[str]:
    """The columns that hold numbers, or yes and no."""
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
        return [_shown_p(number) for number in numbers]
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


def _shown_p(number: float) -> str:
    return "< 0.001" if number < 0.001 else f"{number:.3f}"


def _decimals(number: float) -> int:
    """How many decimals a number has, four at most."""
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


def section(name: str, title: str, *parts: str) -> str:
    """Give a part of the page that the contents link to."""
    return (
        f'<section id="{name}" aria-labelledby="{name}-title"><h2 id="{name}-title">'
        f"{escape(title)}</h2>{''.join(parts)}</section>"
    )


def paragraph(text: str, css: str = "") -> str:
    """Give a paragraph of plain text."""
    return f"<p{f' class={chr(34)}{css}{chr(34)}' if css else ''}>{escape(text)}</p>"


def figure(drawing: str, caption: str, legend: str = "") -> str:
    """Give a drawing with its caption."""
    return f"<figure>{drawing}{legend}<figcaption>{escape(caption)}</figcaption></figure>"
