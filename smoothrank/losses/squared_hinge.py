"""The mean squared pairwise hinge, its gradient and its Hessian, without ever building the pairs.

With scores s and the pair weights κ_pn = u_p v_n of `Pairs`,

    Q(s) = ½ Σ_p Σ_n κ_pn h_pn²,        h_pn = max(0, 1 − (s_p − s_n)).

A pair counts when t_p := s_p − 1 < s_n, and then h_pn = s_n − t_p. Sums over the negatives above
t_p, or over the positives below s_n, follow from one sort and cumulative sums.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from smoothrank.arrays import Indices, Matrix, Vector
from smoothrank.losses.pairwise_hinge import Pairs


@dataclass(frozen=True)
class SquaredHingeValue:
    """The squared hinge at one score vector.

    Parameters
    ----------
    value : float
        Q(s).
    hinge : float
        Σ κ_pn h_pn, the mean pairwise hinge at the same scores.
    gradient : ndarray of shape (n,)
        ∂Q/∂s: −u_p Σ_n v_n h_pn for a positive row, +v_n Σ_p u_p h_pn for a negative one.
    """

    value: float
    hinge: float
    gradient: Vector


def squared_hinge(scores: Vector, pairs: Pairs) -> SquaredHingeValue:
    """Return Q(s) and its gradient, in O(n log n).

    Examples
    --------
    >>> import numpy as np
    >>> from smoothrank.losses.pairwise_hinge import Pairs
    >>> from smoothrank.losses.squared_hinge import squared_hinge
    >>> pairs = Pairs.from_labels(np.array([True, False, False]))
    >>> squared_hinge(np.array([2.0, 0.0, 3.0]), pairs).value
    1.0
    """
    centred = scores - float(np.mean(scores[pairs.negative]))
    thresholds, negatives = centred[pairs.positive] - 1.0, centred[pairs.negative]
    order = np.argsort(negatives)
    above = negatives[order].searchsorted(thresholds, side="right")
    ranked, weight = negatives[order], pairs.negative_weight[order]
    zeroth, first, second = (_tail_sums(weight * ranked**power)[above] for power in (0, 1, 2))
    hinge_of_positive = first - thresholds * zeroth
    square_of_positive = second - 2.0 * thresholds * first + thresholds**2 * zeroth
    order = np.argsort(thresholds)
    below = thresholds[order].searchsorted(negatives, side="left")
    ranked, weight = thresholds[order], pairs.positive_weight[order]
    hinge_of_negative = negatives * _head_sums(weight)[below] - _head_sums(weight * ranked)[below]
    gradient = np.empty(len(scores))
    gradient[pairs.positive] = -pairs.positive_weight * hinge_of_positive
    gradient[pairs.negative] = pairs.negative_weight * hinge_of_negative
    return SquaredHingeValue(
        value=max(0.0, 0.5 * float(pairs.positive_weight @ square_of_positive)),
        hinge=float(pairs.positive_weight @ hinge_of_positive),
        gradient=gradient,
    )


def squared_hinge_hessian(scores: Vector, pairs: Pairs, features: Matrix) -> Matrix:
    """Return Σ κ_pn (φ_p − φ_n)(φ_p − φ_n)ᵀ over the pairs that count, in O(n r²).

    The cross terms Σ_p u_p φ_p (Σ_{n : s_n > t_p} v_n φ_n)ᵀ need the sums of the sorted negative
    rows from each place on: no array has an entry for each pair.

    Parameters
    ----------
    scores : ndarray of shape (n,)
        s.
    pairs : Pairs
        The rows of the two classes with their weights.
    features : ndarray of shape (n, r)
        φ of each row.
    """
    thresholds, negatives = scores[pairs.positive] - 1.0, scores[pairs.negative]
    order: Indices = np.argsort(negatives)
    above = negatives[order].searchsorted(thresholds, side="right")
    positive_rows = features[pairs.positive] * pairs.positive_weight[:, None]
    negative_rows = features[pairs.negative[order]] * pairs.negative_weight[order, None]
    counted = _tail_sums(pairs.negative_weight[order])[above]
    below = np.sort(thresholds).searchsorted(negatives[order], side="left")
    counted_below = _head_sums(pairs.positive_weight[np.argsort(thresholds)])[below]
    crossed = positive_rows.T @ _tail_sums(negative_rows)[above]
    of_positive = (positive_rows * counted[:, None]).T @ features[pairs.positive]
    of_negative = (negative_rows * counted_below[:, None]).T @ features[pairs.negative[order]]
    return np.asarray(of_positive + of_negative - crossed - crossed.T)


def _tail_sums(values: Matrix) -> Matrix:
    """Return for each place the sum from there to the end; the last entry is the empty sum."""
    sums = np.zeros((len(values) + 1, *values.shape[1:]))
    np.cumsum(values[::-1], axis=0, out=sums[-2::-1])
    return sums


def _head_sums(values: Vector) -> Vector:
    """Return for each place the sum of all values before it."""
    return np.concatenate(([0.0], np.cumsum(values)))
