"""Table C.2: number of features used."""

from __future__ import annotations

from tasks.reporting.pages import macros
from tasks.reporting.paper.detail_table import detail_table
from tasks.reporting.paper.tables import Comparison


def content(comparison: Comparison) -> list[str]:
    """Return what the section shows."""
    return [
        macros.switch("c2", "only data sets with a difference"),
        detail_table(
            "c2",
            "Number of features used: the paper’s and ours",
            (comparison.paper_features, comparison.features, comparison.features_difference),
            digits=0,
            near=0,
            least=1,
            strong=1,
        ),
        macros.table_files("table_c2"),
    ]
