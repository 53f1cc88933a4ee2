"""Mean AUC against the mean number of features."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, Any

from smoothrank.plots.style import (
    DASHED,
    METHODS,
    ON_PAGE,
    label_axes,
    legend_below,
    new_figure,
    notes,
    use_log_scale,
)
from tasks.benchmark.paper_tables import PAPER_METHODS
from tasks.reporting.inline_svg import inline_svg
from tasks.reporting.pages import macros
from tasks.reporting.paper.tables import Comparison
from tasks.reporting.tables import filed_table

if TYPE_CHECKING:
    import pandas as pd

LEAST = 0.5
"""The fewest features that the logarithmic axis shows; a mean of zero is drawn there."""


def content(comparison: Comparison) -> list[str]:
    """Return what the section shows."""
    n = len(comparison.results.complete)
    if n == 0:
        return ["No data set has results of every method yet."]
    means = comparison.means()
    return [
        macros.figure(
            _chart(means, n),
            f"Means over {n} data sets. Ours are filled, the paper’s hollow; the line is our "
            "front: no method on it is beaten in both.",
        ),
        *filed_table("means", f"Means over {n} data sets", means),
    ]


def _chart(means: pd.DataFrame, n: int) -> str:
    """Draw mean AUC against mean number of features; ours filled, the paper's hollow."""
    used = means[["features, paper", "features, ours"]].clip(lower=LEAST)
    low = 10.0 ** math.floor(math.log10(used.min().min()))
    high = 10.0 ** math.ceil(math.log10(used.max().max()))
    figure, axes = new_figure(ON_PAGE[0], ON_PAGE[1] + 0.5)
    use_log_scale(axes)
    axes.set_xlim(low, max(high, 10.0 * low))
    front = means[means["on our front"]].sort_values("features, ours")
    steps = [*front["features, ours"].clip(lower=LEAST), axes.get_xlim()[1]]
    aucs = [*front["AUC, ours"], front["AUC, ours"].iloc[-1]]
    axes.plot(steps, aucs, drawstyle="steps-post", **DASHED)
    for method in (method for method in PAPER_METHODS if method.label in means.index):
        row: Any = means.loc[method.label]
        look = METHODS[method.name]
        for source, face in (("paper", "white"), ("ours", look["color"])):
            mean, features = row[f"AUC, {source}"], row[f"features, {source}"]
            told = f"{method.label}, {source}: mean AUC {mean:.3f}, {features:g} features"
            at = max(features, LEAST), mean
            (mark,) = axes.plot([at[0]], [at[1]], ls="", mfc=face, gid=notes([told]), **look)
        mark.set_label(method.label)
        left = row["on our front"] and at[0] > 3.0 * low  # the line goes right and down from here
        offset, side = ((-6, 5), "right") if left else ((7, -9), "left")
        axes.annotate(method.short, at, offset, textcoords="offset points", ha=side, fontsize=9)
    axes.margins(y=0.15)
    label_axes(axes, "mean number of features (logarithmic)", "mean test AUC")
    legend_below(figure)
    title = f"Mean test AUC against the mean number of features, {n} data sets"
    return inline_svg(figure, "pareto-chart", title, "The table below has the numbers.")
