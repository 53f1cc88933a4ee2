"""Seconds of each method."""

from __future__ import annotations

from tasks.reporting.pages import Section, parts
from tasks.reporting.paper.charts import time_chart
from tasks.reporting.paper.tables import Comparison
from tasks.reporting.tables import frame_table


def section(comparison: Comparison) -> Section:
    """Return the section."""
    time = comparison.time()
    if time.empty:
        return Section("time", "Time", "Time", ["The results have no seconds."])
    shown = [
        f"{_duration(float(time['total'].sum()))} in all, if run one after the other; whole "
        "experiment, with the search for the parameter.",
        parts.figure(time_chart(time), "Fastest to slowest data set, and the median."),
        frame_table("time-table", "Wall seconds by method", time),
        parts.table_files("time"),
    ]
    return Section("time", "Time", "Time", shown)


def _duration(seconds: float) -> str:
    minutes = round(seconds / 60)
    if minutes < 1:
        return f"{seconds:.0f} seconds"
    hours, rest = divmod(minutes, 60)
    return f"{hours} h {rest} min" if hours else f"{rest} min"
