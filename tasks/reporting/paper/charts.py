"""The charts of the report."""

from __future__ import annotations

from html import escape
from typing import TYPE_CHECKING

from smoothrank.evaluation.rank_tests import indistinct_groups
from tasks.benchmark.figure import LABELS, FigureOne
from tasks.benchmark.paper_tables import BY_NAME
from tasks.reporting.svg_chart import Axis, Chart

if TYPE_CHECKING:
    import pandas as pd

    from tasks.reporting.paper.rank_tests import RankStatistics

SHAPES = {
    "smooth": "circle",
    "ranking-cg": "square",
    "ranking-cg-unbounded": "triangle",
    "l1": "triangle",
    "linf": "diamond",
    "ranking-svm": "wedge",
}


def critical_difference_chart(statistics: RankStatistics, name: str, title: str) -> str:
    """Average ranks on a line; a bar joins methods that Nemenyi's test cannot tell apart."""
    ranks = statistics.average_ranks
    methods = sorted(ranks, key=lambda method: ranks[method])
    groups = indistinct_groups([ranks[m] for m in methods], statistics.critical_difference)
    left = methods[: (len(methods) + 1) // 2]
    top = 74.0
    below = top + 16.0 + 9.0 * len(groups)
    height = below + 26.0 * max(len(left), len(methods) - len(left)) + 8.0
    chart = Chart(name, title, _ranks_in_words(statistics), 480.0, height)
    x = Axis(1.0, float(len(methods)), 146.0, 334.0)
    chart.line([(x.start, top), (x.end, top)], "axis")
    for rank in range(1, len(methods) + 1):
        chart.line([(x(rank), top - 5), (x(rank), top)], "axis")
        chart.text(x(rank), top - 10, str(rank), "tick", "middle")
    _difference_bar(chart, x, statistics.critical_difference, len(methods))
    for number, group in enumerate(groups):
        y = top + 11.0 + 9.0 * number
        chart.line(
            [(x(ranks[methods[group[0]]]) - 4, y), (x(ranks[methods[group[-1]]]) + 4, y)], "group"
        )
    for number, method in enumerate(methods):
        first = method in left
        row = number if first else len(methods) - 1 - number
        y = below + 14.0 + 26.0 * row
        edge = 138.0 if first else 342.0
        chart.line(
            [(x(ranks[method]), top), (x(ranks[method]), y), (edge, y)], f"leader m-{method}"
        )
        anchor, at = ("end", edge - 6) if first else ("start", edge + 6)
        text = f"{BY_NAME[method].short} {ranks[method]:.2f}"
        chart.text(at, y + 4, text, "label", anchor)
    return chart.svg()


def _difference_bar(chart: Chart, x: Axis, difference: float, n_methods: int) -> None:
    end = min(1.0 + difference, float(n_methods))
    chart.line([(x(1.0), 26), (x(1.0), 36)], "axis")
    chart.line([(x(end), 26), (x(end), 36)], "axis")
    chart.line([(x(1.0), 31), (x(end), 31)], "axis")
    chart.text(x(1.0), 18, f"critical difference {difference:.2f}", "tick")


def _ranks_in_words(statistics: RankStatistics) -> str:
    ranks = sorted(statistics.average_ranks.items(), key=lambda item: item[1])
    listed = ", ".join(f"{BY_NAME[m].label} {rank:.2f}" for m, rank in ranks)
    return f"Average ranks: {listed}. Critical difference {statistics.critical_difference:.2f}."


def pareto_chart(means: pd.DataFrame, n: int) -> str:
    """Mean AUC against mean number of features; ours filled, the paper's hollow."""
    auc = means[["AUC, paper", "AUC, ours"]].to_numpy()
    features = means[["features, paper", "features, ours"]].clip(lower=0.5).to_numpy()
    chart = Chart(
        "pareto-chart",
        f"Mean test AUC against the mean number of features, {n} data sets",
        "The table below has the numbers.",
        480.0,
        330.0,
    )
    x = Axis(_decade(features.min()), _decade(features.max(), up=True), 58.0, 462.0, log=True)
    room = max(0.2 * float(auc.max() - auc.min()), 0.005)
    y = Axis(float(auc.min()) - room, float(auc.max()) + room, 280.0, 30.0)
    chart.axes(x, y, "mean number of features (logarithmic)", "mean test AUC")
    front = means[means["on our front"]].sort_values("features, ours")
    corners: list[tuple[float, float]] = []
    for _, row in front.iterrows():
        at = x(max(float(row["features, ours"]), 0.5)), y(float(row["AUC, ours"]))
        corners += [(at[0], corners[-1][1]), at] if corners else [at]
    chart.line([*corners, (x.end, corners[-1][1])], "front")
    by_label = {method.label: method for method in BY_NAME.values()}
    for label, row in means.iterrows():
        method = by_label[str(label)]
        for source, css in (("paper", "hollow"), ("ours", "filled")):
            mean, used = float(row[f"AUC, {source}"]), float(row[f"features, {source}"])
            note = f"{label}, {source}: mean AUC {mean:.3f}, {used:g} features"
            at = x(max(used, 0.5)), y(mean)
            chart.marker(*at, SHAPES[method.name], f"{css} m-{method.name}", note, 6.0)
        if row["on our front"] and at[0] > 130:  # the line goes right and down from here
            chart.text(at[0] - 10, at[1] - 9, method.short, "label halo", "end")
        else:
            chart.text(at[0] + 11, at[1] + 14, method.short, "label halo")
    return chart.svg()


def time_chart(time: pd.DataFrame) -> str:
    """Seconds for one data set: from the fastest to the slowest, and the median."""
    by_label = {method.label: method for method in BY_NAME.values()}
    height = 46.0 + 34.0 * len(time)
    chart = Chart(
        "time-chart",
        "Seconds for one data set, by method",
        "A line from the fastest to the slowest data set, a mark at the median.",
        480.0,
        height + 30.0,
    )
    low = max(float(time["fastest"].min()), 0.1)
    x = Axis(
        _decade(low), _decade(max(float(time["slowest"].max()), 1.0), up=True), 106.0, 462.0, True
    )
    for value in x.ticks():
        chart.line([(x(value), 16), (x(value), height - 18)], "grid")
        chart.text(x(value), height, f"{value:g}", "tick", "middle")
    chart.text((x.start + x.end) / 2, height + 21, "seconds (logarithmic)", "label", "middle")
    for number, (label, row) in enumerate(time.iterrows()):
        method, y = by_label[str(label)], 34.0 + 34.0 * number
        fastest, median, slowest = (
            max(float(row[c]), low) for c in ("fastest", "median", "slowest")
        )
        chart.text(98, y + 4, method.short, "label", "end")
        chart.line([(x(fastest), y), (x(slowest), y)], f"span m-{method.name}")
        note = f"{label}: {row['fastest']:g} to {row['slowest']:g} s, median {row['median']:g} s"
        chart.marker(x(median), y, SHAPES[method.name], f"filled m-{method.name}", note, 6.0)
    return chart.svg()


def _decade(value: float, *, up: bool = False) -> float:
    import math

    exponent = math.log10(value)
    return 10.0 ** (math.ceil(exponent - 1e-9) if up else math.floor(exponent + 1e-9))


def points_chart(figure: FigureOne) -> str:
    """Figure 1 (a): the training rows of the XOR problem."""
    points = figure.points
    chart = Chart(
        "xor",
        "The noisy XOR problem, training rows",
        f"{len(points)} rows in four overlapping clusters, opposite corners of the same class.",
        440.0,
        400.0,
    )
    low = float(points[["x", "y"]].min().min()) - 0.1
    high = float(points[["x", "y"]].max().max()) + 0.1
    x, y = Axis(low, high, 52.0, 428.0), Axis(low, high, 350.0, 30.0)
    chart.axes(x, y, "x₁", "x₂", digits=1)
    for row in points.itertuples():
        positive = row.label == 1
        shape, css = ("circle", "filled positive") if positive else ("cross", "filled negative")
        chart.marker(x(float(row.x)), y(float(row.y)), shape, css, size=3.6)  # type: ignore[arg-type]
    return chart.svg()


def curves_chart(figure: FigureOne) -> str:
    """Figure 1 (b): test AUC by iteration."""
    chart = Chart(
        "curves",
        "Test AUC by iteration on the noisy XOR problem",
        "; ".join(
            f"{label}: " + " ".join(f"{value:.3f}" for value in figure.test_auc(method))
            for method, label in LABELS.items()
        ),
        440.0,
        400.0,
    )
    curves = figure.curves
    low, high = float(curves["test_auc"].min()), float(curves["test_auc"].max())
    x = Axis(1.0, float(curves["iteration"].max()), 52.0, 428.0)
    y = Axis(low - 0.01, min(high + 0.01, 1.0), 350.0, 30.0)
    chart.axes(x, y, "iteration (prototypes)", "test AUC")
    for method, label in reversed(LABELS.items()):
        at = [(x(i), y(v)) for i, v in enumerate(figure.test_auc(method), 1)]
        chart.line(at, f"curve m-{method}")
        for number, point in enumerate(at, 1):
            note = f"{label}, iteration {number}: {figure.test_auc(method)[number - 1]:.3f}"
            chart.marker(*point, SHAPES[method], f"filled m-{method}", note, 3.6)
    return chart.svg()


def legend(entries: tuple[tuple[str, str, str], ...]) -> str:
    """Give the list of marks and what they stand for: class, shape and text of each."""
    items = []
    for css, shape, text in entries:
        chart = Chart("", "", "", 16, 16)
        chart.marker(8, 8, shape, f"filled {css}", size=5)
        mark = f'<svg viewBox="0 0 16 16" aria-hidden="true">{chart.parts[0]}</svg>'
        items.append(f"<li>{mark}{escape(text)}</li>")
    return f'<ul class="legend">{"".join(items)}</ul>'
