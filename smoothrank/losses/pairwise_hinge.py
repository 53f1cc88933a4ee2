"""The mean pairwise hinge, a subgradient of it, and AUC, without ever building the pairs.

With scores s and normalised row weights u (positives) and v (negatives), each summing to one,

    R(s) = Σ_p Σ_n u_p v_n max(0, 1 − (s_p − s_n)).

A pair counts when t_p := s_p − 1 < s_n. With

    c_p = Σ_{n : s_n > t_p} v_n        d_n = Σ_{p : t_p < s_n} u_p

the value and a subgradient follow from one sort:

    R(s) = Σ_p u_p c_p (1 − s_p) + Σ_n v_n d_n s_n,      ∂R/∂s_p = −u_p c_p,   ∂R/∂s_n = +v_n d_n.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property

import numpy as np
import numpy.typing as npt

from smoothrank.arrays import Indices, Vector


@dataclass(frozen=True)
class Pairs:
    """The positive and the negative rows of a problem, with weights that sum to one in each class.

    Parameters
    ----------
    positive, negative : ndarray of int
        Row numbers of the two classes.
    positive_weight, negative_weight : ndarray of float
        The share u_p or v_n of each of those rows; a pair weighs u_p v_n.
    """

    positive: Indices
    negative: Indices
    positive_weight: Vector
    negative_weight: Vector

    @classmethod
    def from_labels(cls, is_positive: npt.NDArray[np.bool_], weight: Vector | None = None) -> Pairs:
        """Split rows by label; `weight` holds a non-negative number per row, by default all one."""
        rows = np.ones(len(is_positive)) if weight is None else np.asarray(weight, float)
        positive, negative = np.flatnonzero(is_positive), np.flatnonzero(~is_positive)
        u, v = rows[positive], rows[negative]
        return cls(positive, negative, u / u.sum(), v / v.sum())

    @property
    def n_rows(self) -> int:
        """How many rows there are, of both classes."""
        return len(self.positive) + len(self.negative)

    @property
    def n_pairs(self) -> int:
        """How many positive-negative pairs there are."""
        return len(self.positive) * len(self.negative)

    @cached_property
    def is_uniform(self) -> bool:
        """Whether all rows of a class weigh the same, so that counting replaces adding."""
        u, v = self.positive_weight, self.negative_weight
        return bool(np.all(u == u[0]) and np.all(v == v[0]))


@dataclass(frozen=True)
class HingeValue:
    """The mean pairwise hinge at one score vector.

    Parameters
    ----------
    value : float
        R(s).
    constant : float
        b = Σ_p u_p c_p, the total weight of the pairs that count.
    coefficients : ndarray of float
        The cut coefficients, one per row: +u_p c_p or −v_n d_n. R(s') ≥ constant − coefficients·s',
        for every s', with equality at s: that is the cut, and −coefficients the subgradient.
    """

    value: float
    constant: float
    coefficients: Vector


def pairwise_hinge(scores: Vector, pairs: Pairs) -> HingeValue:
    """Return the mean pairwise hinge R(s) and its supporting cut at `scores`, in O(n log n).

    Examples
    --------
    >>> import numpy as np
    >>> from smoothrank.losses.pairwise_hinge import Pairs, pairwise_hinge
    >>> pairs = Pairs.from_labels(np.array([True, True, False, False]))
    >>> scores = np.array([2.0, 0.5, 0.0, 1.0])
    >>> hinge = pairwise_hinge(scores, pairs)
    >>> hinge.value
    0.5
    >>> float(hinge.constant - hinge.coefficients @ scores)
    0.5
    """
    thresholds = scores[pairs.positive] - 1.0
    negatives = scores[pairs.negative]
    if pairs.is_uniform:
        above = _share_above(thresholds, negatives)
        below = _share_below(negatives, thresholds)
    else:
        above = _weight_above(thresholds, negatives, pairs.negative_weight)
        below = _weight_below(negatives, thresholds, pairs.positive_weight)
    coefficients = np.empty(pairs.n_rows)
    coefficients[pairs.positive] = pairs.positive_weight * above
    coefficients[pairs.negative] = -pairs.negative_weight * below
    constant = float(coefficients[pairs.positive].sum())
    return HingeValue(constant - float(coefficients @ scores), constant, coefficients)


def auc(scores: Vector, pairs: Pairs) -> float:
    """Return the area under the ROC curve: the weight of pairs in order, ties counted one half."""
    positives, negatives = scores[pairs.positive], scores[pairs.negative]
    order = np.argsort(negatives)
    ranked = negatives[order]
    below = np.searchsorted(ranked, positives, side="left")
    not_above = np.searchsorted(ranked, positives, side="right")
    if pairs.is_uniform:
        return float(np.sum(below + not_above) / (2 * pairs.n_pairs))
    total = np.concatenate(([0.0], np.cumsum(pairs.negative_weight[order])))
    return float(pairs.positive_weight @ (total[below] + total[not_above]) / 2.0)


def _share_above(points: Vector, others: Vector) -> Vector:
    """Return for each point the share of `others` strictly greater than it."""
    return 1.0 - np.sort(others).searchsorted(points, side="right") / len(others)


def _share_below(points: Vector, others: Vector) -> Vector:
    """Return for each point the share of `others` strictly smaller than it."""
    return np.sort(others).searchsorted(points, side="left") / len(others)


def _weight_above(points: Vector, others: Vector, weights: Vector) -> Vector:
    """Return for each point the weight of `others` strictly greater than it."""
    order = np.argsort(others)
    tail = np.concatenate((np.cumsum(weights[order][::-1])[::-1], [0.0]))
    return tail[others[order].searchsorted(points, side="right")]


def _weight_below(points: Vector, others: Vector, weights: Vector) -> Vector:
    """Return for each point the weight of `others` strictly smaller than it."""
    order = np.argsort(others)
    head = np.concatenate(([0.0], np.cumsum(weights[order])))
    return head[others[order].searchsorted(points, side="left")]
