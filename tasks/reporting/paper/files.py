"""The report's tables as CSV, for programs, and as Markdown, for people."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

from tasks.reporting.paper.rank_tests import (
    both_rank_statistics,
    friedman_table,
    pair_table,
    rank_table,
)
from tasks.reporting.paper.tables import measure_text
from tasks.reporting.tables import number_columns, shown_frame

if TYPE_CHECKING:
    import pandas as pd

    from tasks.reporting.paper.tables import Comparison


def all_tables(comparison: Comparison) -> dict[str, pd.DataFrame]:
    """Return every table by its name, except those for which there are too few results."""
    tables = {
        "agreement": comparison.agreement(),
        "table1": comparison.table_one(),
        "table2": comparison.table_two(),
        "table_c1": comparison.table_c1(),
        "table_c2": comparison.table_c2(),
        "time": comparison.time(),
    }
    if comparison.results.complete:
        tables["means"] = comparison.means()
    both = both_rank_statistics(comparison)
    if both is not None:
        tables["ranks"] = rank_table(*both)
        tables["friedman"] = friedman_table(*both)
        tables["wilcoxon"] = pair_table(*both)
    return {name: table for name, table in tables.items() if table is not None}


def write_tables(comparison: Comparison, folder: Path) -> list[Path]:
    """Write every table; what an earlier run wrote and this one does not have is removed."""
    folder.mkdir(parents=True, exist_ok=True)
    written = []
    for name, table in all_tables(comparison).items():
        plain = table.reset_index() if table.index.name else table
        csv, markdown = folder / f"{name}.csv", folder / f"{name}.md"
        plain.to_csv(csv, index=False, lineterminator="\n", float_format="%.6g")
        text = to_markdown(plain, 3 if name == "table_c1" else None)
        markdown.write_text(text, encoding="utf-8")
        written += [csv, markdown]
    for old in folder.iterdir():
        if old not in written and old.suffix in (".csv", ".md"):
            old.unlink()
    return written


def to_markdown(frame: pd.DataFrame, digits: int | None = None) -> str:
    """Return a table in Markdown, numbers to the right and written as on the page."""
    numeric = set(number_columns(frame))
    shown = shown_frame(frame, digits)
    if "measure" in frame.columns:
        for column in numeric:
            values = zip(frame["measure"], frame[column], strict=True)
            shown[column] = [measure_text(measure, value) for measure, value in values]
    head = [str(column) for column in frame.columns]
    rule = ["---:" if column in numeric else "---" for column in frame.columns]
    lines = [[str(word).replace("|", "\\|") for word in words] for words in shown.to_numpy()]
    return "".join(f"| {' | '.join(words)} |\n" for words in (head, rule, *lines))
