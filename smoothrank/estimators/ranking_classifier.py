"""The scikit-learn shell around a score: labels, decisions and probabilities."""

from __future__ import annotations

from functools import cache
from typing import Any, Protocol

import numpy as np
import numpy.typing as npt
from sklearn.base import BaseEstimator, ClassifierMixin
from sklearn.utils import Tags
from sklearn.utils.multiclass import check_classification_targets, type_of_target
from sklearn.utils.validation import _check_sample_weight, check_is_fitted, validate_data
from threadpoolctl import ThreadpoolController

from smoothrank.arrays import Flags, Matrix, Vector
from smoothrank.estimators.decision import balanced_threshold, fit_calibration, probability
from smoothrank.estimators.input_checks import (
    advised,
    check_kinds,
    check_magnitude,
    check_scores,
)
from smoothrank.losses.pairwise_hinge import Pairs

USED_WEIGHT = 1e-3
"""A prototype or training row counts as used when its weight is at least this in size."""


def n_used(weights: Vector) -> int:
    """Return how many weights are at least `USED_WEIGHT` in size."""
    return int(np.count_nonzero(np.abs(weights) >= USED_WEIGHT))


@cache
def _threads() -> ThreadpoolController:
    return ThreadpoolController()


def one_blas_thread() -> Any:
    """Return a context in which BLAS has one thread: a fit's products are too small for more."""
    return _threads().limit(limits=1, user_api="blas")


class Score(Protocol):
    """What every fitted classifier has: a score function."""

    def score(self, X: Matrix) -> Vector:
        """Return the score of rows in the data's units."""
        ...


class RankingClassifier(ClassifierMixin, BaseEstimator):
    """A binary classifier that ranks rows by a score; subclasses learn the score, `model_`."""

    scale: Any
    model_: Score

    def _checked(self, X: Any, y: Any, sample_weight: Any) -> tuple[Matrix, Flags, Vector]:
        """Return rows, which of them are positive, and their weights, or raise for bad input."""
        check_kinds(X)
        with advised():
            X, y = validate_data(self, X, y, dtype=np.float64, ensure_min_samples=2)
            weight = _check_sample_weight(
                sample_weight, X, dtype=np.float64, ensure_non_negative=True
            )
        is_positive = self._two_classes(y)
        self._both_classes_weigh(is_positive, weight)
        if self.scale != "quantile":
            check_magnitude(X)
        return X, is_positive, weight

    def _two_classes(self, y: npt.NDArray[Any]) -> Flags:
        check_classification_targets(y)
        self.classes_ = np.unique(y)
        if len(self.classes_) == 1:
            raise ValueError(
                f"y has only one class, {self.classes_.tolist()[0]!r}; ranking needs two. "
                "Give rows of both, or check how y was made."
            )
        if len(self.classes_) > 2:
            raise ValueError(
                "Only binary classification is supported. The type of the target is "
                f"{type_of_target(y)} with {len(self.classes_)} classes. "
                "Keep two, or compare one class with the rest."
            )
        return np.asarray(y == self.classes_[1])

    def _both_classes_weigh(self, is_positive: Flags, weight: Vector) -> None:
        with np.errstate(over="ignore"):
            total = weight.sum()
        if not np.isfinite(total):
            raise ValueError("sample_weight has a sum that overflows. Divide it by its largest.")
        labels = self.classes_.tolist()
        for label, rows in zip(labels, (~is_positive, is_positive), strict=True):
            if not weight[rows].sum() > 0:
                raise ValueError(
                    f"sample_weight is zero on every row of class {label!r}. "
                    "Give some row of each class a positive weight."
                )

    def _learn_decision(self, scores: Vector, is_positive: Flags, weight: Vector) -> None:
        """Learn the threshold of largest balanced accuracy and the calibration."""
        self.intercept_ = -balanced_threshold(scores, Pairs.from_labels(is_positive, weight))
        self.calibration_ = fit_calibration(
            scores + self.intercept_, is_positive.astype(float), weight
        )

    def decision_function(self, X: Any) -> Vector:
        """Return the score of rows plus `intercept_`; above zero means the positive class.

        Raises
        ------
        ScoreError
            If the values of a row are so large that its score overflows.
        """
        return self.score_rows(self._validated(X))

    def score_rows(self, rows: Matrix) -> Vector:
        """Return what `decision_function` does, of rows that are known to be finite float64."""
        with np.errstate(over="ignore", invalid="ignore"):
            scores = self.model_.score(rows) + self.intercept_
        check_scores(rows, scores)
        return scores

    def predict(self, X: Any) -> npt.NDArray[Any]:
        """Return the label of each row, by the threshold of best balanced accuracy in training."""
        decision = self.decision_function(X)
        return np.asarray(self.classes_[(decision > 0).astype(int)])

    def predict_proba(self, X: Any) -> Matrix:
        """Return probabilities of `classes_`, strictly increasing in the score: same AUC.

        Calibrated to the share of positives in training, so that a rare class predicted by
        `predict` may have a probability below one half.
        """
        positive = self.calibrated(self.decision_function(X))
        return np.column_stack((1.0 - positive, positive))

    def calibrated(self, decision: Vector) -> Vector:
        """Return the probability of the positive class, given what `decision_function` says."""
        return probability(decision, *self.calibration_)

    def feature_names(self) -> list[str]:
        """Return the names of the features, x0, x1, … if the training rows had none."""
        names = getattr(self, "feature_names_in_", None)
        return [f"x{j}" for j in range(self.n_features_in_)] if names is None else list(names)

    def _validated(self, X: Any) -> Matrix:
        check_is_fitted(self)
        with advised():
            return np.asarray(validate_data(self, X, dtype=np.float64, reset=False))

    def __sklearn_tags__(self) -> Tags:
        tags = super().__sklearn_tags__()
        tags.classifier_tags.multi_class = False
        return tags
