"""Tables C.1 and C.2 as HTML: the paper's and ours next to each other, differences marked."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, Any

from tasks.benchmark.paper_tables import BY_NAME
from tasks.reporting.tables import Cell, Head, signed, table

if TYPE_CHECKING:
    import pandas as pd


def detail_table(
    name: str,
    caption: str,
    frames: tuple[pd.DataFrame, pd.DataFrame, pd.DataFrame],
    *,
    digits: int,
    near: float,
    least: float,
    strong: float,
    highest: tuple[pd.DataFrame, pd.DataFrame] | None = None,
) -> str:
    """Return the table, one row per data set.

    Parameters
    ----------
    name, caption : str
        Its id and its caption.
    frames : tuple of DataFrame
        The paper's numbers, ours, and the difference: one row per data set, one column per method.
    digits : int
        Decimals.
    near : float
        Rows whose differences are no greater can be hidden.
    least, strong : float
        The differences from which a cell is marked, and above which it is marked strongly.
    highest : tuple of DataFrame, optional
        Whether the paper's number, and ours, is the highest of its row.
    """
    paper, ours, off = map(_rows, frames)
    bold = [_rows(frame) for frame in highest] if highest else [{}, {}]
    rows, css = [], []
    for dataset, differences in off.items():
        cells = [Cell(dataset, dataset)]
        for method, difference in differences.items():
            is_best = ["number best" if b and b[dataset][method] else "number" for b in bold]
            value = ours[dataset][method]
            cells.append(_number(paper[dataset][method], digits, is_best[0]))
            if math.isnan(value):
                cells.append(Cell("–", css="number"))
                continue
            note = signed(difference, digits) if abs(difference) >= least else ""
            mark = f"{is_best[1]} {_mark(difference, least, strong)}"
            cells.append(_number(value, digits, mark, note))
        largest = max(abs(value) for value in differences.values() if not math.isnan(value))
        rows.append([*cells, _number(largest, digits)])
        css.append("" if largest > near + 1e-9 else "near")
    labels = [BY_NAME[method].label for method in frames[0].columns]
    pairs = [Head(source, label) for label in labels for source in ("paper", "ours")]
    heads = [Head("data set", css=""), *pairs, Head("largest difference")]
    return table(name, caption, heads, rows, css)


def _rows(frame: pd.DataFrame) -> dict[str, dict[str, float]]:
    lines: Any = frame.astype(float).to_dict("index")
    return dict(lines)


def _number(value: float, digits: int, css: str = "number", note: str = "") -> Cell:
    return Cell(f"{value:.{digits}f}", value, note, css)


def _mark(difference: float, least: float, strong: float) -> str:
    if abs(difference) < least:
        return "same"
    side = "up" if difference > 0 else "down"
    return f"{side} strong" if abs(difference) > strong + 1e-9 else side
