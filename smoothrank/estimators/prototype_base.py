"""What the prototype classifiers share: the scikit-learn interface around column generation."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace
from numbers import Integral, Real
from typing import Any, ClassVar, Self

import numpy as np
from sklearn.base import _fit_context
from sklearn.utils._param_validation import Interval, StrOptions

from smoothrank.arrays import Matrix, Vector
from smoothrank.columns import family, family_names
from smoothrank.columns.distinct_rows import Rows, distinct_rows
from smoothrank.columns.feature_scaling import SCALE_NAMES, Scaler, fit_scaler
from smoothrank.columns.weighted import WeightedColumns
from smoothrank.estimators.ranking_classifier import RankingClassifier, one_blas_thread
from smoothrank.estimators.registered import Registered
from smoothrank.losses.pairwise_hinge import Pairs
from smoothrank.solvers.column_generation import (
    Callback,
    ColumnGeneration,
    uniform_duals,
)
from smoothrank.solvers.lp import solver_names
from smoothrank.solvers.master import Master
from smoothrank.solvers.pricing import Pricing

PERFECT_AUC = 1.0 - 1e-12
"""A training AUC that leaves nothing to learn, apart from rounding of the weights."""


class BasePrototypeClassifier(RankingClassifier):
    """A binary classifier made of weighted prototypes, learnt by column generation.

    Subclasses define the master problem and when to stop.
    """

    _parameter_constraints: ClassVar[dict[str, list[Any]]] = {
        "scale": [StrOptions(set(SCALE_NAMES)), None],
        "first_prototype": [StrOptions({"first", "random", "priced"})],
        "columns": [Registered(family_names)],
        "solver": [Registered(solver_names)],
        "max_prototypes": [Interval(Integral, 1, None, closed="left")],
        "tol": [Interval(Real, 0, None, closed="neither")],
        "adam_steps": [Interval(Integral, 0, None, closed="left")],
        "learning_rate": [Interval(Real, 0, None, closed="neither")],
        "random_state": [Interval(Integral, 0, None, closed="left")],
        "callback": [callable, None],
    }

    model_: WeightedColumns
    scale: Any
    columns: str
    first_prototype: str
    solver: str
    max_prototypes: int
    tol: float
    adam_steps: int
    learning_rate: float
    random_state: int
    callback: Callback | None

    def _make_master(self, pairs: Pairs) -> Master:
        raise TypeError(f"{type(self).__name__} has no master problem; use one of its subclasses.")

    def has_converged(self, aucs: Sequence[float]) -> bool:
        """Return whether to stop, given the training AUC after each column."""
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
        X, is_positive, weight = self._checked(X, y, sample_weight)
        keep_order = self.first_prototype != "priced"
        rows = distinct_rows(X, is_positive, weight, keep_order=keep_order)
        with one_blas_thread():
            if self.scale is None:
                self._learn(rows, None)
            else:
                scaler = fit_scaler(self.scale, rows.X, rows.weight)
                self._learn(replace(rows, X=scaler.transform(rows.X)), scaler)
        return self

    def _learn(self, rows: Rows, scaler: Scaler | None) -> None:
        rng = np.random.default_rng(self.random_state)
        pairs = Pairs.from_labels(rows.is_positive, rows.weight)
        columns = family(self.columns)
        pricing = Pricing(
            columns, rows.X, rng, adam_steps=self.adam_steps, learning_rate=self.learning_rate
        )
        master = self._make_master(pairs)
        model = WeightedColumns.empty(columns, rows.X.shape[1], scaler)
        generation = ColumnGeneration(model, rows, master, pricing)
        first = columns.starts(rows.X)[[self._first_row(rows, pairs, pricing, rng)]][0]
        generation.run(first, self.max_prototypes, self.has_converged, self.callback)
        self._keep(generation, master, rows)

    def _first_row(
        self, rows: Rows, pairs: Pairs, pricing: Pricing, rng: np.random.Generator
    ) -> int:
        if self.first_prototype == "first":
            return 0
        if self.first_prototype == "random":
            return int(rng.choice(len(rows.X), p=rows.weight / rows.weight.sum()))
        return pricing.best_row(uniform_duals(pairs), exact=True)

    def _keep(self, generation: ColumnGeneration, master: Master, rows: Rows) -> None:
        self.model_ = generation.model
        self.weights_ = generation.model.weights
        self.prototypes_ = generation.model.in_data_units()
        self.history_ = generation.history
        self.kkt_residual_ = float(np.max([iteration.kkt for iteration in self.history_]))
        self.weights_path_ = generation.weights_path
        self.solver_ = master.solver
        self._learn_decision(master.columns @ self.weights_, rows.is_positive, rows.weight)

    def staged_decision_function(self, X: Any) -> Iterator[Vector]:
        """Yield the scores Σ_t w_t z_t(x) after each column, with the weights at that point."""
        rows = self._validated(X)
        columns = self.model_.columns(rows)
        for weights in self.weights_path_:
            yield columns[:, : len(weights)] @ weights

    def contributions(self, X: Any) -> Matrix:
        """Return what each prototype adds to the score of each row, w_t z_t(x); shape (n, T)."""
        rows = self._validated(X)
        return self.model_.columns(rows) * self.weights_
