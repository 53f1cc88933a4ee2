"""The pairwise hinge near some scores: single pairs near the margin, the rest in a few bands.

At reference scores s the margin of a pair is m_pn = s_p − s_n. The pairs with m_pn nearest to 1,
where the hinge bends, are kept one by one. All others are summed in bands of equal m_pn, because
Σ_G max(0, 1 − m) ≥ max(0, Σ_G (1 − m)) for every group G of pairs. What results is a convex
function below R everywhere and equal to R as long as no far pair crosses the margin:

    Σ_i κ_i max(0, r_i − x_i·w) ≤ R(D w),

with κ_i = u_p v_n, r_i = 1 and x_i = D_p − D_n for a pair, and κ_i = 1, r_i = Σ_G u_p v_n,
x_i = Σ_G u_p v_n (D_p − D_n) for a band. Bands cost a sort; the single pairs are limited in number.
"""

from __future__ import annotations

import numpy as np
import numpy.typing as npt
from scipy.sparse import coo_matrix

from smoothrank.pairwise import HingeValue, Indices, Pairs, Vector, pairwise_hinge

Matrix = npt.NDArray[np.float64]

BAND_EDGES = np.array(
    [-3.0, -1.0, 0.0, 0.4, 0.6, 0.75, 0.85, 0.95, 1.0, 1.05, 1.15, 1.25, 1.4, 1.7, 2.0, 3.0]
)
"""Margins that separate the bands."""

_NEGLIGIBLE_BAND = 1e-12


class NearPairs:
    """A piecewise linear lower bound of R(D w), tight near the reference scores.

    Parameters
    ----------
    D : ndarray of shape (n, k)
        The columns.
    pairs : Pairs
        The rows of the two classes with their weights.
    scores : ndarray of shape (n,)
        The reference scores.
    limit : int
        How many pairs are kept one by one, at most.
    """

    def __init__(self, D: Matrix, pairs: Pairs, scores: Vector, limit: int) -> None:
        self.D = D
        positive, negative = nearest_pairs(scores, pairs, limit)
        weight = pairs.positive_weight[positive] * pairs.negative_weight[negative]
        self.positive, self.negative = pairs.positive[positive], pairs.negative[negative]
        self.n_single = len(weight)
        self._place, self._positive_rows = positive, D[pairs.positive]
        totals, marks = _bands(scores, pairs)
        band = _band_of(scores[self.positive], scores[self.negative])
        totals -= np.bincount(band, weight, minlength=len(totals))
        np.add.at(marks, (band, self.positive), -weight)
        np.add.at(marks, (band, self.negative), weight)
        kept = totals > _NEGLIGIBLE_BAND
        self._marks = marks[kept]
        self._band_columns = self._marks @ D
        self.cap = np.concatenate((weight, np.ones(np.count_nonzero(kept))))
        self.target = np.concatenate((np.ones(self.n_single), totals[kept]))

    def margins(self, weights: Vector) -> Vector:
        """x_i·w of each pair and band."""
        scores = self.D @ weights
        single = scores[self.positive] - scores[self.negative]
        return np.concatenate((single, self._marks @ scores))

    def mark(self, duals: Vector) -> Vector:
        """Σ_i π_i times the mark of i: +1 in its positive row, −1 in its negative row."""
        single, n_rows = duals[: self.n_single], len(self.D)
        return (
            np.bincount(self.positive, single, minlength=n_rows)
            - np.bincount(self.negative, single, minlength=n_rows)
            + duals[self.n_single :] @ self._marks
        )

    def pull(self, duals: Vector) -> Vector:
        """Σ_i π_i x_i."""
        return self.mark(duals) @ self.D

    def gram(self, scale: Vector) -> Matrix:
        """Σ_i scale_i x_i x_iᵀ.

        With the single pairs as a sparse matrix Θ of links between positive and negative rows,
        it is Dᵀ diag(degrees) D − D_Pᵀ Θ D_N − (D_Pᵀ Θ D_N)ᵀ: no pair's x_i is ever made.
        """
        single, n_rows = scale[: self.n_single], len(self.D)
        degrees = np.bincount(self.positive, single, minlength=n_rows)
        degrees += np.bincount(self.negative, single, minlength=n_rows)
        shape = len(self._positive_rows), n_rows
        links = coo_matrix((single, (self._place, self.negative)), shape=shape).tocsr()
        scaled = np.sqrt(degrees)[:, None] * self.D
        crossed = self._positive_rows.T @ (links @ self.D)
        bands = np.sqrt(scale[self.n_single :])[:, None] * self._band_columns
        return np.asarray(scaled.T @ scaled + bands.T @ bands - crossed - crossed.T)


def nearest_pairs(scores: Vector, pairs: Pairs, limit: int) -> tuple[Indices, Indices]:
    """About `limit` pairs, never more unless tied, whose margin is nearest to 1.

    Returns positions in `pairs.positive` and `pairs.negative`.
    """
    order = np.argsort(scores[pairs.negative], kind="stable")
    ranked = scores[pairs.negative][order]
    thresholds = scores[pairs.positive] - 1.0
    width = _window(thresholds, ranked, limit)
    first = ranked.searchsorted(thresholds - width, side="left")
    count = ranked.searchsorted(thresholds + width, side="right") - first
    positive = np.repeat(np.arange(len(thresholds)), count)
    within = np.arange(count.sum()) - np.repeat(np.cumsum(count) - count, count)
    return positive, order[np.repeat(first, count) + within]


def _window(thresholds: Vector, ranked: Vector, limit: int) -> float:
    """Half the width around the margin that holds at most `limit` pairs, by bisection."""
    low, high = 0.0, float(max(np.ptp(thresholds), np.ptp(ranked)) + 1.0)
    high += float(np.abs(thresholds[0] - ranked[0]))
    if len(thresholds) * len(ranked) <= limit:
        return high
    for _ in range(50):
        middle = (low + high) / 2.0
        count = int(
            (
                ranked.searchsorted(thresholds + middle, side="right")
                - ranked.searchsorted(thresholds - middle, side="left")
            ).sum()
        )
        low, high = (low, middle) if count > limit else (middle, high)
        if 0.9 * limit <= count <= limit:
            break
    return low


def _bands(scores: Vector, pairs: Pairs) -> tuple[Vector, Matrix]:
    """Total weight and mark of the pairs between neighbouring `BAND_EDGES`."""
    beyond = float(np.ptp(scores)) + 2.0 * BAND_EDGES[-1]
    below = [hinge_below(scores, pairs, edge) for edge in (*BAND_EDGES, beyond)]
    totals = np.diff([0.0] + [cut.constant for cut in below])
    marks = np.diff(np.vstack([np.zeros(len(scores))] + [cut.mark for cut in below]), axis=0)
    return totals, marks


def _band_of(positive: Vector, negative: Vector) -> Indices:
    """The band of single pairs, with the very rounding of `hinge_below`."""
    band = np.zeros(len(positive), dtype=np.intp)
    for edge in BAND_EDGES:
        band += (positive + (1.0 - edge)) - 1.0 >= negative
    return band


def hinge_below(scores: Vector, pairs: Pairs, edge: float) -> HingeValue:
    """Total weight and mark of the pairs with s_p − s_n < edge."""
    shifted = scores.copy()
    shifted[pairs.positive] += 1.0 - edge
    return pairwise_hinge(shifted, pairs)
