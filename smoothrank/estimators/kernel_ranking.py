"""KernelRanking: the squared pairwise hinge with a kernel over all training rows, certified."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from numbers import Integral, Real
from typing import Any, ClassVar, Self

import numpy as np
from sklearn.base import _fit_context, clone
from sklearn.utils._param_validation import Interval, StrOptions

from smoothrank.columns.distinct_rows import Rows, distinct_rows
from smoothrank.columns.feature_scaling import SCALE_NAMES, Scaler, fit_scaler
from smoothrank.columns.kernel_features import KERNELS, KernelSpace, landmark_rows
from smoothrank.columns.weighted import WeightedColumns
from smoothrank.estimators.ranking_classifier import RankingClassifier, one_blas_thread
from smoothrank.losses.pairwise_hinge import Pairs
from smoothrank.solvers.squared_hinge_path import SquaredHingeSolution, squared_hinge_path

__all__ = ["KernelRanking"]


@dataclass(frozen=True)
class _Problem:
    """The training rows in scaled units, and their features in the kernel's space."""

    rows: Rows
    scaler: Scaler | None
    space: KernelSpace

    def solve(self, strengths: Sequence[float], tol: float) -> list[SquaredHingeSolution]:
        """Return an optimum for each C, from small to large."""
        pairs = Pairs.from_labels(self.rows.is_positive, self.rows.weight)
        return squared_hinge_path(self.space.of_rows, pairs, strengths, tol)


class KernelRanking(RankingClassifier):
    """Kernel ranking: one bump on every training row, weighted so that positives rank first.

        min_f  ½ ‖f‖² + C / (2 |P||N|) · Σ_{p,n} max(0, 1 − (f(x_p) − f(x_n)))²

    over the functions f of the kernel's space, solved by Newton's method to a certified gap.

    Parameters
    ----------
    C : float
        Weight of the loss; larger fits the training rows more closely.
    kernel : {"gaussian", "laplace"}
        exp(−‖x − x'‖² / σ²), or exp(−‖x − x'‖₁ / σ).
    width : float
        σ in units of the median distance between training rows (its root for "gaussian").
    scale : {"standard", "quantile", "normal", None}
        Scaling of the features before distances are taken.
    max_landmarks : int
        With more training rows than this, the bumps are on a stratified sample of so many.
    tol : float
        Relative duality gap.
    random_state : int
        Seed of that sample.

    Attributes
    ----------
    weights_ : ndarray of shape (m,)
        The weight of the bump on each landmark.
    reference_rows_ : ndarray of shape (m, d)
        The landmarks, in the units of the data.
    objective_, gap_ : float
        The value of the formula above, and its relative duality gap: the certificate.
    kkt_residual_ : float
        How far the KKT conditions of an optimum are from being met, relative to the size of the
        numbers in them; NaN in a model that an earlier version saved.
    n_iter_ : int
        Newton steps.
    classes_ : ndarray of shape (2,)
        The labels, the positive one last.
    intercept_ : float
        Negative of the decision threshold.

    Examples
    --------
    >>> from sklearn.datasets import make_classification
    >>> from smoothrank import KernelRanking
    >>> X, y = make_classification(weights=[0.8], random_state=0)
    >>> model = KernelRanking(C=10.0).fit(X, y)
    >>> model.gap_ <= 1e-6
    True
    """

    _parameter_constraints: ClassVar[dict[str, list[Any]]] = {
        "C": [Interval(Real, 0, None, closed="neither")],
        "kernel": [StrOptions(set(KERNELS))],
        "width": [Interval(Real, 0, None, closed="neither")],
        "scale": [StrOptions(set(SCALE_NAMES)), None],
        "max_landmarks": [Interval(Integral, 1, None, closed="left")],
        "tol": [Interval(Real, 0, None, closed="neither")],
        "random_state": [Interval(Integral, 0, None, closed="left")],
    }
    model_: WeightedColumns

    def __init__(
        self,
        C: float = 100.0,
        *,
        kernel: str = "gaussian",
        width: float = 2.0,
        scale: Any = "standard",
        max_landmarks: int = 2000,
        tol: float = 1e-6,
        random_state: int = 0,
    ) -> None:
        self.C = C
        self.kernel = kernel
        self.width = width
        self.scale = scale
        self.max_landmarks = max_landmarks
        self.tol = tol
        self.random_state = random_state

    @_fit_context(prefer_skip_nested_validation=True)
    def fit(self, X: Any, y: Any, sample_weight: Any = None) -> Self:
        """Learn one weight for each landmark.

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
        X, is_positive, weight = self._checked(X, y, sample_weight)
        with one_blas_thread():
            problem = self._problem(distinct_rows(X, is_positive, weight, keep_order=False))
            (solution,) = problem.solve([self.C], self.tol)
            return self._keep(problem, solution)

    def path(self, X: Any, y: Any, grid: Sequence[float]) -> list[Self]:
        """Fit every C of a grid, each warm-started from the last: one factorisation for all.

        Parameters
        ----------
        X, y : array-like
            As for `fit`.
        grid : sequence of float
            Values of C, in any order.

        Returns
        -------
        list
            One fitted estimator for each value, in the order of `grid`.
        """
        models = [clone(self).set_params(C=C) for C in grid]
        checked = [model._checked(X, y, None) for model in models]
        order = np.argsort(np.asarray(grid, float), kind="stable")
        with one_blas_thread():
            problem = self._problem(distinct_rows(*checked[0], keep_order=False))
            solutions = problem.solve([grid[i] for i in order], self.tol)
            for i, solution in zip(order, solutions, strict=True):
                models[i]._keep(problem, solution)
        return models

    def _problem(self, rows: Rows) -> _Problem:
        scaler = None
        if self.scale is not None:
            scaler = fit_scaler(self.scale, rows.X, rows.weight)
            rows = replace(rows, X=scaler.transform(rows.X))
        pairs = Pairs.from_labels(rows.is_positive, rows.weight)
        rng = np.random.default_rng(self.random_state)
        landmarks = landmark_rows(pairs, self.max_landmarks, rng)
        return _Problem(rows, scaler, KernelSpace.fit(self.kernel, self.width, rows.X, landmarks))

    def _keep(self, problem: _Problem, solution: SquaredHingeSolution) -> Self:
        self.model_ = problem.space.weighted(solution.coefficients, problem.scaler)
        self.weights_ = self.model_.weights
        self.reference_rows_ = self.model_.in_data_units()
        self.objective_, self.gap_ = solution.objective, solution.gap
        self.kkt_residual_ = solution.kkt
        self.n_iter_ = solution.steps
        scores = problem.space.of_rows @ solution.coefficients
        self._learn_decision(scores, problem.rows.is_positive, problem.rows.weight)
        return self
