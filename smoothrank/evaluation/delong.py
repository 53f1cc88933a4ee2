"""Confidence intervals of AUC, and paired comparison of two models: DeLong's method.

With m positives and n negatives the structural components of a score are

    V_p = share of negatives below p, ties counted one half        for each positive p,
    V_n = share of positives above n, ties counted one half        for each negative n.

AUC is the mean of either, and its variance is  var(V_p) / m + var(V_n) / n. For two scores of the
same rows the components are subtracted first, so that what they share cancels. Counting after one
sort makes this O(N log N), not O(m n).
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
from scipy.optimize import brentq
from scipy.special import expit, logit
from scipy.stats import norm

from smoothrank.arrays import Flags, Vector
from smoothrank.errors import SmoothrankError


class EvaluationError(SmoothrankError):
    """Scores or labels for which AUC is undefined."""


@dataclass(frozen=True)
class AucInterval:
    """An AUC and its confidence interval."""

    auc: float
    low: float
    high: float


@dataclass(frozen=True)
class AucComparison:
    """Two models on the same rows.

    Parameters
    ----------
    auc_new, auc_old : float
        Their AUC.
    difference : float
        New minus old.
    standard_error : float
        Of the difference.
    p_worse : float
        One-sided p-value of "new is at least as good as old"; small means that new is worse.
    """

    auc_new: float
    auc_old: float
    difference: float
    standard_error: float
    p_worse: float


@dataclass(frozen=True)
class _Components:
    """V_p and V_n."""

    positive: Vector
    negative: Vector

    @property
    def auc(self) -> float:
        return float(self.positive.mean())


def auc_interval(scores: Any, is_positive: Any, level: float = 0.95) -> AucInterval:
    """Return AUC with a confidence interval, by DeLong's variance on the logit scale.

    The logit keeps the interval within [0, 1] and widens it on the side away from the edge. Where
    DeLong's variance vanishes although more rows could show otherwise (AUC of 0 or 1, a class of
    one row), the interval is Newcombe's, which uses the variance at each possible value of the AUC
    instead of the observed one.

    Parameters
    ----------
    scores : array-like of shape (n,)
        Higher means more likely positive.
    is_positive : array-like of bool of shape (n,)
        The class of each row.
    level : float
        The coverage: how often such intervals contain the true value.

    Examples
    --------
    >>> from smoothrank.evaluation.delong import auc_interval
    >>> found = auc_interval([0.1, 0.4, 0.35, 0.8], [False, False, True, True])
    >>> found.auc, round(found.low, 3), round(found.high, 3)
    (0.75, 0.069, 0.992)
    """
    if not 0.0 < level < 1.0:
        raise EvaluationError(f"level is {level}; it must lie between 0 and 1, such as 0.95.")
    flags = _checked_flags(is_positive)
    components = _components(_checked_scores(scores, flags), flags)
    auc, z = components.auc, float(norm.ppf(0.5 + level / 2.0))
    variance = _variance(components.positive) + _variance(components.negative)
    counts = len(components.positive), len(components.negative)
    if min(counts) == 1 or variance == 0.0 or not 0.0 < auc < 1.0:
        return AucInterval(auc, *_newcombe(auc, *counts, z))
    reach = z * np.sqrt(variance) / (auc * (1.0 - auc))
    return AucInterval(auc, float(expit(logit(auc) - reach)), float(expit(logit(auc) + reach)))


def compare_auc(new_scores: Any, old_scores: Any, is_positive: Any) -> AucComparison:
    """Compare the AUC of a new model with that of an old one: DeLong's paired test.

    Parameters
    ----------
    new_scores, old_scores : array-like of shape (n,)
        The scores of the two models for the same rows.
    is_positive : array-like of bool of shape (n,)
        The class of each row.
    """
    flags = _checked_flags(is_positive)
    new = _components(_checked_scores(new_scores, flags), flags)
    old = _components(_checked_scores(old_scores, flags), flags)
    by_positive, by_negative = new.positive - old.positive, new.negative - old.negative
    difference = float(by_positive.mean())
    error = float(np.sqrt(_variance(by_positive) + _variance(by_negative)))
    return AucComparison(new.auc, old.auc, difference, error, _p_worse(difference, error))


def _p_worse(difference: float, error: float) -> float:
    if error > 0.0:
        return float(norm.cdf(difference / error))
    return 0.5 if difference == 0.0 else float(difference > 0.0)


def _components(scores: Vector, is_positive: Flags) -> _Components:
    positives, negatives = scores[is_positive], scores[~is_positive]
    return _Components(_share_below(positives, negatives), 1.0 - _share_below(negatives, positives))


def _share_below(points: Vector, others: Vector) -> Vector:
    """Return for each point the share of `others` below it, ties counted one half."""
    ranked = np.sort(others)
    below = ranked.searchsorted(points, side="left")
    not_above = ranked.searchsorted(points, side="right")
    return (below + not_above) / (2.0 * len(others))


def _variance(components: Vector) -> float:
    """Return the variance of the mean of components; of a single one, its square."""
    if len(components) == 1:
        return float(components[0] ** 2)
    return float(np.var(components, ddof=1) / len(components))


def _newcombe(auc: float, n_positive: int, n_negative: int, z: float) -> tuple[float, float]:
    """Return the range of A with |A − auc| ≤ z·√var(A), by Hanley and McNeil's variance."""
    half = (n_positive + n_negative) / 2.0 - 1.0

    def slack(A: float) -> float:
        spread = 1.0 + half * (1.0 - A) / (2.0 - A) + half * A / (1.0 + A)
        variance = A * (1.0 - A) * spread / (n_positive * n_negative)
        return (A - auc) ** 2 - z * z * variance

    low = 0.0 if auc == 0.0 else float(brentq(slack, 0.0, _inside(auc, -1.0)))
    high = 1.0 if auc == 1.0 else float(brentq(slack, _inside(auc, 1.0), 1.0))
    return low, high


def _inside(auc: float, side: float) -> float:
    """Return a point next to `auc`, where the slack is negative."""
    return auc + side * 1e-9 if auc in (0.0, 1.0) else auc


def _checked_flags(is_positive: Any) -> Flags:
    flags = np.asarray(is_positive)
    if flags.ndim != 1 or flags.dtype != np.bool_:
        raise EvaluationError("is_positive must be one true or false for each row; try y == 1.")
    if flags.all() or not flags.any():
        raise EvaluationError(
            "All rows are of one class, and AUC needs two. Add rows of the other class."
        )
    return flags


def _checked_scores(scores: Any, flags: Flags) -> Vector:
    values = np.asarray(scores, dtype=np.float64)
    if values.shape != flags.shape:
        raise EvaluationError(
            f"scores have the shape {values.shape}, is_positive {flags.shape}; "
            "give one score for each row."
        )
    if np.isnan(values).any():
        row = int(np.flatnonzero(np.isnan(values))[0]) + 1
        raise EvaluationError(f"scores, row {row}: not a number. Score every row, or leave it out.")
    return values
