"""How close our numbers come to the printed ones."""

from __future__ import annotations

from tasks.reporting.pages import macros
from tasks.reporting.paper.tables import Comparison
from tasks.reporting.tables import frame_table


def content(comparison: Comparison) -> list[str]:
    """Return what the section shows."""
    table = comparison.agreement()
    of = f"of {table['data sets'].sum()}"
    cards = [
        (table["AUC as printed"].sum(), of, "test AUC as printed, in three decimals"),
        (table["within 0.005"].sum(), of, "test AUC within 0.005"),
        (table["same features"].sum(), of, "the same number of features"),
    ]
    return [
        macros.cards(cards),
        frame_table("agreement-table", "Our test AUC against Table C.1, by method", table),
        "Differences are ours minus the paper’s, both in three decimals. The test AUC moves in "
        "steps of 1/(positives × negatives), and many test parts have one to four positives: "
        "where several values of a parameter validate alike, a single pair decides.",
        macros.table_files("agreement"),
    ]
