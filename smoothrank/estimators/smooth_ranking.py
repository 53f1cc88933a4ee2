"""SmoothRanking: the classifier to reach for, as an average of many models or as a few columns."""

from __future__ import annotations

from collections.abc import Sequence
from numbers import Integral
from typing import Any, ClassVar, Self

import numpy as np
from sklearn.base import _fit_context, clone
from sklearn.utils._param_validation import Interval, StrOptions
from sklearn.utils.validation import check_is_fitted

from smoothrank.arrays import Matrix, Vector
from smoothrank.columns.distinct_rows import distinct_rows
from smoothrank.columns.explanation import Explanation, explain_rows, model_text
from smoothrank.columns.weighted import WeightedColumns
from smoothrank.distillation.comparison import Comparison
from smoothrank.distillation.kernel_models import TrainingRows
from smoothrank.distillation.size_choice import smallest_good
from smoothrank.distillation.teaching import AVERAGE, Graduate, HeldOut, Teaching
from smoothrank.errors import SmoothrankError
from smoothrank.estimators.ranking_classifier import RankingClassifier, one_blas_thread
from smoothrank.losses.certificate import Certificate

__all__ = ["SmoothRanking"]

SIZES = (1, 2, 3, 5, 8, 12, 20)
"""The numbers of columns that a small model chooses from."""


class SmoothRanking(RankingClassifier):
    """Ranking by the best model that cross-validation finds, whole or in a few columns.

    Many models are compared on repeated folds: pairwise least squares with Gaussian and Laplace
    kernels of four widths on standardised and on quantile-normal features, the Gaussian one on
    whitened features as well, and randomised trees. Their average, each weighed by its AUC, is the
    model of `size="best"`. For any other size a student repeats the average's scores with a few
    Gaussian bumps, each a point and a weight for every feature: a model that can be read, and that
    is saved, shown and explained like the paper's prototypes.

    Parameters
    ----------
    size : {"small", "best"} or int
        "small": at most 20 columns, the fewest whose validation AUC is within one standard error of
        the best; a number: so many columns; "best": the average itself.
    random_state : int
        Seed of folds, landmarks, trees and rows between rows.
    n_jobs : int
        How many threads work at the same time.

    Attributes
    ----------
    n_columns_ : int
        Columns of the model; for "best" the sum over all kernels, a tree counted as one.
    columns_ : ndarray of shape (T, d)
        The points of the columns in the units of the data; absent for "best".
    weights_ : ndarray of shape (T,)
        The weights of the columns; absent for "best".
    view_ : str
        The scaling of the features that the columns see: "standard", or "normal" where that repeats
        the average much better; absent for "best".
    cv_results_ : dict
        Mean and standard deviation over the folds of the validation AUC: of every model compared,
        of their average, and of the students of each size.
    gap_ : float
        Relative optimality gap of the weights, given the columns; for "best" the largest of the
        kernel models.
    kkt_residual_ : float
        The norm of the gradient at these weights, relative to the right-hand side of the least
        squares; NaN in a model that an earlier version saved.
    classes_ : ndarray of shape (2,)
        The labels, the positive one last.
    intercept_ : float
        Negative of the decision threshold.

    Examples
    --------
    >>> from sklearn.datasets import make_classification
    >>> from smoothrank import SmoothRanking
    >>> X, y = make_classification(120, 4, weights=[0.8], random_state=0)
    >>> model = SmoothRanking(size=2).fit(X, y)
    >>> model.columns_.shape
    (2, 4)
    """

    _parameter_constraints: ClassVar[dict[str, list[Any]]] = {
        "size": [StrOptions({"small", "best"}), Interval(Integral, 1, None, closed="left")],
        "random_state": [Interval(Integral, 0, None, closed="left")],
        "n_jobs": [Interval(Integral, 1, None, closed="left")],
    }
    scale = None

    def __init__(
        self, size: str | int = "small", *, random_state: int = 0, n_jobs: int = 1
    ) -> None:
        self.size = size
        self.random_state = random_state
        self.n_jobs = n_jobs

    @_fit_context(prefer_skip_nested_validation=True)
    def fit(self, X: Any, y: Any, sample_weight: Any = None) -> Self:
        """Compare models, average them, and repeat the average with a few columns.

        Parameters
        ----------
        X : array-like of shape (n, d)
            Rows of numbers.
        y : array-like of shape (n,)
            Two labels; the greater one (`classes_[1]`) is the positive class.
        sample_weight : array-like of shape (n,), optional
            Weight of each row: weight two is the same as giving the row twice.

        Returns
        -------
        self
        """
        rows = self._rows(X, y, sample_weight)
        with one_blas_thread():
            teaching = Teaching.of(rows, self.random_state, self.n_jobs)
            if self.size == "best":
                self._keep_average(teaching)
            else:
                self._keep_columns(teaching, self._sizes())
        return self

    def path(self, X: Any, y: Any, sizes: Sequence[int]) -> list[Self]:
        """Fit several numbers of columns with one teacher, without validation of their own.

        Parameters
        ----------
        X, y : array-like
            As for `fit`.
        sizes : sequence of int
            Numbers of columns.

        Returns
        -------
        list
            One fitted estimator for each size; thresholds and probabilities come from the training
            rows.
        """
        models = [clone(self).set_params(size=size) for size in sizes]
        checked = [model._rows(X, y, None) for model in models]
        rows = checked[0]
        with one_blas_thread():
            teaching = Teaching.of(rows, self.random_state, self.n_jobs)
            students = teaching.students()
            for model, size in zip(models, sizes, strict=True):
                model._keep_model(students.grown(size))
                scores = model.model_.score(rows.X)
                model._learn_decision(scores, rows.is_positive, rows.weight)
                model.typical_row_ = np.median(rows.X, axis=0)
                model.cv_results_ = _results(teaching.comparison)
        return models

    def _rows(self, X: Any, y: Any, sample_weight: Any) -> TrainingRows:
        X, is_positive, weight = self._checked(X, y, sample_weight)
        rows = distinct_rows(X, is_positive, weight, keep_order=False)
        rarer = min(int(rows.is_positive.sum()), int((~rows.is_positive).sum()))
        if rarer < 2:
            raise ValueError(
                "The rarer class has one distinct row; cross-validation needs two at least. "
                "Add rows, or take SmoothRankingPrototype."
            )
        return TrainingRows(rows.X, rows.is_positive, rows.weight)

    def _sizes(self) -> tuple[int, ...]:
        return SIZES if self.size == "small" else (int(self.size),)

    def _keep_average(self, teaching: Teaching) -> None:
        self.model_: Any = teaching.average
        self.n_columns_ = teaching.average.n_columns
        self._keep_certificate(teaching.average.certificate)
        self._keep_results(teaching, teaching.held_out(None), AVERAGE)

    def _keep_columns(self, teaching: Teaching, sizes: Sequence[int]) -> None:
        students = teaching.students()
        held_out = teaching.held_out(students.view, sizes)
        size = smallest_good(held_out.aucs())
        self._keep_model(students.polished(size))
        self._keep_results(teaching, held_out, size)

    def _keep_model(self, graduate: Graduate) -> None:
        self.model_ = graduate.model
        self._keep_certificate(graduate.certificate)
        self.view_, self.fidelity_ = graduate.view, graduate.fidelity
        self.weights_ = self.model_.weights
        self.columns_ = self.model_.in_data_units()
        self.n_columns_ = len(self.weights_)

    def _keep_certificate(self, found: Certificate) -> None:
        self.gap_, self.kkt_residual_ = found.gap, found.kkt

    def _keep_results(self, teaching: Teaching, held_out: HeldOut, chosen: int) -> None:
        """Keep the validation AUC of everything, and learn the decision from held-out scores."""
        self.cv_results_ = _results(teaching.comparison)
        for size, aucs in held_out.aucs().items():
            self.cv_results_["average" if size == AVERAGE else f"{size} columns"] = _summary(aucs)
        self.typical_row_ = np.median(teaching.rows.X, axis=0)
        rows = held_out.rows
        self._learn_decision(held_out.all_scores(chosen), rows.is_positive, rows.weight)

    def contributions(self, X: Any) -> Matrix:
        """Return what each column adds to the score of each row, w_t z_t(x); shape (n, T)."""
        rows = self._validated(X)
        model = self._columns_model()
        return model.columns(rows) * model.weights

    def explain(self, X: Any) -> list[Explanation]:
        """Return for each row the part of every column and of every feature in its score.

        Parameters
        ----------
        X : array-like of shape (n, d)
            Rows of numbers; names of features come from the data frame that `fit` was given.

        Returns
        -------
        list of Explanation
            `print` shows one in words.
        """
        rows = self._validated(X)
        return explain_rows(
            self._columns_model(), rows, self.typical_row_, self.intercept_, self.feature_names()
        )

    def to_text(self) -> str:
        """Return the model in words, a line for each column."""
        return model_text(self._columns_model(), self.feature_names(), self.intercept_)

    def _columns_model(self) -> WeightedColumns:
        check_is_fitted(self)
        if isinstance(self.model_, WeightedColumns):
            return self.model_
        raise SmoothrankError(
            'An average of many models has no few columns to show; fit with size="small", or a '
            "number of columns."
        )


def _results(comparison: Comparison) -> dict[str, tuple[float, float]]:
    found = {}
    for model in comparison.models:
        name = f"{model.kernel} kernel, width {model.width:g}, {model.view}"
        table = comparison.kernel_aucs(model)
        found[name] = _summary(table[:, table.mean(axis=0).argmax()])
    return found | {kind: _summary(comparison.tree_aucs(kind)) for kind in comparison.kinds}


def _summary(aucs: Vector) -> tuple[float, float]:
    """Return mean and standard deviation over folds."""
    return float(aucs.mean()), float(aucs.std(ddof=1)) if len(aucs) > 1 else 0.0
