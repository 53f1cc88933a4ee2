"""Which methods differ: average ranks, Friedman, Wilcoxon, critical difference."""

from __future__ import annotations

from typing import Any

from smoothrank.evaluation.rank_tests import indistinct_groups
from smoothrank.plots.style import INK, METHODS, ON_PAGE, new_figure, set_margins
from tasks.benchmark.paper_tables import BY_NAME
from tasks.reporting.inline_svg import inline_svg
from tasks.reporting.pages import macros
from tasks.reporting.paper.rank_tests import (
    RankStatistics,
    both_rank_statistics,
    friedman_table,
    pair_table,
    rank_table,
)
from tasks.reporting.paper.tables import Comparison
from tasks.reporting.tables import filed_table


def content(comparison: Comparison) -> list[str]:
    """Return what the section shows."""
    n = len(comparison.results.complete)
    both = both_rank_statistics(comparison)
    if both is None:
        return [
            "The tests need two methods and two data sets with results of every method; there "
            f"are {len(comparison.results.methods)} and {n}."
        ]
    ours, paper = both
    charts = [
        macros.figure(
            _chart(ours, "cd-ours", "Average ranks, our results"),
            f"Ours, {n} data sets: average rank, 1 is best.",
        ),
        macros.figure(
            _chart(paper, "cd-paper", "Average ranks, the paper’s results"),
            f"The paper’s Table C.1, the same {n} data sets.",
        ),
    ]
    return [
        macros.side_by_side(charts, "pair"),
        "A bar joins methods whose average ranks differ by less than Nemenyi’s critical "
        "difference at 0.05: the data cannot tell them apart.",
        *filed_table("ranks", f"Average ranks over {n} data sets", rank_table(ours, paper)),
        *filed_table(
            "friedman",
            "Friedman’s test that all methods rank alike; F is Iman and Davenport’s",
            friedman_table(ours, paper),
        ),
        *filed_table(
            "wilcoxon",
            "Wilcoxon’s signed-rank test of each pair, corrected by Holm; wins are the first’s",
            pair_table(ours, paper),
        ),
    ]


def _chart(statistics: RankStatistics, name: str, title: str) -> str:
    """Draw average ranks on a line; a bar joins methods that Nemenyi's test does not separate."""
    ranks, difference = statistics.average_ranks, statistics.critical_difference
    methods = sorted(ranks, key=lambda method: ranks[method])
    groups = indistinct_groups([ranks[m] for m in methods], difference)
    count, half = len(methods), (len(methods) + 1) // 2
    first_row = 1.2 + 0.35 * len(groups)
    figure, axes = new_figure(ON_PAGE[0], 0.25 * (first_row + half + 2.5))
    set_margins(figure, left=1.2, right=1.2, top=0.0, bottom=0.0)
    axes.set(xlim=(1, count), ylim=(first_row + half - 0.5, -3))
    axes.set_axis_off()
    line: dict[str, Any] = {"color": INK, "linewidth": 0.8}
    axes.hlines([0, -1.7], 1, [count, min(1 + difference, count)], **line)
    axes.vlines(range(1, count + 1), -0.2, 0, **line)
    axes.vlines([1, min(1 + difference, count)], -1.9, -1.5, **line)
    axes.text(1, -2.1, f"critical difference {difference:.2f}", fontsize=9, color=INK)
    for place in range(1, count + 1):
        axes.text(place, -0.4, str(place), ha="center", fontsize=9, color=INK)
    for number, group in enumerate(groups):
        ends = [ranks[methods[group[0]]], ranks[methods[group[-1]]]]
        axes.plot(ends, [0.4 + 0.35 * number] * 2, color=INK, linewidth=3.5)
    room = 0.04 * (count - 1)
    for number, method in enumerate(methods):
        is_left = number < half
        row = first_row + (number if is_left else count - 1 - number)
        edge = 1 - room if is_left else count + room
        rank, colour = ranks[method], METHODS[method]["color"]
        axes.plot([rank, rank, edge], [0, row, row], color=colour, linewidth=1.5)
        text = f"{BY_NAME[method].short} {rank:.2f}"
        at = (edge - room, row) if is_left else (edge + room, row)
        axes.text(*at, text, ha="right" if is_left else "left", va="center", fontsize=9, color=INK)
    listed = ", ".join(f"{BY_NAME[method].label} {ranks[method]:.2f}" for method in methods)
    words = f"Average ranks: {listed}. Critical difference {difference:.2f}."
    return inline_svg(figure, name, title, words)
