"""Figure 1: the noisy XOR problem."""

from __future__ import annotations

from smoothrank.datasets.xor import largest_drop, total_drop
from tasks.benchmark.figure import LABELS
from tasks.reporting.pages import Section, parts
from tasks.reporting.paper.charts import SHAPES, curves_chart, legend, points_chart
from tasks.reporting.paper.tables import Comparison

FILES = {
    "SVG": "figure1.svg",
    "PNG": "figure1.png",
    "CSV of the curves": "figure1.csv",
    "CSV of the rows": "figure1_points.csv",
}


def section(comparison: Comparison) -> Section:
    """Return the section."""
    drawing = comparison.drawing
    if drawing is None:
        return _section("It has not been made; run “smoothrank figure”.")
    words = "; ".join(
        f"{label} loses {total_drop(aucs):.3f} on its way, {largest_drop(aucs):.3f} in one step "
        f"at most, and ends at {aucs[-1]:.3f}"
        for method, label in LABELS.items()
        if (aucs := drawing.test_auc(method))
    )
    panels = [
        parts.figure(
            points_chart(drawing),
            "(a) The training rows.",
            legend((("positive", "circle", "positive"), ("negative", "cross", "negative"))),
        ),
        parts.figure(
            curves_chart(drawing),
            "(b) Test AUC after each new prototype.",
            legend(tuple((f"m-{m}", SHAPES[m], label) for m, label in LABELS.items())),
        ),
    ]
    return _section(
        parts.side_by_side(panels, "pair"),
        f"{words}.",
        "The paper gives no numbers of its data; these are our own, four clusters at the "
        "corners of the unit square. The seed was fixed beforehand; noise and the C of Smooth "
        "were chosen by looking at other seeds, and docs/report.md tells of fifty more.",
        parts.files(FILES),
    )


def _section(*shown: str) -> Section:
    return Section("figure-1", "Figure 1", "Figure 1: the noisy XOR problem", shown)
