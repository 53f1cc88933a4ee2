"""Figure 1: the noisy XOR problem."""

from __future__ import annotations

from smoothrank.datasets.xor import largest_drop, total_drop
from smoothrank.plots.style import ON_PAGE, label_axes, legend_below, new_figure, notes
from tasks.benchmark.figure import LABELS, FigureOne, draw_curves, draw_points
from tasks.reporting.inline_svg import inline_svg
from tasks.reporting.pages import macros
from tasks.reporting.paper.tables import Comparison

FILES = {
    "SVG": "figure1.svg",
    "PNG": "figure1.png",
    "CSV of the curves": "figure1.csv",
    "CSV of the rows": "figure1_points.csv",
}


def content(comparison: Comparison) -> list[str]:
    """Return what the section shows."""
    drawing = comparison.drawing
    if drawing is None:
        return ["It has not been made; run “smoothrank figure”."]
    words = "; ".join(
        f"{label} loses {total_drop(aucs):.3f} on its way, {largest_drop(aucs):.3f} in one step "
        f"at most, and ends at {aucs[-1]:.3f}"
        for method, label in LABELS.items()
        if (aucs := drawing.test_auc(method))
    )
    panels = [
        macros.figure(_points(drawing), "(a) The training rows."),
        macros.figure(_curves(drawing), "(b) Test AUC after each new prototype."),
    ]
    return [
        macros.side_by_side(panels, "pair"),
        f"{words}.",
        "The paper gives no numbers of its data; these are our own, four clusters at the "
        "corners of the unit square. The seed was fixed beforehand; noise and the C of Smooth "
        "were chosen by looking at other seeds, and docs/report.md reports on fifty more.",
        macros.files(FILES),
    ]


def _points(drawing: FigureOne) -> str:
    figure, axes = new_figure(*ON_PAGE)
    draw_points(axes, drawing)
    label_axes(axes, "x₁", "x₂")
    legend_below(figure)
    words = f"{len(drawing.points)} rows in four overlapping clusters, opposite corners alike."
    return inline_svg(figure, "xor", "The noisy XOR problem, training rows", words)


def _curves(drawing: FigureOne) -> str:
    figure, axes = new_figure(*ON_PAGE)
    draw_curves(axes, drawing)
    label_axes(axes, "iteration (prototypes)", "test AUC")
    legend_below(figure)
    words = []
    for line, (method, label) in zip(axes.lines, LABELS.items(), strict=True):
        aucs = [f"{auc:.3f}" for auc in drawing.test_auc(method)]
        line.set_gid(notes(f"{label}, iteration {i}: {auc}" for i, auc in enumerate(aucs, 1)))
        words.append(f"{label}: {' '.join(aucs)}")
    title = "Test AUC by iteration on the noisy XOR problem"
    return inline_svg(figure, "curves", title, "; ".join(words))
