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
        What it is sorted by; None is last either way.
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
        value = "" if self.value is None else f' data-value="{escape(str(self.value))}"'
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
    """Give a data frame as a table; its index is the first column."""
    first = str(frame.index.name) if frame.index.name else None
    text = {column for column in frame.columns if frame[column].dtype.kind not in "biuf"}
    heads = [Head(first, css="")] if first else []
    heads += [Head(str(c), css="" if c in text else "number") for c in frame.columns]
    rows = []
    for index, row in frame.iterrows():
        cells = [Cell(str(index), str(index))] if first else []
        cells += [value_cell(column, row[column]) for column in frame.columns]
        rows.append(cells)
    return html_table(name, caption, heads, rows)


def value_cell(column: Any, value: Any) -> Cell:
    """Show one value of a data frame."""
    shown = show(str(column), value)
    if isinstance(value, str):
        return Cell(shown, value)
    missing = isinstance(value, float) and math.isnan(value)
    return Cell(shown, None if missing else float(value), css="number")


def show(column: str, value: Any) -> str:
    """Write a value as a reader wants it."""
    import pandas as pd

    if isinstance(value, str):
        return value
    if pd.isna(value):
        return "–"
    if isinstance(value, bool) or type(value).__name__ == "bool":
        return "yes" if value else "no"
    number = float(value)
    if column.startswith("p"):
        return "< 0.001" if number < 0.001 else f"{number:.3f}"
    if "difference" in column and column != "critical difference":
        return signed(number, 0 if number == int(number) and abs(number) >= 1 else 3)
    if number == int(number) and abs(number) < 1e15:
        return f"{int(number):,}".replace(",", " ")
    return f"{number:.3f}" if abs(number) < 1 else f"{number:.2f}"


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
