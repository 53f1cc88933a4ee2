"""L1, L∞ and L2 ranking on the distances to the training rows.

Every training row gives one column, the Euclidean distance to it, and one weight. Rows that are
equal in features and class share a column; a row of weight two and a row given twice are the same.
The matrix has n² entries: for large data, use the prototype classifiers.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from numbers import Real
from typing import Any, ClassVar, Self

import numpy as np
from sklearn.base import _fit_context, clone
from sklearn.utils._param_validation import Interval, StrOptions

from smoothrank.arrays import Flags, Matrix, Vector
from smoothrank.columns import ColumnFamily, family
from smoothrank.columns.distinct_rows import Rows, distinct_rows
from smoothrank.columns.feature_scaling import SCALE_NAMES, Scaler, fit_scaler
from smoothrank.columns.standardising import standardise
from smoothrank.columns.weighted import WeightedColumns
from smoothrank.estimators.ranking_classifier import RankingClassifier, n_used, one_blas_thread
from smoothrank.estimators.registered import Registered
from smoothrank.losses.pairwise_hinge import Pairs
from smoothrank.penalties import Penalty, penalty
from smoothrank.solvers.norms.ranking_problem import RankingProblem, RankingSolution
from smoothrank.solvers.norms.rounds import round_solver_names

__all__ = ["L1Ranking", "LInfRanking", "RankingSVM"]

_FAMILY = family("distance")


@dataclass(frozen=True)
class TrainingColumns:
    """The distinct training rows, and the standardised column of each of them.

    Parameters
    ----------
    rows : Rows
        The rows, in scaled units.
    scaler : Scaler or None
        From the data's units to scaled units.
    means, spreads, columns : ndarray
        Means, standard deviations and standardised columns.
    """

    rows: Rows
    scaler: Scaler | None
    means: Vector
    spreads: Vector
    columns: Matrix

    def weighted(self, family: ColumnFamily, weights: Vector) -> WeightedColumns:
        """Return the model of these weights; columns of weight zero are left out."""
        model = WeightedColumns(family, self.rows.X, self.means, self.spreads, weights, self.scaler)
        return model.only(np.flatnonzero(weights))


class BaseNormRanking(RankingClassifier):
    """The common base of the three norms: columns, path of C, and fitted attributes."""

    _parameter_constraints: ClassVar[dict[str, list[Any]]] = {
        "C": [Interval(Real, 0, None, closed="neither")],
        "scale": [StrOptions(set(SCALE_NAMES)), None],
        "tol": [Interval(Real, 0, None, closed="neither")],
    }
    model_: WeightedColumns
    _penalty: ClassVar[Penalty]
    _standardise: ClassVar[bool] = True
    _strongest_first: ClassVar[int] = -1

    def __init__(self, C: float = 1.0, *, scale: Any = None, tol: float = 1e-6) -> None:
        self.C = C
        self.scale = scale
        self.tol = tol

    @_fit_context(prefer_skip_nested_validation=True)
    def fit(self, X: Any, y: Any, sample_weight: Any = None) -> Self:
        """Learn one weight for each training row.

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
            columns = self._columns(X, is_positive, weight)
            strength = self._strength(self.C, columns)
            solution = self._problem(columns).solve(strength, self.tol)
        return self._keep(columns, solution, X, weight)

    def path(self, X: Any, y: Any, grid: Sequence[float]) -> list[Self]:
        """Fit every C of a grid, each warm-started from the last: much faster than one by one.

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
        X, is_positive, weight = checked[0]
        columns = self._columns(X, is_positive, weight)
        order = np.argsort(self._strongest_first * np.asarray(grid, float), kind="stable")
        strengths = [self._strength(grid[i], columns) for i in order]
        solutions = self._problem(columns).path(strengths, self.tol)
        with one_blas_thread():
            for i, solution in zip(order, solutions, strict=True):
                models[i]._keep(columns, solution, X, weight)
        return models

    def _columns(self, X: Matrix, is_positive: Flags, weight: Vector) -> TrainingColumns:
        rows, scaler = distinct_rows(X, is_positive, weight, keep_order=False), None
        if self.scale is not None:
            scaler = fit_scaler(self.scale, rows.X, rows.weight)
            rows = replace(rows, X=scaler.transform(rows.X))
        values = _FAMILY.values(rows.X, _FAMILY.starts(rows.X))
        if not self._standardise:
            zeros = np.zeros(len(rows.X))
            return TrainingColumns(rows, scaler, zeros, zeros + 1.0, values)
        return TrainingColumns(rows, scaler, *standardise(values, rows.weight))

    def _multiplicity(self, weight: Vector) -> Vector:
        """Return how a column of several equal rows is scaled, so that it counts as all of them."""
        return np.ones(len(weight))

    def _problem(self, columns: TrainingColumns) -> RankingProblem:
        pairs = Pairs.from_labels(columns.rows.is_positive, columns.rows.weight)
        stretched = columns.columns * self._multiplicity(columns.rows.weight)
        return RankingProblem(
            np.ascontiguousarray(stretched), pairs, self._penalty, self._solver_name()
        )

    def _solver_name(self) -> str:
        return "interior-point"

    def _strength(self, C: float, columns: TrainingColumns) -> float:
        """Return c of R + c Ω, from C of the estimator's own formula."""
        return C / self._unit(C, columns)

    def _unit(self, C: float, columns: TrainingColumns) -> float:
        """Return the ratio of the estimator's objective to R + c Ω."""
        weight, is_positive = columns.rows.weight, columns.rows.is_positive
        return float(weight[is_positive].sum() * weight[~is_positive].sum())

    def _keep(
        self, columns: TrainingColumns, solution: RankingSolution, X: Matrix, weight: Vector
    ) -> Self:
        weights = solution.weights * self._multiplicity(columns.rows.weight)
        self.model_ = columns.weighted(_FAMILY, weights)
        self.reference_rows_ = X
        self.weights_ = self._by_row(columns.rows, weights, weight)
        self.n_features_used_ = n_used(self.weights_)
        self.objective_ = solution.objective * self._unit(self.C, columns)
        self.gap_, self.kkt_residual_ = solution.gap, solution.kkt
        self.history_ = solution.rounds
        scores = columns.columns @ weights
        self._learn_decision(scores, columns.rows.is_positive, columns.rows.weight)
        return self

    def _by_row(self, rows: Rows, weights: Vector, weight: Vector) -> Vector:
        """Return the weight of each training row; equal rows share theirs by their weights."""
        used = rows.position >= 0
        place = rows.position[used]
        by_row = np.zeros(len(used))
        by_row[used] = weights[place] * weight[used] / rows.weight[place]
        return by_row


class _LinearNormRanking(BaseNormRanking):
    """The common base of the two norms that are linear programs: a choice of solver."""

    _parameter_constraints: ClassVar[dict[str, list[Any]]] = {
        **BaseNormRanking._parameter_constraints,
        "solver": [Registered(round_solver_names)],
    }

    def __init__(
        self,
        C: float = 1.0,
        *,
        scale: Any = None,
        solver: str = "auto",
        tol: float = 1e-6,
    ) -> None:
        super().__init__(C, scale=scale, tol=tol)
        self.solver = solver

    def _solver_name(self) -> str:
        return self.solver


class L1Ranking(_LinearNormRanking):
    """L1 ranking: few training rows, whose distances rank positives above negatives.

        min_w  Σ_{p,n} max(0, 1 − (D_p − D_n)·w) + C ‖w‖₁

    on the standardised distances D to the training rows.

    Parameters
    ----------
    C : float
        Price of the norm; larger means fewer and smaller weights.
    scale : {None, "standard", "quantile", "normal"}
        Scaling of the features before distances are taken; None is the paper's way.
    solver : {"auto", "interior-point", "gurobi", "highs"}
        The interior-point method of this package, which "auto" takes because it is the fastest, or
        linear programs by Gurobi or HiGHS. All reach the same optimum.
    tol : float
        Relative optimality gap.

    Attributes
    ----------
    weights_ : ndarray of shape (n,)
        The weight of the distance to each training row.
    reference_rows_ : ndarray of shape (n, d)
        The training rows that `weights_` refers to.
    n_features_used_ : int
        Rows with |w| ≥ 0.001.
    objective_ : float
        The value of the formula above.
    gap_ : float
        Relative gap between it and a lower bound: the certificate.
    kkt_residual_ : float
        How far the KKT conditions of an optimum are from being met, relative to the size of the
        numbers in them; NaN in a model that an earlier version saved.
    history_ : list of RoundRecord
        Rounds of the solution.
    classes_ : ndarray of shape (2,)
        The labels, the positive one last.
    intercept_ : float
        Negative of the decision threshold.

    Examples
    --------
    >>> from sklearn.datasets import make_classification
    >>> from smoothrank.estimators.norm_ranking import L1Ranking
    >>> X, y = make_classification(weights=[0.8], random_state=0)
    >>> L1Ranking(C=10.0).fit(X, y).weights_.shape
    (100,)
    """

    _penalty = penalty("l1")

    def _by_row(self, rows: Rows, weights: Vector, weight: Vector) -> Vector:
        """Return the weight of each training row; of equal rows the first gets all of it."""
        by_row = np.zeros(len(rows.position))
        place, first = np.unique(rows.position, return_index=True)
        by_row[first[place >= 0]] = weights[place[place >= 0]]
        return by_row


class LInfRanking(_LinearNormRanking):
    """L∞ ranking: most weights are equal in size.

        min_w  Σ_{p,n} max(0, 1 − (D_p − D_n)·w) + C max_j |w_j|

    on the standardised distances D to the training rows. Parameters and attributes are those of
    `L1Ranking`.
    """

    _penalty = penalty("linf")

    def _multiplicity(self, weight: Vector) -> Vector:
        return weight


class RankingSVM(BaseNormRanking):
    """Ranking SVM with the L2 norm.

        min_w  ½ ‖w‖² + C / (|P||N|) · Σ_{p,n} max(0, 1 − (D_p − D_n)·w)

    on the raw distances D to the training rows: the objective of dlib's `svm_rank_trainer`.
    Parameters (but `solver`) and attributes are those of `L1Ranking`, and a larger C means larger
    weights.
    """

    _penalty = penalty("l2")
    _standardise = False
    _strongest_first = 1

    def _multiplicity(self, weight: Vector) -> Vector:
        return np.sqrt(weight)

    def _unit(self, C: float, columns: TrainingColumns) -> float:
        return C

    def _strength(self, C: float, columns: TrainingColumns) -> float:
        return 1.0 / C
