"""Seconds of each method."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from smoothrank.plots.style import (
    METHODS,
    ON_PAGE,
    label_axes,
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

LEAST = 0.1
"""The fewest seconds that the logarithmic axis shows."""


def content(comparison: Comparison) -> list[str]:
    """Return what the section shows."""
    time = comparison.time()
    if time.empty:
        return ["The results hold no times."]
    return [
        f"{_duration(float(time['total'].sum()))} in all, if run one after the other; whole "
        "experiment, with the search for the parameter.",
        macros.figure(_chart(time), "Fastest to slowest data set, and the median."),
        *filed_table("time", "Wall seconds by method", time),
    ]


def _duration(seconds: float) -> str:
    minutes = round(seconds / 60)
    if minutes < 1:
        return f"{seconds:.0f} seconds"
    hours, rest = divmod(minutes, 60)
    return f"{hours} h {rest} min" if hours else f"{rest} min"


def _chart(time: pd.DataFrame) -> str:
    """Draw the seconds for one data set: from the fastest to the slowest, and the median."""
    methods = [method for method in PAPER_METHODS if method.label in time.index]
    figure, axes = new_figure(ON_PAGE[0], 0.8 + 0.34 * len(methods))
    use_log_scale(axes)
    axes.grid(axis="y", visible=False)
    for place, method in enumerate(methods):
        row: Any = time.loc[method.label]
        look = METHODS[method.name]
        span = [max(row[name], LEAST) for name in ("fastest", "slowest")]
        axes.plot(span, [place] * 2, color=look["color"], lw=5, alpha=0.35, solid_capstyle="round")
        told = "{}: {fastest:g} to {slowest:g} s, median {median:g} s".format(method.label, **row)
        axes.plot([max(row["median"], LEAST)], [place], ls="", gid=notes([told]), **look)
    axes.set_yticks(range(len(methods)), [method.short for method in methods])
    axes.set_ylim(len(methods) - 0.5, -0.5)
    label_axes(axes, "seconds (logarithmic)", "")
    words = "A line from the fastest to the slowest data set, a mark at the median."
    return inline_svg(figure, "time-chart", "Seconds for one data set, by method", words)
