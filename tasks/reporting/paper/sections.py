"""The parts of the report's page."""

from __future__ import annotations

from html import escape
from typing import TYPE_CHECKING

from smoothrank.datasets.xor import largest_drop, total_drop
from tasks.benchmark.figure import LABELS, FigureOne
from tasks.benchmark.paper_tables import BY_NAME
from tasks.reporting.html_parts import (
    Cell,
    Head,
    figure,
    frame_table,
    html_table,
    paragraph,
    section,
)
from tasks.reporting.paper.charts import (
    SHAPES,
    critical_difference_chart,
    curves_chart,
    legend,
    pareto_chart,
    points_chart,
    time_chart,
)
from tasks.reporting.paper.detail_tables import auc_table, features_table
from tasks.reporting.paper.rank_tests import friedman_table, pair_table, rank_statistics, rank_table
from tasks.reporting.paper.tables import measure_text

if TYPE_CHECKING:
    import pandas as pd

    from tasks.reporting.paper.tables import Comparison

DOWNLOADS = (
    '<p class="files">As files: <a href="tables/{0}.csv">CSV</a> '
    '<a href="tables/{0}.md">Markdown</a></p>'
)


def agreement_section(comparison: Comparison) -> str:
    """How near our numbers come to the printed ones."""
    table = comparison.agreement()
    runs = int(table["data sets"].sum())
    cards = (
        (int(table["AUC as printed"].sum()), "test AUC as printed, in three decimals"),
        (int(table["within 0.005"].sum()), "test AUC within 0.005"),
        (int(table["same features"].sum()), "the same number of features"),
    )
    shown = "".join(
        f"<li><strong>{n}</strong> of {runs}<span>{escape(text)}</span></li>" for n, text in cards
    )
    return section(
        "agreement",
        "How near we come",
        f'<ul class="cards">{shown}</ul>',
        frame_table("agreement-table", "Our test AUC against Table C.1, by method", table),
        paragraph(
            "Differences are ours minus the paper’s, both in three decimals. The test AUC moves in "
            "steps of 1/(positives × negatives), and many test parts have one to four positives: "
            "where several values of a parameter validate alike, a single pair decides."
        ),
        DOWNLOADS.format("agreement"),
    )


def summary_tables_section(comparison: Comparison) -> str:
    """Tables 1 and 2."""
    two = comparison.table_two()
    return section(
        "tables-1-2",
        "Tables 1 and 2",
        _source_table("table1", "Table 1: highest AUC, and features used", comparison.table_one()),
        DOWNLOADS.format("table1"),
        paragraph("Table 2 needs results of Ranking-CG Prototype, which was not run.")
        if two is None
        else _source_table("table2", "Table 2: where Ranking-CG has not the highest AUC", two)
        + DOWNLOADS.format("table2"),
        paragraph(
            "Several methods may share the highest AUC, in three decimals, of a data set. A "
            "feature is used when the magnitude of its weight is 0.001 or more; the percentage is "
            "of the training rows, averaged over data sets. The middle line counts the paper’s own "
            "Tables C.1 and C.2 over the same data sets as ours."
        ),
    )


def _source_table(name: str, caption: str, frame: pd.DataFrame) -> str:
    methods = [column for column in frame.columns if column not in ("measure", "source")]
    heads = [Head("results", css=""), *(Head(method) for method in methods)]
    rows, css = [], []
    for number, (_, line) in enumerate(frame.iterrows()):
        ours = str(line["source"]).startswith("ours")
        cells = [Cell(str(line["measure"]), number, note=str(line["source"]))]
        for method in methods:
            value = float(line[method])
            cells.append(Cell(measure_text(str(line["measure"]), value), value, css="number"))
        rows.append(cells)
        css.append("ours" if ours else "")
    return html_table(name, caption, heads, rows, row_css=css)


def figure_section(drawing: FigureOne | None) -> str:
    """Figure 1."""
    title = "Figure 1: the noisy XOR problem"
    if drawing is None:
        return section(
            "figure-1", title, paragraph("It has not been made; run “smoothrank figure”.")
        )
    words = "; ".join(
        f"{label} loses {total_drop(aucs):.3f} on its way, {largest_drop(aucs):.3f} in one step "
        f"at most, and ends at {aucs[-1]:.3f}"
        for method, label in LABELS.items()
        if (aucs := drawing.test_auc(method))
    )
    return section(
        "figure-1",
        title,
        '<div class="pair">',
        figure(
            points_chart(drawing),
            "(a) The training rows.",
            legend((("positive", "circle", "positive"), ("negative", "cross", "negative"))),
        ),
        figure(
            curves_chart(drawing),
            "(b) Test AUC after each new prototype.",
            legend(tuple((f"m-{m}", SHAPES[m], label) for m, label in LABELS.items())),
        ),
        "</div>",
        paragraph(f"{words}."),
        paragraph(
            "The paper gives no numbers of its data; these are our own, four clusters at the "
            "corners of the unit square. The seed was fixed beforehand; noise and the C of Smooth "
            "were chosen by looking at other seeds, and docs/report.md tells of fifty more."
        ),
        '<p class="files">As files: <a href="figure1.svg">SVG</a> <a href="figure1.png">PNG</a> '
        '<a href="figure1.csv">CSV of the curves</a> '
        '<a href="figure1_points.csv">CSV of the rows</a></p>',
    )


def rank_section(comparison: Comparison) -> str:
    """Average ranks, Friedman, Wilcoxon, critical difference."""
    title = "Which methods differ"
    n = len(comparison.results.complete)
    ours = rank_statistics(comparison.complete(comparison.auc))
    paper = rank_statistics(comparison.complete(comparison.paper_auc))
    if ours is None or paper is None:
        return section(
            "ranks",
            title,
            paragraph(
                "The tests need two methods and two data sets with results of every method; there "
                f"are {len(comparison.results.methods)} and {n}."
            ),
        )
    return section(
        "ranks",
        title,
        '<div class="pair">',
        figure(
            critical_difference_chart(ours, "cd-ours", "Average ranks, our results"),
            f"Ours, {n} data sets: average rank, 1 is best.",
        ),
        figure(
            critical_difference_chart(paper, "cd-paper", "Average ranks, the paper’s results"),
            f"The paper’s Table C.1, the same {n} data sets.",
        ),
        "</div>",
        paragraph(
            "A bar joins methods whose average ranks differ by less than Nemenyi’s critical "
            "difference at 0.05: the data cannot tell them apart."
        ),
        frame_table("ranks-table", f"Average ranks over {n} data sets", rank_table(ours, paper)),
        DOWNLOADS.format("ranks"),
        frame_table(
            "friedman-table",
            "Friedman’s test that all methods rank alike; F is Iman and Davenport’s",
            friedman_table(ours, paper),
        ),
        DOWNLOADS.format("friedman"),
        frame_table(
            "wilcoxon-table",
            "Wilcoxon’s signed-rank test of each pair, corrected by Holm; wins are the first’s",
            pair_table(ours, paper),
        ),
        DOWNLOADS.format("wilcoxon"),
    )


def pareto_section(comparison: Comparison) -> str:
    """AUC against the number of features."""
    title = "AUC against number of features"
    n = len(comparison.results.complete)
    if n == 0:
        return section("pareto", title, paragraph("No data set has results of every method yet."))
    means = comparison.means()
    methods = comparison.results.methods
    return section(
        "pareto",
        title,
        figure(
            pareto_chart(means, n),
            f"Means over {n} data sets. Ours are filled, the paper’s hollow; the line is our "
            "front: no method on it is beaten in both.",
            legend(tuple((f"m-{m}", SHAPES[m], BY_NAME[m].label) for m in methods)),
        ),
        frame_table("means-table", f"Means over {n} data sets", means),
        DOWNLOADS.format("means"),
    )


def time_section(comparison: Comparison) -> str:
    """Seconds of each method."""
    time = comparison.time()
    if time.empty:
        return section("time", "Time", paragraph("The results have no seconds."))
    total = float(time["total"].sum())
    return section(
        "time",
        "Time",
        paragraph(
            f"{_duration(total)} in all, if run one after the other; whole experiment, with the "
            "search for the parameter."
        ),
        figure(
            time_chart(time),
            "Fastest to slowest data set, and the median.",
        ),
        frame_table("time-table", "Wall seconds by method", time),
        DOWNLOADS.format("time"),
    )


def _duration(seconds: float) -> str:
    minutes = round(seconds / 60)
    if minutes < 1:
        return f"{seconds:.0f} seconds"
    hours, rest = divmod(minutes, 60)
    return f"{hours} h {rest} min" if hours else f"{rest} min"


def detail_sections(comparison: Comparison) -> dict[str, tuple[str, str]]:
    """Tables C.1 and C.2, by name: the text of the link, and the section."""
    return {
        "table-c1": (
            "Table C.1",
            section(
                "table-c1",
                "Table C.1: test AUC",
                auc_table(comparison),
                DOWNLOADS.format("table_c1"),
            ),
        ),
        "table-c2": (
            "Table C.2",
            section(
                "table-c2",
                "Table C.2: number of features used",
                features_table(comparison),
                DOWNLOADS.format("table_c2"),
            ),
        ),
    }
