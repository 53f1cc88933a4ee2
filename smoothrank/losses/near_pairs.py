"""The pairwise hinge from below: some pairs one by one, all others in a few cutting planes.

At scores s the margin of a pair is m_pn = s_p − s_n. Of all pairs, a number that is bounded by a
constant times n is kept one by one: the single pairs S, those whose margin is nearest to 1, where
the hinge bends. The hinge of all other pairs is convex and bounded from below by any of its
cutting planes, so that

    R(D w) ≥ Σ_{i ∈ S} κ_i max(0, 1 − x_i·w) + max_k (b_k − a_k·w)

with κ_i = u_p v_n and x_i = D_p − D_n. A cut counts the pairs outside S whose margin at some stored
scores is below an edge; it costs a sort and one look at each pair of S. No array ever has an entry
for each pair of a positive and a negative row.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from scipy.sparse import coo_matrix

from smoothrank.arrays import Indices, Matrix, Vector
from smoothrank.losses.pairwise_hinge import HingeValue, Pairs, pairwise_hinge


@dataclass(frozen=True)
class Cut:
    """The pairs whose margin at `scores` is below `edge`: the recipe of a cutting plane."""

    scores: Vector
    edge: float = 1.0


@dataclass(frozen=True)
class SinglePairs:
    """Some pairs, as positions in `Pairs.positive` and `Pairs.negative`."""

    positive: Indices
    negative: Indices

    def __len__(self) -> int:
        return len(self.positive)


class NearPairs:
    """A piecewise linear lower bound of R(D w).

    Parameters
    ----------
    D : ndarray of shape (n, k)
        The columns.
    pairs : Pairs
        The rows of the two classes with their weights.
    single : SinglePairs
        The pairs kept one by one.
    cuts : sequence of Cut
        The cutting planes of all other pairs; that of no pair, b = 0 and a = 0, comes first.
    """

    def __init__(self, D: Matrix, pairs: Pairs, single: SinglePairs, cuts: Sequence[Cut]) -> None:
        self.D = D
        self.single = single
        self.cap = pairs.positive_weight[single.positive] * pairs.negative_weight[single.negative]
        self._positive, self._negative = (
            pairs.positive[single.positive],
            pairs.negative[single.negative],
        )
        self._positive_rows = D[pairs.positive]
        planes = [self._complement(cut, pairs) for cut in cuts]
        self.constants = np.array([0.0] + [plane.constant for plane in planes])
        self.coefficients = np.vstack([np.zeros(len(D))] + [plane.coefficients for plane in planes])
        self.slopes = self.coefficients @ D

    def _complement(self, cut: Cut, pairs: Pairs) -> HingeValue:
        """Return the cut without the single pairs, with exactly the rounding of `hinge_below`."""
        everything = hinge_below(cut.scores, pairs, cut.edge)
        moved = cut.scores[self._positive] + (1.0 - cut.edge)
        counted = np.where(moved - 1.0 < cut.scores[self._negative], self.cap, 0.0)
        coefficients = everything.coefficients - self._row_sums(counted)
        return HingeValue(0.0, everything.constant - float(counted.sum()), coefficients)

    def _row_sums(self, values: Vector) -> Vector:
        n_rows = len(self.D)
        sums = np.bincount(self._positive, values, minlength=n_rows).astype(np.float64)
        return sums - np.bincount(self._negative, values, minlength=n_rows)

    def missing(self, weights: Vector) -> tuple[Vector, Vector]:
        """Return 1 − x_i·w of each single pair, and b_k − a_k·w of each cut."""
        scores = self.D @ weights
        margins = scores[self._positive] - scores[self._negative]
        return 1.0 - margins, self.constants - self.coefficients @ scores

    def moved(self, change: Vector) -> tuple[Vector, Vector]:
        """Return x_i·Δw and a_k·Δw."""
        scores = self.D @ change
        return scores[self._positive] - scores[self._negative], self.coefficients @ scores

    def dual_gradient(self, duals: Vector, multipliers: Vector) -> Vector:
        """Return the dual gradient Σ_i π_i x_i + Σ_k λ_k a_k."""
        return (self._row_sums(duals) + multipliers @ self.coefficients) @ self.D

    def gram(self, scale: Vector) -> Matrix:
        """Return Σ_i scale_i x_i x_iᵀ of the single pairs.

        With them as a sparse matrix Θ of links between positive and negative rows, it is
        Dᵀ diag(degrees) D − D_Pᵀ Θ D_N − (D_Pᵀ Θ D_N)ᵀ: no pair's x_i is ever computed.
        """
        n_rows = len(self.D)
        degrees = np.bincount(self._positive, scale, minlength=n_rows)
        degrees += np.bincount(self._negative, scale, minlength=n_rows)
        shape = len(self._positive_rows), n_rows
        links = coo_matrix((scale, (self.single.positive, self._negative)), shape=shape).tocsr()
        scaled = np.sqrt(degrees)[:, None] * self.D
        crossed = self._positive_rows.T @ (links @ self.D)
        return np.asarray(scaled.T @ scaled - crossed - crossed.T)


def hinge_below(scores: Vector, pairs: Pairs, edge: float) -> HingeValue:
    """Return total weight and cut coefficients of the pairs with s_p − s_n < edge."""
    shifted = scores.copy()
    shifted[pairs.positive] += 1.0 - edge
    return pairwise_hinge(shifted, pairs)


def bending_pairs(visited: Sequence[Vector], pairs: Pairs, limit: int) -> SinglePairs:
    """Return the `limit` pairs whose hinge bends between the visited scores, or nearly does.

    With the least and the greatest margin of a pair at the visited scores, its distance is
    max(least − 1, 1 − greatest): negative for pairs that crossed the margin. Pairs of the least
    distance are taken. Positive rows are processed in blocks of `limit` pairs.
    """
    n_negative = len(pairs.negative)
    block = max(1, limit // n_negative)
    chosen, distances = np.empty(0, dtype=np.intp), np.empty(0)
    for first in range(0, len(pairs.positive), block):
        rows = pairs.positive[first : first + block]
        margins = [s[rows][:, None] - s[pairs.negative][None] for s in visited]
        least, greatest = np.minimum.reduce(margins), np.maximum.reduce(margins)
        distance = np.maximum(least - 1.0, 1.0 - greatest).ravel()
        chosen = np.concatenate((chosen, first * n_negative + np.arange(len(distance))))
        distances = np.concatenate((distances, distance))
        if len(chosen) > limit:
            best = np.argpartition(distances, limit - 1)[:limit]
            chosen, distances = chosen[best], distances[best]
    return SinglePairs(*np.divmod(np.sort(chosen), n_negative))
