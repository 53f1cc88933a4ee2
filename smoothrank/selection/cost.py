"""Roughly how long a method takes, by the size of the table: what a time plan is made from.

The numbers were measured on one core, in processor seconds. A plan needs no more than their order
of magnitude: on a slower machine a deadline cuts the search off.
"""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True)
class Cost:
    """Seconds of one fit, or of one pass over the grid where a method fits it in one.

        seconds + factor · n^rows · d^features

    Parameters
    ----------
    seconds, factor, rows, features : float
        For n rows with d features.
    refit : float
        How many times as long the refit of the chosen model takes on the same rows.

    Examples
    --------
    >>> from smoothrank.selection.cost import Cost
    >>> cost = Cost(seconds=1.0, factor=0.5, rows=0.5, features=0.0, refit=2.0)
    >>> cost.of_fit(100, 5), cost.of_refit(100, 5)
    (6.0, 12.0)
    """

    seconds: float
    factor: float
    rows: float = 1.0
    features: float = 1.0
    refit: float = 1.5

    def of_fit(self, n_rows: int, n_features: int) -> float:
        """Estimate the seconds of one fit or pass."""
        size = float(n_rows) ** self.rows * float(n_features) ** self.features
        return self.seconds + self.factor * float(size)

    def of_refit(self, n_rows: int, n_features: int) -> float:
        """Estimate the seconds of the refit."""
        return self.refit * self.of_fit(n_rows, n_features)


PROTOTYPE_COST = Cost(seconds=0.04, factor=4e-6)
"""One fit of Smooth Ranking among others of the same fold, which share work."""

NORM_COST = Cost(seconds=0.0, factor=4e-6, rows=2.3, features=0.0, refit=0.5)
"""The path of a norm over C: 0.2, 0.8 and 4.6 s for 150, 300 and 600 rows, and twice as long where
the classes are of equal size."""

ALPHA_COST = Cost(seconds=4.0, factor=6e-3, features=0.0, refit=1.0)
"""Ranking-CG at its smallest α: 4.7, 5.5 and 7.7 s for 150, 300 and 600 rows."""

SMALL_COST = Cost(seconds=0.0, factor=0.087, rows=0.6, features=0.24, refit=1.2)
"""`SmoothRanking().path` over all sizes; the refit learns threshold and probabilities on folds.

Measured: 4.2 s for 200 × 10, 6.9 for 500 × 10, 9.5 for 1,000 × 10, 11.6 for 1,000 × 30 and 20.9 for
3,000 × 20; the refit 5.5, 8.0, 10.6, 12.4 and 21.5.
"""

BEST_COST = Cost(seconds=0.0, factor=0.067, rows=0.6, features=0.24, refit=1.0)
"""`SmoothRanking("best").fit`: 2.9, 4.8, 7.1, 8.0 and 17.2 s for the same tables."""

DICTIONARY_COST = Cost(seconds=0.5, factor=4e-3, features=0.0, refit=1.0)
"""`DictionaryRanking` with twenty columns: 3 s for 576 × 8, most of them in the master problem."""
