"""Any scikit-learn classifier with the decisions and probabilities of smoothrank's own."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, Self

import numpy as np
from sklearn.base import clone

from smoothrank.arrays import Matrix, Vector
from smoothrank.estimators.ranking_classifier import RankingClassifier


@dataclass(frozen=True)
class EstimatorScore:
    """The score of a fitted classifier: its decision function, or the positive probability."""

    estimator: Any

    def score(self, X: Matrix) -> Vector:
        """Return the score of rows."""
        if hasattr(self.estimator, "decision_function"):
            return np.asarray(self.estimator.decision_function(X), dtype=np.float64)
        return np.asarray(self.estimator.predict_proba(X)[:, 1], dtype=np.float64)


class ForeignRanking(RankingClassifier):
    """A classifier of another package, whose score is ranked, thresholded and calibrated.

    Parameters
    ----------
    estimator : estimator
        Any classifier with `fit` and `decision_function` or `predict_proba`, unfitted.

    Attributes
    ----------
    estimator_ : estimator
        The fitted classifier.
    """

    scale = None

    def __init__(self, estimator: Any) -> None:
        self.estimator = estimator

    def fit(self, X: Any, y: Any) -> Self:
        """Fit the classifier, then threshold and calibration on its scores."""
        X, is_positive, weight = self._checked(X, y, None)
        self.estimator_ = clone(self.estimator).fit(X, np.asarray(y))
        self.model_ = EstimatorScore(self.estimator_)
        self._learn_decision(self.model_.score(X), is_positive, weight)
        return self


def as_ranking(estimator: Any) -> RankingClassifier:
    """Return one of smoothrank's own classifiers as it is, and any other as a `ForeignRanking`."""
    return estimator if isinstance(estimator, RankingClassifier) else ForeignRanking(estimator)
