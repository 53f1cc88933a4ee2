"""Where a score stands among those of held-out rows: what makes different models comparable.

    u(s) = ½ F₊(s) + ½ F₋(s)

with the distribution functions F₊ and F₋ of a model's scores of held-out positive and negative
rows. A model's own scores may be probabilities, log-odds or sums of kernels; u is between 0 and 1
for all of them, and both classes have the same say in it, however rare one is.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from smoothrank.arrays import Vector

MOST_KNOTS = 200
SLOPE = 0.01
"""u rises by this for each standard deviation, so that no two scores are equal beyond the knots."""


@dataclass(frozen=True)
class Placement:
    """u as a piecewise linear function.

    Parameters
    ----------
    knots, places : ndarray
        Scores, rising, and u of them.
    spread : float
        Standard deviation of the scores.
    """

    knots: Vector
    places: Vector
    spread: float

    @classmethod
    def fit(cls, scores: Vector, weight: Vector) -> Placement:
        """Learn u from scores.

        Parameters
        ----------
        scores : ndarray of shape (n,)
            Scores of held-out rows.
        weight : ndarray of shape (n,)
            Their weights, with which either class weighs one half.
        """
        knots, place = np.unique(scores, return_inverse=True)
        mass = np.bincount(place, weights=weight)
        places = (np.cumsum(mass) - 0.5 * mass) / mass.sum()
        levels = np.linspace(places[0], places[-1], MOST_KNOTS)
        kept = np.unique(np.searchsorted(places, levels).clip(0, len(places) - 1))
        return cls(knots[kept], places[kept], float(np.std(scores)) or 1.0)

    def __call__(self, scores: Vector) -> Vector:
        """Return u of scores."""
        within = np.interp(scores, self.knots, self.places)
        middle = self.knots[len(self.knots) // 2]
        return np.asarray(within + SLOPE * (scores - middle) / self.spread)
