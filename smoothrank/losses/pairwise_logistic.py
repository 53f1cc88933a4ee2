"""The mean pairwise logistic loss of RankNet (Burges et al. 2005), for two blocks of rows.

With scores s_p of positives and s_n of negatives,

    L(s) = mean over all p and n of log(1 + exp(−(s_p − s_n))).
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from scipy.special import expit

from smoothrank.arrays import Vector


@dataclass(frozen=True)
class LogisticValue:
    """The mean pairwise logistic loss at one score vector.

    Parameters
    ----------
    value : float
        L(s).
    positive_gradient, negative_gradient : ndarray of float
        ∂L/∂s_p and ∂L/∂s_n.
    """

    value: float
    positive_gradient: Vector
    negative_gradient: Vector


def pairwise_logistic(positives: Vector, negatives: Vector) -> LogisticValue:
    """Return the mean pairwise logistic loss and its gradient.

    All pairs of the two blocks are formed; draw small blocks of a large problem.

    Examples
    --------
    >>> import numpy as np
    >>> from smoothrank.losses.pairwise_logistic import pairwise_logistic
    >>> loss = pairwise_logistic(np.array([1.0]), np.array([1.0, 1.0]))
    >>> round(loss.value, 4)
    0.6931
    >>> loss.positive_gradient.tolist(), loss.negative_gradient.tolist()
    ([-0.5], [0.25, 0.25])
    """
    margins = positives[:, None] - negatives[None, :]
    slopes = expit(-margins) / margins.size
    return LogisticValue(
        float(np.mean(np.logaddexp(0.0, -margins))),
        -slopes.sum(axis=1),
        slopes.sum(axis=0),
    )
