"""RankBoost (Freund, Iyer, Schapire and Singer 2003) for two classes, without building the pairs.

The distribution over pairs is a product, D(p, n) = v_p v_n, because both factors of a pair change
on their own: after a round with the weak ranker h and its weight α,

    v_p ← v_p exp(−α h(x_p)) / Z_p        v_n ← v_n exp(α h(x_n)) / Z_n.

A weak ranker is a threshold on one feature, h(x) = 1[x_j > θ], chosen by the largest |r| with

    r = Σ_p Σ_n D(p, n) (h(x_p) − h(x_n)) = Σ_p v_p h(x_p) − Σ_n v_n h(x_n),

and its weight is α = ½ log((1 + r) / (1 − r)), the paper's third method. One round costs
O(rows × features) after one sort.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from numbers import Integral
from typing import Any, ClassVar, Self

import numpy as np
from sklearn.base import _fit_context
from sklearn.utils._param_validation import Interval

from smoothrank.arrays import Flags, Indices, Matrix, Vector
from smoothrank.estimators.cited.threshold_sum import ThresholdSum
from smoothrank.estimators.ranking_classifier import RankingClassifier

__all__ = ["RankBoost"]

NOTHING_LEFT = 1e-9
"""An |r| below this is rounding: no threshold ranks better than chance."""


@dataclass(frozen=True)
class WeakRanker:
    """A threshold on a feature: j, θ, and the r that it reaches."""

    feature: int
    threshold: float
    r: float

    def weight(self, most: float) -> float:
        """Return α = ½ log((1 + r) / (1 − r)), with |r| at most `most`."""
        return float(np.arctanh(np.clip(self.r, -most, most)))


@dataclass(frozen=True)
class SortedFeatures:
    """The rows sorted by each feature.

    Parameters
    ----------
    X : ndarray
        The rows.
    order : ndarray of int
        For each feature (column) the numbers of the rows from small to large.
    middles : ndarray of float
        The thresholds halfway between neighbours in that order.
    is_cut : ndarray of bool
        Whether those neighbours differ, so that a threshold separates them.
    """

    X: Matrix
    order: Indices
    middles: Matrix
    is_cut: Flags

    @classmethod
    def from_rows(cls, X: Matrix) -> SortedFeatures:
        """Sort rows."""
        order = np.argsort(X, axis=0, kind="stable")
        values = np.take_along_axis(X, order, axis=0)
        low, high = values[:-1], values[1:]
        middles = low + (high - low) / 2
        middles = np.where(middles < high, middles, low)
        return cls(X, order, middles, low < high)

    def below(self, weight: Vector) -> Matrix:
        """Return the weight of the rows below each threshold."""
        return np.asarray(np.cumsum(weight[self.order[:-1]], axis=0))

    def best(self, positive: Vector, negative: Vector) -> WeakRanker | None:
        """Return the threshold of largest |r|; None if no feature has two values.

        Parameters
        ----------
        positive, negative : ndarray
            v by row: zero for the rows of the other class, and of sum one.
        """
        if not self.is_cut.any():
            return None
        r = np.where(self.is_cut, self.below(negative - positive), 0.0)
        at = np.unravel_index(int(np.argmax(np.abs(r))), r.shape)
        return WeakRanker(int(at[1]), float(self.middles[at]), float(r[at]))


class RankBoost(RankingClassifier):
    """Boosted thresholds that rank positives above negatives.

    Parameters
    ----------
    n_rounds : int
        The most weak rankers; fewer if no threshold is better than chance.

    Attributes
    ----------
    model_ : ThresholdSum
        The score; `model_.first(t)` is that after t rounds.
    n_rounds_ : int
        Weak rankers of the fit.
    n_columns_ : int
        Different thresholds among them.

    Examples
    --------
    >>> import numpy as np
    >>> from smoothrank import RankBoost
    >>> X = np.array([[1.0, 0.0], [2.0, 5.0], [3.0, 1.0], [4.0, 6.0]])
    >>> model = RankBoost(n_rounds=3).fit(X, [0, 0, 1, 1])
    >>> model.predict(X).tolist()
    [0, 0, 1, 1]
    """

    _parameter_constraints: ClassVar[dict[str, list[Any]]] = {
        "n_rounds": [Interval(Integral, 1, None, closed="left")]
    }
    scale = None
    score_type = ThresholdSum
    model_: ThresholdSum

    def __init__(self, n_rounds: int = 100) -> None:
        self.n_rounds = n_rounds

    @_fit_context(prefer_skip_nested_validation=True)
    def fit(self, X: Any, y: Any) -> Self:
        """Choose thresholds one after the other, then learn decision and calibration."""
        X, is_positive, weight = self._checked(X, y, None)
        self.model_ = boost(X, is_positive, self.n_rounds)
        self._learn_decision(self.model_.score(X), is_positive, weight)
        return self

    @property
    def n_rounds_(self) -> int:
        """Weak rankers of the fit."""
        return len(self.model_.weights)

    @property
    def n_columns_(self) -> int:
        """Different thresholds among the weak rankers."""
        return self.model_.n_columns

    def staged_decision_function(self, X: Any) -> Iterator[Vector]:
        """Yield the score of rows after each round, without `intercept_`."""
        return self.model_.stages(self._validated(X))


def boost(X: Matrix, is_positive: Flags, n_rounds: int) -> ThresholdSum:
    """Return the sum of the weak rankers of up to a number of rounds."""
    rows = SortedFeatures.from_rows(X)
    n_positive = int(is_positive.sum())
    most = 1.0 - 1.0 / (n_positive * (len(X) - n_positive) + 1)
    positive, negative = is_positive / n_positive, ~is_positive / (len(X) - n_positive)
    terms: list[tuple[int, float, float]] = []
    for _ in range(n_rounds):
        weak = rows.best(positive, negative)
        if weak is None or abs(weak.r) < NOTHING_LEFT:
            break
        alpha = weak.weight(most)
        terms.append((weak.feature, weak.threshold, alpha))
        fires = X[:, weak.feature] > weak.threshold
        positive = _normalised(positive * np.exp(-alpha * fires))
        negative = _normalised(negative * np.exp(alpha * fires))
    features, thresholds, weights = np.array(terms).reshape(-1, 3).T
    return ThresholdSum(features.astype(np.intp), thresholds.copy(), weights.copy())


def _normalised(weight: Vector) -> Vector:
    return np.asarray(weight / weight.sum())
