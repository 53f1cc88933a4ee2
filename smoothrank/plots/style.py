"""The common style of the figures: colours, axes, and short numbers."""

from __future__ import annotations

import math
from collections.abc import Iterable
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

POSITIVE = "#1d4ed8"
POSITIVE_STAR = "#0b1f5c"
NEGATIVE = "#94a3b8"
REPELS = "#c2410c"
INK = "#1e293b"
FAINT = "#cbd5e1"
SCALE_COLOURS = {None: "#64748b", "standard": "#1d4ed8", "quantile": "#0f766e"}
SCALE_NAMES = {None: "raw features", "standard": "standardised", "quantile": "by quantiles"}

METHODS: dict[str, dict[str, Any]] = {
    "smooth": {"color": "#1f6fd0", "marker": "o"},
    "ranking-cg": {"color": "#c2790a", "marker": "s"},
    "ranking-cg-unbounded": {"color": "#c0392b", "marker": "^"},
    "l1": {"color": "#0f7f5c", "marker": "^"},
    "linf": {"color": "#8a4bb8", "marker": "D"},
    "ranking-svm": {"color": "#46505a", "marker": "v"},
}
"""Colour and marker of each of the paper's methods."""

ON_PAGE = (4.0, 3.4)
"""Width and height in inches of a chart in a page: its text is legible on a phone."""

DASHED: dict[str, Any] = {"color": NEGATIVE, "linewidth": 1, "linestyle": (0, (4, 4))}
"""The style of a line to compare with."""

POINTS = 72.0
"""Points in an inch."""

BELOW = 0.52
"""Inches under the axes for numbers and a name."""

_LONGEST_NAME = 22
_LEGEND_SIZE = 9.0
_LEGEND_GAP = 0.62
_NUMBER_SIZE = 9.0
_FINE = 600
_MOST_INTERVALS = 5


def new_figure(
    width: float, height: float, title: str | None = None, title_room: float = 10
) -> tuple[Figure, Axes]:
    """Return an empty figure with one set of plain axes; it needs no display and no pyplot.

    The margins are set here and by `legend_below`, in inches: matplotlib's own layout would draw
    everything three times.
    """
    from matplotlib.figure import Figure

    figure = Figure(figsize=(width, height), dpi=120, facecolor="white")
    axes = figure.subplots()
    axes.spines[["top", "right"]].set_visible(False)
    axes.spines[["left", "bottom"]].set_color(FAINT)
    axes.tick_params(colors=INK, labelsize=_NUMBER_SIZE, length=3)
    axes.grid(color=FAINT, linewidth=0.5, alpha=0.6)
    axes.set_axisbelow(True)
    axes.locator_params(nbins=_MOST_INTERVALS)
    if title:
        axes.set_title(title, fontsize=11, color=INK, loc="left", y=1.0, pad=title_room)
    above = title_room / POINTS + (0.26 if title else 0.06)
    set_margins(figure, left=0.8, right=0.25, bottom=BELOW, top=above)
    return figure, axes


def set_margins(figure: Figure, **inches: float) -> None:
    """Set the room around the axes: left, right, bottom, top."""
    width, height = figure.get_size_inches()
    shares: dict[str, float] = {
        "left": inches.get("left", 0) / width,
        "right": 1 - inches.get("right", 0) / width,
        "bottom": inches.get("bottom", 0) / height,
        "top": 1 - inches.get("top", 0) / height,
    }
    figure.subplots_adjust(**{side: shares[side] for side in inches})


def text_width(text: str, size: float) -> float:
    """Return the width of a line of text in inches."""
    from matplotlib.font_manager import FontProperties, findfont, get_font
    from matplotlib.ft2font import LoadFlags

    font = get_font(findfont(FontProperties()))
    font.set_size(size, _FINE)
    font.set_text(text, 0.0, flags=LoadFlags.NO_HINTING)
    return float(font.get_width_height()[0]) / 64.0 / _FINE


def label_axes(axes: Axes, across: str, up: str) -> None:
    """Name both axes, and set the left margin to what numbers and name need."""
    axes.set_xlabel(across, fontsize=9.5, color=INK)
    axes.set_ylabel(up, fontsize=9.5, color=INK)
    figure: Any = axes.figure
    widths = [text_width(label.get_text(), _NUMBER_SIZE) for label in axes.get_yticklabels()]
    set_margins(figure, left=0.42 + max(widths, default=0.0))


def use_log_scale(axes: Axes) -> None:
    """Make the horizontal axis logarithmic, with plain numbers."""
    from matplotlib.ticker import LogLocator

    axes.set_xscale("log")
    axes.xaxis.set_major_locator(LogLocator(numticks=_MOST_INTERVALS))
    axes.xaxis.set_major_formatter(lambda value, _: f"{value:g}")
    axes.minorticks_off()


def notes(texts: Iterable[str]) -> str:
    """Return the gid of an artist whose marks have these tooltips on a page."""
    return "\n".join(("notes", *(" ".join(text.split()) for text in texts)))


def legend_below(figure: Figure, handles: list[Any] | None = None, below: float = BELOW) -> None:
    """Draw the legend under the axes, where nothing overlaps it.

    Parameters
    ----------
    figure : Figure
        The figure; its lower margin is set.
    handles : list, optional
        What to explain; by default everything with a label.
    below : float
        Inches that the names under the axes take.
    """
    shown = handles or figure.axes[0].get_legend_handles_labels()[0]
    widest = max(text_width(str(handle.get_label()), _LEGEND_SIZE) for handle in shown)
    columns = max(1, int(figure.get_size_inches()[0] / (widest + _LEGEND_GAP)))
    legend = figure.legend(
        handles=shown,
        loc="lower center",
        bbox_to_anchor=(0.5, 0.0),
        ncols=columns,
        frameon=False,
        fontsize=_LEGEND_SIZE,
        borderaxespad=0.3,
    )
    rows = math.ceil(len(legend.get_texts()) / columns)
    set_margins(figure, bottom=below + (rows * 1.75 + 1.0) * _LEGEND_SIZE / POINTS)


def short_name(name: str) -> str:
    """Return a feature's name, cut if it is too long for the figure."""
    return name if len(name) <= _LONGEST_NAME else name[: _LONGEST_NAME - 1] + "…"


def short_number(value: float) -> str:
    """Write a number with three digits, and no more zeros than needed."""
    return f"{value:.3g}"
