"""What the prototype classifiers share: the scikit-learn interface around column generation."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace
from functools import cache
from numbers import Integral, Real
from pathlib import Path
from typing import Any, ClassVar, Self

import numpy as np
import numpy.typing as npt
from sklearn.base import BaseEstimator, ClassifierMixin, _fit_context
from sklearn.utils import Tags
from sklearn.utils._param_validation import Interval, StrOptions
from sklearn.utils.multiclass import check_classification_targets, type_of_target
from sklearn.utils.validation import _check_sample_weight, check_is_fitted, validate_data
from threadpoolctl import ThreadpoolController

from smoothrank.advice import advised, check_kinds, check_magnitude
from smoothrank.column_generation import Callback, ColumnGeneration, PrototypeModel, uniform_duals
from smoothrank.decision import balanced_threshold, fit_calibration, probability
from smoothrank.master import Master
from smoothrank.pairwise import Pairs, Vector
from smoothrank.pricing import Pricing
from smoothrank.rows import Rows, distinct_rows
from smoothrank.scaling import Scaler, fit_scaler
from smoothrank.solvers import SolverName

Matrix = npt.NDArray[np.float64]

PERFECT_AUC = 1.0 - 1e-12
"""A training AUC that leaves nothing to learn, but for the rounding of weights."""


@cache
def _threads() -> ThreadpoolController:
    """Control of the threads of BLAS: a fit's products are too small to share out."""
    return ThreadpoolController()


class BasePrototypeClassifier(ClassifierMixin, BaseEstimator):
    """A binary classifier made of weighted prototypes, learnt by column generation.

    Subclasses say what the master problem is and when to stop.
    """

    _parameter_constraints: ClassVar[dict[str, list[Any]]] = {
        "scale": [StrOptions({"standard", "quantile"}), None],
        "first_prototype": [StrOptions({"first", "random", "priced"})],
        "solver": [StrOptions({"auto", "gurobi", "highs"})],
        "max_prototypes": [Interval(Integral, 1, None, closed="left")],
        "tol": [Interval(Real, 0, None, closed="neither")],
        "adam_steps": [Interval(Integral, 0, None, closed="left")],
        "learning_rate": [Interval(Real, 0, None, closed="neither")],
        "random_state": [Interval(Integral, 0, None, closed="left")],
        "callback": [callable, None],
    }

    scale: Any
    first_prototype: str
    solver: SolverName
    max_prototypes: int
    tol: float
    adam_steps: int
    learning_rate: float
    random_state: int
    callback: Callback | None

    def _make_master(self, pairs: Pairs) -> Master:
        raise TypeError(f"{type(self).__name__} has no master problem; use one of its subclasses.")

    def _has_converged(self, aucs: Sequence[float]) -> bool:
        raise TypeError(f"{type(self).__name__} has no stopping rule; use one of its subclasses.")

    @_fit_context(prefer_skip_nested_validation=True)
    def fit(self, X: Any, y: Any, sample_weight: Any = None) -> Self:
        """Learn prototypes and weights.

        Parameters
        ----------
        X : array-like of shape (n, d)
            Rows of numbers.
        y : array-like of shape (n,)
            Two labels; the greater one (`classes_[1]`) is the positive class.
        sample_weight : array-like of shape (n,), optional
            Weight of each row; a pair weighs the product of its two.

        Returns
        -------
        self
        """
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
        keep_order = self.first_prototype != "priced"
        rows = distinct_rows(X, is_positive, weight, keep_order=keep_order)
        with _threads().limit(limits=1, user_api="blas"):
            if self.scale is None:
                self._learn(rows, None)
            else:
                scaler = fit_scaler(self.scale, rows.X, rows.weight)
                self._learn(replace(rows, X=scaler.transform(rows.X)), scaler)
        return self

    def _learn(self, rows: Rows, scaler: Scaler | None) -> None:
        rng = np.random.default_rng(self.random_state)
        pairs = Pairs.from_labels(rows.is_positive, rows.weight)
        pricing = Pricing(rows.X, rng, adam_steps=self.adam_steps, learning_rate=self.learning_rate)
        master = self._make_master(pairs)
        generation = ColumnGeneration(rows, master, pricing, scaler)
        first = self._first_row(rows, pairs, pricing, rng)
        generation.run(rows.X[first], self.max_prototypes, self._has_converged, self.callback)
        self._keep(generation, master, rows, pairs)

    def _first_row(
        self, rows: Rows, pairs: Pairs, pricing: Pricing, rng: np.random.Generator
    ) -> int:
        if self.first_prototype == "first":
            return 0
        if self.first_prototype == "random":
            return int(rng.choice(len(rows.X), p=rows.weight / rows.weight.sum()))
        return pricing.best_row(uniform_duals(pairs))

    def _keep(self, generation: ColumnGeneration, master: Master, rows: Rows, pairs: Pairs) -> None:
        self.model_ = generation.model
        self.weights_ = generation.model.weights
        self.prototypes_ = self._in_data_units(generation.model)
        self.history_ = generation.history
        self.weights_path_ = generation.weights_path
        self.solver_ = master.solver
        scores = master.columns @ self.weights_
        self.intercept_ = -balanced_threshold(scores, pairs)
        self.calibration_ = fit_calibration(
            scores + self.intercept_, rows.is_positive.astype(float), rows.weight
        )

    @staticmethod
    def _in_data_units(model: PrototypeModel) -> Matrix:
        if model.scaler is None:
            return model.prototypes
        return model.scaler.inverse_transform(model.prototypes)

    def _two_classes(self, y: npt.NDArray[Any]) -> npt.NDArray[np.bool_]:
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

    def _both_classes_weigh(self, is_positive: npt.NDArray[np.bool_], weight: Vector) -> None:
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

    def decision_function(self, X: Any) -> Vector:
        """Score of rows; above zero means the positive class.

        It is Σ_t w_t z_t(x) plus `intercept_`, the negative of the threshold learnt on the
        training scores.
        """
        rows = self._validated(X)
        return self.model_.score(rows) + self.intercept_

    def staged_decision_function(self, X: Any) -> Iterator[Vector]:
        """Scores Σ_t w_t z_t(x) after each column, as the weights then were."""
        rows = self._validated(X)
        columns = self.model_.columns(rows)
        for weights in self.weights_path_:
            yield columns[:, : len(weights)] @ weights

    def contributions(self, X: Any) -> Matrix:
        """What each prototype adds to the score of each row, w_t z_t(x); shape (n, T)."""
        rows = self._validated(X)
        return self.model_.columns(rows) * self.weights_

    def predict(self, X: Any) -> npt.NDArray[Any]:
        """Label of each row, by the threshold of largest balanced accuracy in training."""
        decision = self.decision_function(X)
        return np.asarray(self.classes_[(decision > 0).astype(int)])

    def predict_proba(self, X: Any) -> Matrix:
        """Probability of `classes_`, strictly increasing in the score: AUC does not change.

        Calibrated to the share of positives in training, so that a rare class predicted by
        `predict` may have a probability below one half.
        """
        positive = probability(self.decision_function(X), *self.calibration_)
        return np.column_stack((1.0 - positive, positive))

    def save(self, path: str | Path) -> Path:
        """Write the fitted model to a folder of JSON and npz; see `smoothrank.load_model`."""
        from smoothrank.model_file import save_model

        return save_model(self, Path(path))

    def _validated(self, X: Any) -> Matrix:
        check_is_fitted(self)
        with advised():
            return np.asarray(validate_data(self, X, dtype=np.float64, reset=False))

    def __sklearn_tags__(self) -> Tags:
        tags = super().__sklearn_tags__()
        tags.classifier_tags.multi_class = False
        return tags
