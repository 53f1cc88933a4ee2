"""Tables C.1 and C.2 as HTML: the paper's and ours next to each other, differences marked."""

from __future__ import annotations

from typing import TYPE_CHECKING

from tasks.benchmark.paper_tables import BY_NAME
from tasks.reporting.html_parts import Cell, Head, html_table, signed
from tasks.reporting.paper.tables import NEAR, PRINTED_THE_SAME, best

if TYPE_CHECKING:
    import pandas as pd

    from tasks.reporting.paper.tables import Comparison

KEY = (
    '<ul class="key"><li><span class="up">+0.010</span> ours is higher</li>'
    '<li><span class="down">−0.010</span> ours is lower</li>'
    '<li><b class="best">0.999</b> highest of the row</li><li>– not run</li></ul>'
)


def auc_table(comparison: Comparison) -> str:
    """Table C.1, with a switch that hides what agrees."""
    paper, ours = _rows(comparison.paper_auc), _rows(comparison.auc)
    paper_best, our_best = _rows(best(comparison.paper_auc)), _rows(best(comparison.auc))
    off = _rows(comparison.auc_difference)
    rows, css = [], []
    for name in comparison.results.datasets:
        cells = [Cell(name, name)]
        for m in comparison.results.methods:
            cells.append(_auc_cell(paper[name][m], paper_best[name][m]))
            cells.append(_auc_cell(ours[name][m], our_best[name][m], off[name][m]))
        largest = _largest(off[name])
        cells.append(Cell(f"{largest:.3f}", largest, css="number"))
        rows.append(cells)
        css.append("" if largest > NEAR + 1e-9 else "near")
    caption = "Test AUC: the paper’s and ours"
    return (
        _switch("c1", f"only data sets with a difference over {NEAR}")
        + KEY
        + html_table("c1", caption, _heads(comparison), rows, row_css=css)
    )


def features_table(comparison: Comparison) -> str:
    """Table C.2, with a switch that hides what agrees."""
    paper, ours = _rows(comparison.paper_features), _rows(comparison.features)
    off = _rows(comparison.features_difference)
    rows, css = [], []
    for name in comparison.results.datasets:
        cells = [Cell(name, name)]
        for m in comparison.results.methods:
            cells.append(Cell(f"{paper[name][m]:.0f}", paper[name][m], css="number"))
            cells.append(_features_cell(ours[name][m], off[name][m]))
        largest = _largest(off[name])
        cells.append(Cell(f"{largest:.0f}", largest, css="number"))
        rows.append(cells)
        css.append("" if largest else "near")
    caption = "Number of features used: the paper’s and ours"
    return _switch("c2", "only data sets with a difference") + html_table(
        "c2", caption, _heads(comparison), rows, row_css=css
    )


def _rows(frame: pd.DataFrame) -> dict[str, dict[str, float]]:
    return {
        str(name): dict(zip(frame.columns, map(float, row), strict=True))
        for name, row in zip(frame.index, frame.to_numpy(), strict=True)
    }


def _largest(differences: dict[str, float]) -> float:
    return max(abs(value) for value in differences.values() if value == value)


def _heads(comparison: Comparison) -> list[Head]:
    heads = [Head("data set", css="")]
    for method in comparison.results.methods:
        label = BY_NAME[method].label
        heads += [Head("paper", label), Head("ours", label)]
    return [*heads, Head("largest difference")]


def _auc_cell(value: float, is_best: float, difference: float | None = None) -> Cell:
    if value != value:
        return Cell("–", None, css="number")
    css = "number best" if is_best else "number"
    if difference is None:
        return Cell(f"{value:.3f}", value, css=css)
    return Cell(
        f"{value:.3f}",
        value,
        note=signed(difference, 3) if abs(difference) >= PRINTED_THE_SAME else "",
        css=f"{css} {_mark(difference, PRINTED_THE_SAME, NEAR)}".strip(),
    )


def _features_cell(value: float, difference: float) -> Cell:
    if value != value:
        return Cell("–", None, css="number")
    note = signed(difference, 0) if difference else ""
    return Cell(f"{value:.0f}", float(value), note=note, css=f"number {_mark(difference, 1, 1)}")


def _mark(difference: float, least: float, strong: float) -> str:
    if abs(difference) < least:
        return "same"
    side = "up" if difference > 0 else "down"
    return f"{side} strong" if abs(difference) > strong + 1e-9 else side


def _switch(table: str, text: str) -> str:
    return (
        f'<p class="switch"><label><input type="checkbox" data-hides-near="{table}"> {text}'
        f'</label> <output data-counts="{table}"></output></p>'
    )
