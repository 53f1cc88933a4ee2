"""Table C.1: test AUC."""

from __future__ import annotations

from tasks.reporting.pages import macros
from tasks.reporting.paper.detail_table import detail_table
from tasks.reporting.paper.tables import NEAR, PRINTED_THE_SAME, Comparison, best


def content(comparison: Comparison) -> list[str]:
    """Return what the section shows."""
    return [
        macros.switch("c1", f"only data sets with a difference over {NEAR}"),
        macros.difference_key(),
        detail_table(
            "c1",
            "Test AUC: the paper’s and ours",
            (comparison.paper_auc, comparison.auc, comparison.auc_difference),
            digits=3,
            near=NEAR,
            least=PRINTED_THE_SAME,
            strong=NEAR,
            highest=(best(comparison.paper_auc), best(comparison.auc)),
        ),
        macros.table_files("table_c1"),
    ]
