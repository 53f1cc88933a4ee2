"""Mean AUC against the mean number of features."""

from __future__ import annotations

from tasks.benchmark.paper_tables import BY_NAME
from tasks.reporting.pages import Section, parts
from tasks.reporting.paper.charts import SHAPES, legend, pareto_chart
from tasks.reporting.paper.tables import Comparison
from tasks.reporting.tables import frame_table


def section(comparison: Comparison) -> Section:
    """Return the section."""
    n = len(comparison.results.complete)
    if n == 0:
        return _section("No data set has results of every method yet.")
    means, methods = comparison.means(), comparison.results.methods
    return _section(
        parts.figure(
            pareto_chart(means, n),
            f"Means over {n} data sets. Ours are filled, the paper’s hollow; the line is our "
            "front: no method on it is beaten in both.",
            legend(tuple((f"m-{m}", SHAPES[m], BY_NAME[m].label) for m in methods)),
        ),
        frame_table("means-table", f"Means over {n} data sets", means),
        parts.table_files("means"),
    )


def _section(*shown: str) -> Section:
    return Section("pareto", "Features", "AUC against number of features", shown)
