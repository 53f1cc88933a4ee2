"""From scores to decisions: a threshold by balanced accuracy, and monotone probabilities."""

from __future__ import annotations

import numpy as np
from scipy.optimize import minimize
from scipy.special import expit

from smoothrank.arrays import Vector
from smoothrank.losses.pairwise_hinge import Pairs

_LINEAR_PART = 6.0


def balanced_threshold(scores: Vector, pairs: Pairs) -> float:
    """Return the threshold of largest balanced accuracy, midway between two neighbouring scores.

    Balanced accuracy is (share of positives above + share of negatives not above) / 2; of equally
    good thresholds the middle one is taken.
    """
    gain = np.zeros(len(scores))
    gain[pairs.negative] = pairs.negative_weight
    gain[pairs.positive] = -pairs.positive_weight
    values, position = np.unique(scores, return_inverse=True)
    if len(values) == 1:
        return float(values[0])
    accuracy = np.cumsum(np.bincount(position, weights=gain))[:-1]
    best = np.flatnonzero(accuracy >= accuracy.max() - 1e-12)
    cut = best[len(best) // 2]
    return float((values[cut] + values[cut + 1]) / 2.0)


def fit_calibration(decision: Vector, is_positive: Vector, weight: Vector) -> tuple[float, float]:
    """Return slope a > 0 and offset b of the probability 1 / (1 + exp(−(a·decision + b))).

    Maximum likelihood with Platt's targets (N₊+1)/(N₊+2) and 1/(N₋+2), N the number of rows of
    a class, which keep the slope finite when the classes are separable.
    """
    n_positive, n_negative = np.sum(is_positive > 0), np.sum(is_positive <= 0)
    target = np.where(is_positive > 0, (n_positive + 1) / (n_positive + 2), 1 / (n_negative + 2))
    spread = float(np.sqrt(np.average(decision**2, weights=weight))) or 1.0
    scaled = decision / spread
    share = weight / weight.sum()

    def loss(parameters: Vector) -> tuple[float, Vector]:
        logit = parameters[0] * scaled + parameters[1]
        error = share * (expit(logit) - target)
        value = float(share @ (np.logaddexp(0.0, logit) - target * logit))
        return value, np.array([error @ scaled, error.sum()])

    prior = float(np.log((n_positive + 1) / (n_negative + 1)))
    found = minimize(
        loss, [1.0, prior], jac=True, method="L-BFGS-B", bounds=[(1e-6, None), (None, None)]
    )
    return float(found.x[0] / spread), float(found.x[1])


def probability(decision: Vector, slope: float, offset: float) -> Vector:
    """Return the probability of the positive class, strictly increasing in `decision`.

    Logits beyond ±6 grow by their logarithm only, so that far scores stay distinct numbers and
    no probability claims more than the training rows can show.
    """
    logit = slope * decision + offset
    beyond = np.maximum(np.abs(logit) - _LINEAR_PART, 0.0)
    tamed = np.sign(logit) * (np.minimum(np.abs(logit), _LINEAR_PART) + np.log1p(beyond))
    return np.asarray(expit(tamed), dtype=np.float64)
