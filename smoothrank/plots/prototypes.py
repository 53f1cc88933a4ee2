"""Figures of the prototypes: against every feature, and among the rows on a plane."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, Any

import numpy as np
import numpy.typing as npt

from smoothrank.arrays import Indices, Vector
from smoothrank.estimators.score import score_of
from smoothrank.plots.style import (
    FAINT,
    INK,
    NEGATIVE,
    POSITIVE,
    POSITIVE_STAR,
    REPELS,
    label_axes,
    legend_below,
    new_figure,
    notes,
    set_margins,
    short_name,
    short_number,
    text_width,
)

if TYPE_CHECKING:
    import pandas as pd
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

    from smoothrank.tables.tabular_model import TabularModel

Matrix = npt.NDArray[np.float64]
Flags = npt.NDArray[np.bool_]

MOST_DRAWN = 30
"""The most prototypes in a figure; if there are more, the heaviest are shown."""

MOST_ROWS = 3000
_FEW_FEATURES = 14
_LONGEST_LEVEL = 9
_SLANT = 40.0
_ROOM = 0.12


def parallel_coordinates(
    model: TabularModel, frame: pd.DataFrame, is_positive: Any, title: str | None = None
) -> Figure:
    """Draw the prototypes as lines over all features, on the middle of each class's rows.

    Each feature runs from its smallest value in `frame` to its largest; a prototype beyond is
    drawn at the rim. The heavier a prototype, the thicker its line.

    Parameters
    ----------
    model : TabularModel
        The model.
    frame : pandas.DataFrame
        Raw rows.
    is_positive : array-like of bool
        Their class.
    title : str, optional
        A line above the figure.
    """
    rows, flags = model.encode(frame), np.asarray(is_positive)
    score = score_of(model.classifier)
    heaviest = _heaviest(score.weights)
    low, high = rows.min(axis=0), rows.max(axis=0)
    width = np.where(high > low, high - low, 1.0)
    n_features = rows.shape[1]
    figure, axes = new_figure(
        min(max(6.8, 2.4 + 0.52 * n_features), 20.0), 4.8, title, title_room=22
    )
    axes.grid(visible=False)
    places = np.arange(n_features)
    axes.vlines(places, -_ROOM - 0.03, 1 + _ROOM + 0.03, color=FAINT, linewidth=0.8, zorder=0)
    shares = (rows - low) / width
    _band(axes, shares[~flags], NEGATIVE, strength=0.28)
    _band(axes, shares[flags], POSITIVE, strength=0.16)
    lines = np.clip((score.in_data_units()[heaviest] - low) / width, -_ROOM, 1.0 + _ROOM)
    _draw_lines(axes, lines, score.repulsion[heaviest])
    below = _name_features(figure, axes, model.features, low, high)
    _legend(figure, score.repulsion[heaviest], len(model.prototype_table()), below)
    return figure


def _band(axes: Axes, shares: Matrix, colour: str, strength: float) -> None:
    """Draw the middle half of a class's rows in each feature, and their median."""
    places = np.arange(shares.shape[1])
    lower, middle, upper = np.quantile(shares, [0.25, 0.5, 0.75], axis=0)
    axes.fill_between(places, lower, upper, color=colour, alpha=strength, linewidth=0, zorder=1)
    axes.plot(places, middle, color=colour, linewidth=1.2, linestyle=(0, (1.5, 1.5)), zorder=2)


def _draw_lines(axes: Axes, lines: Matrix, weights: Vector) -> None:
    share = np.abs(weights) / np.abs(weights).max(initial=1e-300)
    places = np.arange(lines.shape[1])
    for line, weight, part in reversed(list(zip(lines, weights, share, strict=True))):
        axes.plot(
            places,
            line,
            "o-",
            color=_colour(weight),
            linewidth=0.5 + 2.3 * part,
            markersize=1.5 + 3.0 * part,
            alpha=0.35 + 0.6 * part,
            zorder=3 + part,
        )


def _colour(weight: float) -> str:
    return POSITIVE if weight < 0 else REPELS


def _name_features(
    figure: Figure, axes: Axes, features: list[str], low: Vector, high: Vector
) -> float:
    """Label the features under the axes; return the inches that the labels take."""
    places, names = range(len(features)), [short_name(name) for name in features]
    size = 9.0 if len(features) <= 30 else 7.5
    widths = np.array([text_width(name, size) for name in names])
    axes.set(xlim=(-0.4, len(features) - 0.6), ylim=(-_ROOM - 0.03, 1 + _ROOM + 0.03))
    axes.spines[["left", "bottom"]].set_visible(False)
    axes.tick_params(length=0)
    if len(features) > _FEW_FEATURES:
        axes.set_xticks(places, names, rotation=90, fontsize=size)
        axes.set_yticks([0, 1], ["least\nin the rows", "greatest\nin the rows"], fontsize=8)
        return float(widths.max()) + 0.14
    is_slanted = max(map(len, names)) > _LONGEST_LEVEL
    slanted: dict[str, Any] = {"rotation": _SLANT, "ha": "right", "rotation_mode": "anchor"}
    axes.set_xticks(places, names, fontsize=size, **(slanted if is_slanted else {}))
    axes.tick_params(axis="x", pad=14)
    axes.set_yticks([])
    style: dict[str, Any] = {"ha": "center", "fontsize": 8, "color": INK, "zorder": 6}
    for place, least, most in zip(places, low, high, strict=True):
        axes.text(place, -_ROOM - 0.04, short_number(least), va="top", **style)
        axes.text(place, 1 + _ROOM + 0.02, short_number(most), va="bottom", **style)
    if not is_slanted:
        set_margins(figure, left=0.2)
        return 0.4
    set_margins(figure, left=_left_of_slanted(figure, widths))
    return 0.42 + float(widths.max()) * math.sin(math.radians(_SLANT))


def _left_of_slanted(figure: Figure, widths: Vector) -> float:
    """Return the left margin, in inches, at which no slanted name leaves the figure."""
    needed = widths * math.cos(math.radians(_SLANT)) + 0.15
    shares = (np.arange(len(widths)) + 0.4) / len(widths)
    right = figure.get_size_inches()[0] * figure.subplotpars.right
    return float(max(0.2, np.max((needed - shares * right) / (1.0 - shares))))


def _legend(figure: Figure, drawn: Vector, total: int, below: float) -> None:
    from matplotlib.lines import Line2D
    from matplotlib.patches import Patch

    handles: list[Any] = [
        Line2D([], [], color=colour, marker="o", lw=2, label=name)
        for chosen, name, colour in _kinds(drawn, total)
        if np.any(chosen)
    ]
    handles += [
        Patch(color=POSITIVE, alpha=0.25, lw=0, label="positive rows, middle half"),
        Patch(color=NEGATIVE, alpha=0.4, lw=0, label="negative rows, middle half"),
    ]
    legend_below(figure, handles, below)


def _kinds(drawn: Vector, total: int) -> list[tuple[Flags, str, str]]:
    """Return the prototypes that favour each class: indices, name in the legend, colour."""
    of_all = "" if len(drawn) == total else f" (heaviest {len(drawn)} of {total})"
    return [
        (drawn < 0, f"prototype, near it: positive{of_all}", POSITIVE),
        (drawn >= 0, "prototype, near it: negative", REPELS),
    ]


def projection(
    model: TabularModel,
    frame: pd.DataFrame,
    is_positive: Any,
    title: str | None = None,
    *,
    size: tuple[float, float] = (6.4, 5.6),
    most_rows: int = MOST_ROWS,
) -> Figure:
    """Draw rows and prototypes on the plane of the rows' two main directions.

    The directions are those of the scaled features, as the model measures distances.

    Parameters
    ----------
    model : TabularModel
        The model.
    frame : pandas.DataFrame
        Raw rows.
    is_positive : array-like of bool
        Their class.
    title : str, optional
        A line above the figure.
    size : tuple of float
        Width and height in inches.
    most_rows : int
        Rows of a class in the figure; of more a random sample is taken.
    """
    score = score_of(model.classifier)
    rows, flags = model.encode(frame), np.asarray(is_positive)
    scaled = score.scaled(rows)
    heaviest = _heaviest(score.weights)
    total = len(model.prototype_table())
    points, stars, shares = on_a_plane(scaled, score.points[heaviest])
    low, high = _view(points)
    figure, axes = new_figure(*size, title)
    _draw_rows(axes, points, flags, (low, high), most_rows)
    _draw_stars(axes, np.clip(stars, low, high), score.repulsion[heaviest], total)
    axes.set(xlim=_widened(low[0], high[0]), ylim=_widened(low[1], high[1]))
    names = [f"{which} direction ({share:.0%} of the variance)" for which, share in
             zip(("first", "second"), shares, strict=True)]  # fmt: skip
    label_axes(axes, *names)
    legend_below(figure)
    return figure


def on_a_plane(rows: Matrix, others: Matrix) -> tuple[Matrix, Matrix, Vector]:
    """Project both on the two main directions of the rows; also return their shares of variance."""
    centre = rows.mean(axis=0)
    _, spreads, directions = np.linalg.svd(rows - centre, full_matrices=False)
    total = float(np.sum(spreads**2)) or 1.0
    plane = np.zeros((2, rows.shape[1]))
    plane[: min(2, len(directions))] = directions[:2]
    shares = np.zeros(2)
    shares[: min(2, len(spreads))] = spreads[:2] ** 2 / total
    return (rows - centre) @ plane.T, (others - centre) @ plane.T, shares


def _view(points: Matrix) -> tuple[Vector, Vector]:
    """Return the range of most rows plus half of it as margin; outliers may lie outside."""
    low, high = np.quantile(points, [0.002, 0.998], axis=0)
    room = np.where(high > low, high - low, 1.0) * 0.5
    return np.maximum(low - room, points.min(axis=0) - 0.2 * room), np.minimum(
        high + room, points.max(axis=0) + 0.2 * room
    )


def _widened(low: float, high: float) -> tuple[float, float]:
    room = 0.04 * (high - low) or 1.0
    return low - room, high + room


def _draw_rows(
    axes: Axes, points: Matrix, flags: Flags, view: tuple[Vector, Vector], most: int
) -> None:
    rng = np.random.default_rng(0)
    is_seen = np.all((points >= view[0]) & (points <= view[1]), axis=1)
    for chosen, name, colour, size in (
        (~flags, "negative", NEGATIVE, 11),
        (flags, "positive", POSITIVE, 17),
    ):
        rows = points[chosen & is_seen]
        kept = rows if len(rows) <= most else rng.choice(rows, most, replace=False)
        label = f"{name} rows ({chosen.sum()})"
        across, up = kept.T
        axes.scatter(across, up, s=size, color=colour, alpha=0.6, linewidths=0, label=label)


def _draw_stars(axes: Axes, stars: Matrix, drawn: Vector, total: int) -> None:
    size = 70.0 + 260.0 * np.abs(drawn) / np.abs(drawn).max(initial=1e-300)
    for chosen, name, colour in _kinds(drawn, total):
        if np.any(chosen):
            across, up = stars[chosen].T
            axes.scatter(
                across,
                up,
                s=size[chosen],
                marker="*",
                color=POSITIVE_STAR if colour == POSITIVE else colour,
                edgecolors="white",
                linewidths=0.9,
                zorder=4,
                label=name,
                gid=notes(name.replace(",", f" {n + 1},", 1) for n in np.flatnonzero(chosen)),
            )


def _heaviest(weights: Vector) -> Indices:
    return np.argsort(-np.abs(weights), kind="stable")[:MOST_DRAWN]
