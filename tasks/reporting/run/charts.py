"""The charts of a run's report: inline SVG whose colours come from the page's style sheet."""

from __future__ import annotations

from collections.abc import Collection, Sequence

from tasks.reporting.pages import parts
from tasks.reporting.run.curves import Bin, Points
from tasks.reporting.svg_chart import Axis, Chart

WIDTH, HEIGHT = 440.0, 380.0
_LEFT, _RIGHT, _BOTTOM, _TOP = 58.0, 424.0, 328.0, 34.0
SCALE_CSS = {"none": "m-ranking-svm", "standard": "m-smooth", "quantile": "m-l1"}
SCALE_NAMES = {"none": "raw features", "standard": "standardised", "quantile": "by quantiles"}
SHAPES = {"none": "square", "standard": "circle", "quantile": "diamond"}
ONES = (0.0, 1.0)


class _WholeAxis(Axis):
    """An axis of whole numbers."""

    def ticks(self, n: int = 5) -> list[float]:
        """Return whole numbers only."""
        return [tick for tick in super().ticks(n) if float(tick).is_integer()]


def unit_chart(
    name: str,
    title: str,
    words: str,
    labels: tuple[str, str],
    points: Points,
    *,
    reference: Points,
    mark: tuple[float, float] | None = None,
    mark_note: str = "",
) -> str:
    """Draw a curve between 0 and 1 both ways, a dashed reference, and the point of the decision."""
    chart, x, y = _unit_axes(name, title, words, labels)
    chart.line([(x(a), y(b)) for a, b in reference], "front")
    chart.line([(x(a), y(b)) for a, b in points], "curve m-smooth")
    if mark is not None:
        chart.marker(x(mark[0]), y(mark[1]), "circle", "filled chosen", mark_note, 6.0)
    return _figure(chart, f"{title}. {words}")


def calibration_chart(bins: Sequence[Bin], words: str) -> str:
    """Draw what was said against what was seen, with an interval for each group of rows."""
    title = "Calibration"
    labels = ("probability that the model says", "share that is positive")
    chart, x, y = _unit_axes("calibration", title, words, labels)
    chart.line([(x(0.0), y(0.0)), (x(1.0), y(1.0))], "front")
    for one in bins:
        chart.line([(x(one.said), y(one.low)), (x(one.said), y(one.high))], "curve m-smooth")
    for one in bins:
        note = f"{one.rows} rows: said {one.said:.3f}, seen {one.seen:.3f}"
        chart.marker(x(one.said), y(one.seen), "circle", "filled m-smooth", note, 4.5)
    return _figure(chart, f"{title}. {words}")


def choice_chart(
    means: Sequence[tuple[float, str | None, float]],
    chosen: tuple[float, str | None],
    words: str,
    left_out: Collection[tuple[float, str | None]] = (),
) -> str:
    """Draw validation AUC against C, a line for each scaling; what was left out is hollow."""
    values, aucs = [value for value, _, _ in means], [mean for _, _, mean in means]
    chart = Chart("choice-chart", "How C was chosen", words, WIDTH, HEIGHT)
    low, high = min(values), max(values)
    x = Axis(low * 0.8, high * 1.25, _LEFT, _RIGHT, log=True)
    y = _auc_axis(aucs)
    chart.axes(x, y, "C (logarithmic)", "validation AUC", _digits(y))
    for scale in dict.fromkeys(scale or "none" for _, scale, _ in means):
        points = sorted((v, auc) for v, name, auc in means if (name or "none") == scale)
        chart.line([(x(v), y(auc)) for v, auc in points], f"curve {SCALE_CSS[scale]}")
        for value, auc in points:
            note = f"C = {value:g}, {SCALE_NAMES[scale]}: {auc:.4f}"
            is_out = (value, None if scale == "none" else scale) in left_out
            css = f"{'hollow' if is_out else 'filled'} {SCALE_CSS[scale]}"
            chart.marker(x(value), y(auc), SHAPES[scale], css, note, 4.0)
    best = next(auc for value, scale, auc in means if (value, scale) == chosen)
    chart.marker(x(chosen[0]), y(best), "circle", "ring", f"chosen: C = {chosen[0]:g}", 9.0)
    return _figure(chart, f"How C was chosen. {words}")


def iteration_chart(series: dict[str, Sequence[float]], chosen: int | None, words: str) -> str:
    """Draw AUC after each prototype, a line for each part of the rows."""
    longest = max(len(values) for values in series.values())
    chart = Chart("iteration-chart", "AUC by number of prototypes", words, WIDTH, HEIGHT)
    x = _WholeAxis(min(1.0, longest - 0.5), max(float(longest), 1.5), _LEFT, _RIGHT)
    y = _auc_axis([value for values in series.values() for value in values])
    chart.axes(x, y, "prototypes", "AUC", _digits(y))
    styles = {
        "training": ("m-ranking-svm", "square"),
        "validation": ("m-smooth", "circle"),
        "test": ("m-l1", "diamond"),
    }
    for name, values in series.items():
        css, shape = styles[name]
        at = [(x(float(i)), y(value)) for i, value in enumerate(values, 1)]
        chart.line(at, f"curve {css}")
        for number, (point, value) in enumerate(zip(at, values, strict=True), 1):
            note = f"{name}, {number}: {value:.4f}"
            chart.marker(*point, shape, f"filled {css}", note, 3.6)
    if chosen is not None and chosen <= longest:
        chart.line([(x(float(chosen)), _BOTTOM), (x(float(chosen)), _TOP)], "front")
    return _figure(chart, f"AUC by number of prototypes. {words}")


def plane_chart(
    negatives: Points,
    positives: Points,
    stars: Sequence[tuple[float, float, bool, str]],
    words: str,
) -> str:
    """Draw rows and prototypes on the plane of the rows' two main directions."""
    chart = Chart("plane", "Rows and prototypes", words, WIDTH, HEIGHT)
    shown = [*negatives, *positives, *((a, b) for a, b, _, _ in stars)]
    x = _padded([a for a, _ in shown], _LEFT, _RIGHT)
    y = _padded([b for _, b in shown], _BOTTOM, _TOP)
    chart.axes(x, y, "first direction", "second direction", 1)
    for points, shape, css in (
        (negatives, "circle", "dot m-ranking-svm"),
        (positives, "circle", "dot m-smooth"),
    ):
        for a, b in points:
            chart.marker(x(a), y(b), shape, css, size=2.4)
    for a, b, is_for, note in stars:
        css = "filled m-smooth prototype" if is_for else "filled against prototype"
        chart.marker(x(a), y(b), "diamond", css, note, 7.0)
    return _figure(chart, f"Rows and prototypes. {words}")


def _unit_axes(
    name: str, title: str, words: str, labels: tuple[str, str]
) -> tuple[Chart, Axis, Axis]:
    chart = Chart(name, title, words, WIDTH, HEIGHT)
    x, y = Axis(*ONES, _LEFT, _RIGHT), Axis(*ONES, _BOTTOM, _TOP)
    chart.axes(x, y, *labels, digits=1)
    return chart, x, y


def _auc_axis(values: Sequence[float]) -> Axis:
    low, high = min(values), max(values)
    room = max(0.15 * (high - low), 0.005)
    return Axis(max(0.0, low - room), min(1.0, high + room), _BOTTOM, _TOP)


def _digits(axis: Axis) -> int:
    return 3 if axis.high - axis.low < 0.06 else 2


def _padded(values: Sequence[float], start: float, end: float) -> Axis:
    low, high = min(values), max(values)
    room = 0.05 * (high - low) or 1.0
    return Axis(low - room, high + room, start, end)


def _figure(chart: Chart, caption: str) -> str:
    html: str = parts.figure(chart.svg(), caption)
    return html
