"""A picture of a small model for a page: prototypes across, the features that decide down."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

import numpy as np

from smoothrank.arrays import Indices, Matrix, Vector
from smoothrank.columns.score_parts import bumps_of
from smoothrank.plots.style import (
    FAINT,
    INK,
    POSITIVE,
    REPELS,
    label_axes,
    legend_below,
    new_figure,
    set_margins,
    short_name,
    text_width,
)

if TYPE_CHECKING:
    from matplotlib.figure import Figure

    from smoothrank.columns.weighted import WeightedColumns
    from smoothrank.tables.feature_words import FeatureWords

MOST_PROTOTYPES = 6
MOST_FEATURES = 12
_LARGEST_DOT = 520.0
_LEAST_SHARE = 0.1
_CELL = 0.52
_LINE = 0.36


def prototype_dots(score: WeightedColumns, words: Sequence[FeatureWords]) -> Figure:
    """Draw the first prototypes of a score against the features that decide who is near.

    A dot's size is the weight of the feature in the prototype, its text where the prototype is; a
    blue prototype raises the score of rows close to it, an orange one lowers it.

    Parameters
    ----------
    score : WeightedColumns
        A score of Gaussian bumps, the prototypes that matter most first.
    words : sequence of FeatureWords
        How each feature is said.
    """
    effects = (score.weights / score.spreads)[:MOST_PROTOTYPES]
    shares = _shares(score)[:MOST_PROTOTYPES]
    features = _features(shares, np.abs(effects))
    labels = [short_name(words[j].name) for j in features]
    left = 0.3 + max(text_width(label, 9.0) for label in labels)
    width = max(3.6, left + 0.2 + _CELL * len(effects))
    figure, axes = new_figure(width, 1.5 + _LINE * len(features))
    points = score.in_data_units()
    for number, effect in enumerate(effects):
        seen = [row for row, j in enumerate(features) if shares[number, j] >= _LEAST_SHARE]
        sizes = [_LARGEST_DOT * shares[number, features[row]] for row in seen]
        colour = POSITIVE if effect >= 0 else REPELS
        down = [-row for row in seen]
        axes.scatter([number] * len(seen), down, s=sizes, color=colour, alpha=0.3, linewidths=0)
        for row in seen:
            text = words[features[row]].short(float(points[number, features[row]]))
            axes.text(number, -row, text, ha="center", va="center", fontsize=7.5, color=INK)
    axes.set_yticks(-np.arange(len(features)), labels, parse_math=False)
    axes.set_xticks(range(len(effects)), [f"{n}\n{e:+.2g}" for n, e in enumerate(effects, 1)])
    axes.set(xlim=(-0.5, len(effects) - 0.5), ylim=(-len(features) + 0.4, 0.6))
    axes.grid(color=FAINT)
    label_axes(axes, "prototype and effect", "")
    legend_below(figure, _handles(), 0.68)
    set_margins(figure, left=left, right=0.1)
    return figure


def _handles() -> list[object]:
    from matplotlib.lines import Line2D

    looks = ((POSITIVE, "raises the score"), (REPELS, "lowers the score"))
    return [
        Line2D([], [], marker="o", linestyle="", color=colour, alpha=0.4, label=label)
        for colour, label in looks
    ]


def _shares(score: WeightedColumns) -> Matrix:
    """Return each feature's weight in each column, relative to the column's heaviest."""
    weights = np.abs(bumps_of(score)[1])
    return np.asarray(weights / np.maximum(weights.max(axis=1, keepdims=True), 1e-300))


def _features(shares: Matrix, effects: Vector) -> Indices:
    """Return the features that count most in some prototype, in the order of the table."""
    importance = (shares * effects[:, None]).max(axis=0)
    order = np.argsort(-importance, kind="stable")[:MOST_FEATURES]
    return np.sort(order[shares.max(axis=0)[order] >= _LEAST_SHARE])
