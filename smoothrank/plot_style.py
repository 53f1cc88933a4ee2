"""What the figures share: colours, axes, and numbers written short."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

POSITIVE = "#1d4ed8"
NEGATIVE = "#94a3b8"
REPELS = "#c2410c"
INK = "#1e293b"
FAINT = "#cbd5e1"
SCALE_COLOURS = {None: "#64748b", "standard": "#1d4ed8", "quantile": "#0f766e"}
SCALE_NAMES = {None: "raw features", "standard": "standardised", "quantile": "by quantiles"}

_LONGEST_NAME = 22


def new_figure(
    width: float, height: float, title: str | None = None, title_room: float = 10
) -> tuple[Figure, Axes]:
    """An empty figure with one set of plain axes; it needs no display and no pyplot."""
    from matplotlib.figure import Figure

    figure = Figure(figsize=(width, height), dpi=120, layout="constrained", facecolor="white")
    axes = figure.subplots()
    axes.spines[["top", "right"]].set_visible(False)
    axes.spines[["left", "bottom"]].set_color(FAINT)
    axes.tick_params(colors=INK, labelsize=9, length=3)
    axes.grid(color=FAINT, linewidth=0.5, alpha=0.6)
    axes.set_axisbelow(True)
    if title:
        axes.set_title(title, fontsize=11, color=INK, loc="left", pad=title_room)
    return figure, axes


def label_axes(axes: Axes, across: str, up: str) -> None:
    """Name both axes."""
    axes.set_xlabel(across, fontsize=9.5, color=INK)
    axes.set_ylabel(up, fontsize=9.5, color=INK)


def legend_below(figure: Figure, columns: int, handles: list[Any] | None = None) -> None:
    """Explain lines and dots under the axes, where nothing can cross them."""
    given = {} if handles is None else {"handles": handles}
    figure.legend(loc="outside lower center", ncols=columns, frameon=False, fontsize=9, **given)


def short_name(name: str) -> str:
    """A feature's name, cut where it would take the figure's room."""
    return name if len(name) <= _LONGEST_NAME else name[: _LONGEST_NAME - 1] + "…"


def short_number(value: float) -> str:
    """Three digits, and no more zeros than needed."""
    return f"{value:.3g}"
