"""Small charts as inline SVG whose colours come from the page's style sheet."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass, field
from html import escape

MARKERS = ("circle", "square", "triangle", "diamond", "wedge", "cross")


@dataclass(frozen=True)
class Axis:
    """A scale from data to pixels.

    Parameters
    ----------
    low, high : float
        The range of the data.
    start, end : float
        The pixels it is drawn to.
    log : bool
        Whether the scale is logarithmic.
    """

    low: float
    high: float
    start: float
    end: float
    log: bool = False

    def __call__(self, value: float) -> float:
        """Give the pixel of a value."""
        low, high, value = (
            (math.log10(self.low), math.log10(self.high), math.log10(value))
            if self.log
            else (self.low, self.high, value)
        )
        share = (value - low) / (high - low) if high > low else 0.5
        return self.start + share * (self.end - self.start)

    def ticks(self, n: int = 5) -> list[float]:
        """Round values inside the range, about n of them; powers of ten on a logarithmic scale."""
        if self.log:
            decades = range(math.floor(math.log10(self.low)), math.ceil(math.log10(self.high)) + 1)
            return [10.0**d for d in decades if self.low * 0.999 <= 10.0**d <= self.high * 1.001]
        rough = (self.high - self.low) / n
        unit = 10.0 ** math.floor(math.log10(rough)) if rough > 0 else 1.0
        step = unit * next(s for s in (1, 2, 5, 10) if s * unit >= rough * 0.999)
        first = math.ceil(self.low / step - 1e-9)
        return [i * step for i in range(first, math.floor(self.high / step + 1e-9) + 1)]


@dataclass
class Chart:
    """An SVG drawing with a title that screen readers say.

    Parameters
    ----------
    name : str
        Unique on the page.
    title, description : str
        What it shows, in one line; and what there is to see.
    width, height : float
        Its size in pixels.
    """

    name: str
    title: str
    description: str
    width: float
    height: float
    parts: list[str] = field(default_factory=list)

    def line(self, points: Sequence[tuple[float, float]], css: str) -> None:
        """Draw a line through points."""
        path = " ".join(f"{_n(x)},{_n(y)}" for x, y in points)
        self.parts.append(f'<polyline class="{css}" points="{path}"/>')

    def text(self, x: float, y: float, text: str, css: str = "", anchor: str = "start") -> None:
        """Write a text."""
        self.parts.append(
            f'<text class="{css}" x="{_n(x)}" y="{_n(y)}" text-anchor="{anchor}">'
            f"{escape(text)}</text>"
        )

    def box(self, x: float, y: float, width: float, height: float, css: str, note: str) -> None:
        """Draw a bar with a note that shows when pointed at."""
        self.parts.append(
            f'<rect class="{css}" x="{_n(x)}" y="{_n(y)}" width="{_n(width)}" '
            f'height="{_n(height)}" rx="2"><title>{escape(note)}</title></rect>'
        )

    def marker(
        self, x: float, y: float, shape: str, css: str, note: str = "", size: float = 5.0
    ) -> None:
        """Draw a marker of a shape of `MARKERS`."""
        path = _marker_path(x, y, shape, size)
        title = f"<title>{escape(note)}</title>" if note else ""
        self.parts.append(f'<path class="{css}" d="{path}">{title}</path>')

    def axes(self, x: Axis, y: Axis, x_label: str, y_label: str, digits: int = 2) -> None:
        """Draw the grid, the numbers and the names of both axes."""
        bottom, left = y.start, x.start
        for value in x.ticks():
            self.line([(x(value), bottom), (x(value), y.end)], "grid")
            self.text(x(value), bottom + 18, _tick(value), "tick", "middle")
        for value in y.ticks():
            self.line([(left, y(value)), (x.end, y(value))], "grid")
            self.text(left - 7, y(value) + 4, f"{value:.{digits}f}", "tick", "end")
        self.line([(left, y.end), (left, bottom), (x.end, bottom)], "axis")
        self.text((left + x.end) / 2, bottom + 38, x_label, "label", "middle")
        self.text(left - 40, y.end - 10, y_label, "label", "start")

    def svg(self) -> str:
        """Give the whole drawing."""
        return (
            f'<svg role="img" aria-labelledby="{self.name}-title {self.name}-desc" '
            f'viewBox="0 0 {_n(self.width)} {_n(self.height)}">'
            f'<title id="{self.name}-title">{escape(self.title)}</title>'
            f'<desc id="{self.name}-desc">{escape(self.description)}</desc>'
            f"{''.join(self.parts)}</svg>"
        )


def _n(value: float) -> str:
    """A pixel, in one decimal at most."""
    return f"{round(value, 1) + 0.0:g}"


def _tick(value: float) -> str:
    return f"{round(value, 10):g}" if abs(value) < 10 else f"{value:.0f}"


def _marker_path(x: float, y: float, shape: str, r: float) -> str:
    if shape == "circle":
        return (
            f"M{_n(x - r)},{_n(y)}a{_n(r)},{_n(r)} 0 1,0 {_n(2 * r)},0"
            f"a{_n(r)},{_n(r)} 0 1,0 {_n(-2 * r)},0z"
        )
    if shape == "cross":
        left, right, top, bottom = _n(x - r), _n(x + r), _n(y - r), _n(y + r)
        return f"M{left},{top}L{right},{bottom}M{left},{bottom}L{right},{top}"
    corners = {
        "square": [(-0.9, -0.9), (0.9, -0.9), (0.9, 0.9), (-0.9, 0.9)],
        "triangle": [(0.0, -1.15), (1.05, 0.8), (-1.05, 0.8)],
        "wedge": [(0.0, 1.15), (1.05, -0.8), (-1.05, -0.8)],
        "diamond": [(0.0, -1.25), (1.1, 0.0), (0.0, 1.25), (-1.1, 0.0)],
    }[shape]
    return "M" + "L".join(f"{_n(x + a * r)},{_n(y + b * r)}" for a, b in corners) + "z"
