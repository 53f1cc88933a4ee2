"""Tables 1 and 2: the highest AUC, and features used."""

from __future__ import annotations

from typing import TYPE_CHECKING

from tasks.reporting.pages import macros
from tasks.reporting.paper.tables import Comparison, measure_text
from tasks.reporting.tables import Cell, Head, table

if TYPE_CHECKING:
    import pandas as pd


def content(comparison: Comparison) -> list[str]:
    """Return what the section shows."""
    one, two = comparison.table_one(), comparison.table_two()
    second = ["Table 2 needs results of Ranking-CG Prototype, which was not run."]
    if two is not None:
        caption = "Table 2: where Ranking-CG does not have the highest AUC"
        second = _with_files("table2", caption, two)
    return [
        *_with_files("table1", "Table 1: highest AUC, and features used", one),
        *second,
        "Several methods may share the highest AUC, in three decimals, of a data set. A "
        "feature is used when the magnitude of its weight is 0.001 or more; the percentage is "
        "of the training rows, averaged over data sets. The middle line counts the paper’s own "
        "Tables C.1 and C.2 over the same data sets as ours.",
    ]


def _with_files(name: str, caption: str, frame: pd.DataFrame) -> list[str]:
    methods = [column for column in frame.columns if column not in ("measure", "source")]
    heads = [Head("results", css=""), *(Head(method) for method in methods)]
    rows = [
        [
            Cell(line["measure"], number, note=line["source"]),
            *(Cell(measure_text(line["measure"], line[m]), line[m], css="number") for m in methods),
        ]
        for number, line in enumerate(frame.to_dict("records"))
    ]
    css = ["ours" if source.startswith("ours") else "" for source in frame["source"]]
    return [table(name, caption, heads, rows, css), macros.table_files(name)]
