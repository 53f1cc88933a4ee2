"""Pictures of a small model: what its columns look at, and why a row has its score."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

import numpy as np

from smoothrank.arrays import Matrix, Vector
from smoothrank.plots.style import (
    BELOW,
    FAINT,
    INK,
    ON_PAGE,
    POSITIVE,
    REPELS,
    label_axes,
    legend_below,
    new_figure,
    set_margins,
    short_name,
    short_number,
    text_width,
)

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

    from smoothrank.columns.explanation import Explanation, FeaturePart
    from smoothrank.estimators.smooth_ranking import SmoothRanking

MOST_BARS = 10
MOST_FEATURES = 20
_WIDTH = 6.4
_LARGEST_DOT = 620.0
_LEAST_SHARE = 0.1


def row_picture(
    explanation: Explanation, title: str | None = None, width: float = _WIDTH
) -> Figure:
    """Draw what each feature adds to the score of a row, above that of a typical row.

    Parameters
    ----------
    explanation : Explanation
        What `SmoothRanking.explain` returned for the row.
    title : str, optional
        A line above the figure.
    width : float
        Its width in inches.
    """
    shown = explanation.features[:MOST_BARS]
    rest = sum(part.part for part in explanation.features[MOST_BARS:])
    names = [_label(part) for part in shown]
    parts = [part.part for part in shown]
    if len(explanation.features) > MOST_BARS:
        names.append(f"{len(explanation.features) - MOST_BARS} others")
        parts.append(rest)
    figure, axes = _bars(names, parts, width, title)
    axes.axvline(0.0, color=INK, linewidth=0.8)
    total = f"typical row {explanation.typical:.3g}, this row {explanation.score:.3g}"
    label_axes(axes, f"added to the score\n({total})", "")
    set_margins(figure, bottom=BELOW + 0.18)
    return figure


def importance_picture(
    names: Sequence[str], values: Vector, across: str, width: float = ON_PAGE[0]
) -> Figure:
    """Draw how much each column of a table matters, the most important first.

    Parameters
    ----------
    names : sequence of str
        The columns.
    values : ndarray
        How much each matters.
    across : str
        What the values are.
    width : float
        The width of the figure in inches.
    """
    order = np.argsort(-values, kind="stable")[:MOST_BARS]
    shown = [short_name(names[j]) for j in order]
    figure, axes = _bars(shown, values[order].tolist(), width, None)
    label_axes(axes, across, "")
    return figure


def _bars(
    names: Sequence[str], values: Sequence[float], width: float, title: str | None
) -> tuple[Figure, Axes]:
    figure, axes = new_figure(width, 1.3 + 0.34 * len(values), title)
    places = np.arange(len(values))[::-1]
    colours = [POSITIVE if value >= 0 else REPELS for value in values]
    axes.barh(places, values, color=colours, height=0.62)
    axes.set_yticks(places, names, parse_math=False)
    axes.grid(axis="y", visible=False)
    return figure, axes


def _label(part: FeaturePart) -> str:
    """Return what is said of a feature, with a name and a value that are not too long."""
    return short_name(part.name) + short_name(part.said.removeprefix(part.name))


def model_picture(
    model: SmoothRanking, names: Sequence[str] | None = None, title: str | None = None
) -> Figure:
    """Draw the columns of a small model against the features that decide who is close to them.

    A dot's size is the weight of the feature in the column, its number the column's point; a blue
    column raises the score of rows close to it, an orange one lowers it.

    Parameters
    ----------
    model : SmoothRanking
        A fitted model with columns.
    names : sequence of str, optional
        The names of the features; by default those of the training data.
    title : str, optional
        A line above the figure.
    """
    from matplotlib.lines import Line2D

    known = list(names) if names is not None else model.feature_names()
    effect = model.model_.weights / model.model_.spreads
    share = _feature_shares(model)
    features = np.sort(np.argsort(-share.max(axis=0), kind="stable")[:MOST_FEATURES])
    points = model.columns_[:, features]
    labels = [short_name(known[j]) for j in features]
    height = 1.7 + 0.5 * len(effect)
    figure, axes = new_figure(max(5.0, 1.8 + 0.8 * len(features)), height, title)
    for row, (point, part, value) in enumerate(
        zip(points, share[:, features], effect, strict=True)
    ):
        seen = np.flatnonzero(part >= _LEAST_SHARE)
        colour = POSITIVE if value >= 0 else REPELS
        axes.scatter(
            seen, np.full(len(seen), -row), s=_LARGEST_DOT * part[seen], color=colour, alpha=0.3
        )
        for place in seen.tolist():
            text = short_number(point[place])
            axes.text(place, -row, text, ha="center", va="center", fontsize=8, color=INK)
    axes.set_yticks(
        -np.arange(len(effect)), [f"{n}: {value:+.2g}" for n, value in enumerate(effect, 1)]
    )
    is_long = max(text_width(label, 9.0) for label in labels) > 0.7
    axes.set_xticks(
        range(len(labels)),
        labels,
        rotation=40 if is_long else 0,
        ha="right" if is_long else "center",
    )
    axes.set(xlim=(-0.6, len(labels) - 0.4), ylim=(-len(effect) + 0.4, 0.6))
    axes.grid(color=FAINT)
    label_axes(axes, "", "column, and its effect on the score")
    handles = [
        Line2D([], [], marker="o", linestyle="", color=colour, alpha=0.4, label=label)
        for colour, label in (
            (POSITIVE, "close to it: higher score"),
            (REPELS, "close to it: lower score"),
        )
    ]
    below = 0.4 + (max(text_width(label, 9.0) for label in labels) * 0.65 if is_long else 0.0)
    legend_below(figure, handles, below)
    set_margins(figure, right=0.3)
    return figure


def _feature_shares(model: SmoothRanking) -> Matrix:
    """Return each feature's weight in each column, relative to the column's heaviest."""
    half = model.model_.parameters.shape[1] // 2
    weights = np.abs(model.model_.parameters[:, half:])
    return np.asarray(weights / np.maximum(weights.max(axis=1, keepdims=True), 1e-300))
