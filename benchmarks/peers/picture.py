"""The picture: mean test AUC against size, ours as a curve and every other method as a point."""

from __future__ import annotations

import math
from collections.abc import Iterator
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from benchmarks.peers.comparison import Comparison, counts, label
from benchmarks.peers.participants.ours import PREFIX
from smoothrank.plots.style import (
    INK,
    METHODS,
    NEGATIVE,
    POINTS,
    label_axes,
    new_figure,
    notes,
    text_width,
    use_log_scale,
)

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

WIDTH, HEIGHT = 5.6, 4.8
TEXT_SIZE = 8.0
OURS = METHODS["smooth"]
OTHERS = METHODS["ranking-svm"]
NEAR = 6.0
"""Points from a mark to its label; one that is farther has a line to its mark."""

LINE_TO_MARK = {"arrowstyle": "-", "lw": 0.6, "color": NEGATIVE, "shrinkB": 3}

LEAST_SIZE = 0.8
"""Where the axis begins; a size of zero is drawn there."""


@dataclass(frozen=True)
class Point:
    """A method in the picture: its mean size and mean AUC."""

    name: str
    size: float
    auc: float

    @property
    def is_ours(self) -> bool:
        """Whether it is one of smoothrank's own."""
        return self.name.startswith(PREFIX)

    @property
    def short(self) -> str:
        """Its label: of ours, the size alone."""
        return self.name.removeprefix(PREFIX) if self.is_ours else label(self.name)

    @property
    def note(self) -> str:
        """Its tooltip."""
        return f"{label(self.name)}: mean AUC {self.auc:.4f}, {self.size:.3g} {counts(self.name)}"


def points(comparison: Comparison) -> list[Point]:
    """Return the methods from small to large."""
    aucs, sizes = comparison.auc.mean(), comparison.sizes.mean()
    found = [Point(str(name), float(sizes[name]), float(aucs[name])) for name in aucs.index]
    return sorted(found, key=lambda point: (point.size, point.name))


def curve(found: list[Point]) -> list[Point]:
    """Return ours that have a given number of columns, from small to large."""
    sized = [p for p in found if p.is_ours and p.name.removeprefix(PREFIX).isdigit()]
    return sorted(sized, key=lambda point: int(point.name.removeprefix(PREFIX)))


def draw(comparison: Comparison) -> Figure:
    """Draw the picture."""
    found = points(comparison)
    figure, axes = new_figure(WIDTH, HEIGHT)
    use_log_scale(axes)
    largest = max(point.size for point in found)
    axes.set_xlim(LEAST_SIZE, 10.0 ** math.ceil(math.log10(max(largest, 10.0)) + 0.1))
    ours = curve(found)
    axes.plot([_x(p) for p in ours], [p.auc for p in ours], color=OURS["color"], lw=2.0)
    for point in found:
        look = OURS if point.is_ours else OTHERS
        axes.plot([_x(point)], [point.auc], ls="", ms=6, gid=notes([point.note]), **look)
    axes.margins(y=0.12)
    label_axes(axes, "mean size: columns, rules, leaves … (logarithmic)", "mean test AUC")
    _write_labels(figure, axes, found)
    return figure


def _x(point: Point) -> float:
    return max(point.size, LEAST_SIZE)


Box = tuple[float, float, float, float]
"""Left, bottom, right and top in points."""


def _write_labels(figure: Figure, axes: Axes, found: list[Point]) -> None:
    """Write each label where it covers neither a mark nor another label, if there is such a place.

    The labels of ours come first, since there the marks are dense.
    """
    scale = POINTS / figure.dpi
    places = {p.name: axes.transData.transform((_x(p), p.auc)) * scale for p in found}
    frame = axes.get_window_extent()
    edges = tuple(float(edge) * scale for edge in frame.extents)
    taken: list[Box] = [(x - 4, y - 4, x + 4, y + 4) for x, y in places.values()]
    for point in sorted(found, key=lambda p: (not p.is_ours, p.size)):
        x, y = places[point.name]
        width = text_width(point.short, TEXT_SIZE) * POINTS
        spots = list(_spots(float(x), float(y), width))
        costs = [_overlap(box, taken) + _outside(box, edges) for _, box in spots]
        style, box = spots[costs.index(min(costs))]
        taken.append(box)
        axes.annotate(
            point.short,
            (_x(point), point.auc),
            textcoords="offset points",
            fontsize=TEXT_SIZE,
            color=OURS["color"] if point.is_ours else INK,
            **style,
        )


def _spots(x: float, y: float, width: float) -> Iterator[tuple[dict[str, Any], Box]]:
    """Yield the places around a mark, from near to far, and the boxes of the text there."""
    for far in (NEAR, 12.0, 20.0, 30.0):
        for across, up in ((1, 0), (-1, 0), (0, 1), (0, -1), (1, 1), (-1, 1), (1, -1), (-1, -1)):
            left = x + across * far - (0.5 - 0.5 * across) * width
            middle = y + up * (far + 1.0)
            style: dict[str, Any] = {
                "xytext": (across * far, up * (far + 1.0)),
                "ha": ("center", "left", "right")[across],
                "va": "center",
            }
            if far > NEAR:
                style["arrowprops"] = {
                    "arrowstyle": "-",
                    "lw": 0.6,
                    "color": NEGATIVE,
                    "shrinkB": 3,
                }
            half = TEXT_SIZE * 0.6
            yield style, (left, middle - half, left + width, middle + half)


def _overlap(box: Box, taken: list[Box]) -> float:
    """Return the area of a box that is taken."""
    return sum(
        max(0.0, min(box[2], other[2]) - max(box[0], other[0]))
        * max(0.0, min(box[3], other[3]) - max(box[1], other[1]))
        for other in taken
    )


def _outside(box: Box, edges: tuple[float, ...]) -> float:
    """Return a large number for a box that leaves the axes."""
    inside = box[0] >= edges[0] and box[2] <= edges[2] and box[1] >= edges[1] and box[3] <= edges[3]
    return 0.0 if inside else 1e6
