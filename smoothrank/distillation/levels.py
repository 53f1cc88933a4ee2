"""Features that have a few levels, and points that are to have one of them.

A prototype with 3.2 pregnancies or a 0/1 feature at −0.37 is a case that cannot be.
"""

from __future__ import annotations

import numpy as np

from smoothrank.arrays import Matrix, Vector

MOST_LEVELS = 20
"""A feature with more different values counts as continuous."""

Levels = dict[int, Vector]


def two_levels(rows: Matrix) -> dict[int, tuple[float, float]]:
    """Return the features with exactly two different values, and those values."""
    found = few_levels(rows, least=2, most=2)
    return {feature: (float(low), float(high)) for feature, (low, high) in found.items()}


def few_levels(rows: Matrix, least: int = 3, most: int = MOST_LEVELS) -> Levels:
    """Return the features with so many different values, and those values, rising."""
    found: Levels = {}
    for feature, column in enumerate(rows.T):
        if len(np.unique(column[: 10 * most])) <= most:
            levels = np.unique(column)
            if least <= len(levels) <= most:
                found[feature] = levels
    return found


def on_levels(points: Matrix, levels: Levels) -> Matrix:
    """Return the points, each at the nearest level of the features that have levels."""
    moved = points.copy()
    for feature, values in levels.items():
        nearest = np.abs(points[:, feature, None] - values).argmin(axis=1)
        moved[:, feature] = values[nearest]
    return moved
