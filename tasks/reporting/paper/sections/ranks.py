"""Which methods differ: average ranks, Friedman, Wilcoxon, critical difference."""

from __future__ import annotations

from tasks.reporting.pages import Section, parts
from tasks.reporting.paper.charts import critical_difference_chart
from tasks.reporting.paper.rank_tests import (
    both_rank_statistics,
    friedman_table,
    pair_table,
    rank_table,
)
from tasks.reporting.paper.tables import Comparison
from tasks.reporting.tables import frame_table


def section(comparison: Comparison) -> Section:
    """Return the section."""
    n = len(comparison.results.complete)
    both = both_rank_statistics(comparison)
    if both is None:
        return _section(
            "The tests need two methods and two data sets with results of every method; there "
            f"are {len(comparison.results.methods)} and {n}."
        )
    ours, paper = both
    charts = [
        parts.figure(
            critical_difference_chart(ours, "cd-ours", "Average ranks, our results"),
            f"Ours, {n} data sets: average rank, 1 is best.",
        ),
        parts.figure(
            critical_difference_chart(paper, "cd-paper", "Average ranks, the paper’s results"),
            f"The paper’s Table C.1, the same {n} data sets.",
        ),
    ]
    return _section(
        parts.side_by_side(charts, "pair"),
        "A bar joins methods whose average ranks differ by less than Nemenyi’s critical "
        "difference at 0.05: the data cannot tell them apart.",
        frame_table("ranks-table", f"Average ranks over {n} data sets", rank_table(ours, paper)),
        parts.table_files("ranks"),
        frame_table(
            "friedman-table",
            "Friedman’s test that all methods rank alike; F is Iman and Davenport’s",
            friedman_table(ours, paper),
        ),
        parts.table_files("friedman"),
        frame_table(
            "wilcoxon-table",
            "Wilcoxon’s signed-rank test of each pair, corrected by Holm; wins are the first’s",
            pair_table(ours, paper),
        ),
        parts.table_files("wilcoxon"),
    )


def _section(*shown: str) -> Section:
    return Section("ranks", "Ranks", "Which methods differ", shown)
