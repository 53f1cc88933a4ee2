"""DictionaryRanking: a few columns of several families, certified over a finite dictionary."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from numbers import Integral, Real
from typing import Any, ClassVar, Self

import numpy as np
from sklearn.base import _fit_context
from sklearn.utils._param_validation import Interval
from sklearn.utils.validation import check_is_fitted

from smoothrank.arrays import Indices, Matrix
from smoothrank.columns import family, family_names
from smoothrank.columns.distinct_rows import Rows, distinct_rows
from smoothrank.columns.explanation import Explanation
from smoothrank.columns.feature_scaling import SCALE_NAMES, ScaleName, fit_scaler
from smoothrank.columns.kernel_features import landmark_rows
from smoothrank.columns.mixed.explanation import explain_mixed, mixed_text
from smoothrank.columns.mixed.mixed_columns import MixedColumns
from smoothrank.estimators.ranking_classifier import RankingClassifier, one_blas_thread
from smoothrank.estimators.registered import Registered
from smoothrank.losses.pairwise_hinge import Pairs
from smoothrank.solvers.dictionary.dictionary import Dictionary
from smoothrank.solvers.dictionary.generation import DictionaryGeneration
from smoothrank.solvers.lp import solver_names

__all__ = ["DictionaryRanking"]

FAMILIES = ("weighted-distance", "manhattan", "gaussian", "laplace", "feature", "step")
"""The families of the usual dictionary; a weighted distance begins as the paper's."""

VIEWS: tuple[ScaleName, ...] = ("standard", "normal")
"""The views of the usual dictionary: standardised and quantile-normal features."""


class DictionaryRanking(RankingClassifier):
    """Ranking by a few columns, chosen from a finite dictionary of several families.

        min_w  R(Z w) + C ‖w‖₁

    with the mean pairwise hinge R over the standardised columns Z of the dictionary: distances,
    bumps of three widths, single features and thresholds, on standardised and on quantile-normal
    features. Column generation prices all of them with one product of a vector and a matrix and
    takes the best; when none improves, the model is optimal over the whole dictionary, and
    otherwise `gap_` bounds what is missing.

    Parameters
    ----------
    C : float
        Price of the norm; larger means fewer and smaller weights.
    max_columns : int
        The most columns that are generated.
    families : sequence of str
        The registered families to choose from.
    views : sequence of {"standard", "quantile", "normal"}
        Scalings of the features; a family sees each of them.
    refine : bool
        Whether a chosen column is refined by Adam, and kept so if its reduced cost is larger.
    max_points : int
        With more training rows than this, columns are about a stratified sample of so many.
    max_rows : int
        With more training rows than this, columns and weights are learnt on a stratified sample
        of so many, so that the memory for the dictionary does not grow with the table.
    solver : {"auto", "gurobi", "highs"}
        The solver of the linear programs.
    tol : float
        The relative gap at which to stop.
    random_state : int
        Seed of the samples.

    Attributes
    ----------
    n_columns_ : int
        Columns of the model: those generated whose weight is not zero.
    columns_ : ndarray of shape (T, d)
        The points of the columns in the units of the data; of a single feature or a threshold only
        its own entry matters.
    weights_ : ndarray of shape (T,)
        The weights of the standardised columns.
    objective_ : float
        The value of the formula above.
    gap_ : float
        By how much it is above the optimum over all columns of the dictionary at most, relative to
        it: the certificate. At most `tol` unless `max_columns` ended the search.
    kkt_residual_ : float
        The largest KKT residual of the master problems; NaN in a model that an earlier version
        saved.
    n_dictionary_ : int
        Columns of the dictionary.
    history_ : list of DictionaryStep
        One record for each column generated.
    classes_ : ndarray of shape (2,)
        The labels, the positive one last.
    intercept_ : float
        Negative of the decision threshold.

    Examples
    --------
    >>> from sklearn.datasets import make_classification
    >>> from smoothrank import DictionaryRanking
    >>> X, y = make_classification(80, 3, n_redundant=0, weights=[0.8], random_state=0)
    >>> model = DictionaryRanking(C=0.1, max_columns=50).fit(X, y)
    >>> model.gap_ <= 1e-6
    True
    """

    _parameter_constraints: ClassVar[dict[str, list[Any]]] = {
        "C": [Interval(Real, 0, None, closed="neither")],
        "max_columns": [Interval(Integral, 1, None, closed="left")],
        "families": ["array-like"],
        "views": ["array-like"],
        "refine": ["boolean"],
        "max_points": [Interval(Integral, 1, None, closed="left")],
        "max_rows": [Interval(Integral, 2, None, closed="left")],
        "solver": [Registered(solver_names)],
        "tol": [Interval(Real, 0, None, closed="neither")],
        "random_state": [Interval(Integral, 0, None, closed="left")],
    }
    scale = None
    model_: MixedColumns

    def __init__(
        self,
        C: float = 0.02,
        *,
        max_columns: int = 20,
        families: Sequence[str] = FAMILIES,
        views: Sequence[ScaleName] = VIEWS,
        refine: bool = False,
        max_points: int = 300,
        max_rows: int = 4000,
        solver: str = "auto",
        tol: float = 1e-6,
        random_state: int = 0,
    ) -> None:
        self.C = C
        self.max_columns = max_columns
        self.families = families
        self.views = views
        self.refine = refine
        self.max_points = max_points
        self.max_rows = max_rows
        self.solver = solver
        self.tol = tol
        self.random_state = random_state

    @_fit_context(prefer_skip_nested_validation=True)
    def fit(self, X: Any, y: Any, sample_weight: Any = None) -> Self:
        """Choose columns and learn their weights.

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
        self._check_names()
        X, is_positive, weight = self._checked(X, y, sample_weight)
        rows = distinct_rows(X, is_positive, weight, keep_order=False)
        rng = np.random.default_rng(self.random_state)
        with one_blas_thread():
            some = _only(rows, landmark_rows(_pairs(rows), self.max_rows, rng))
            scalers = [fit_scaler(view, some.X, some.weight) for view in self.views]
            points = landmark_rows(_pairs(some), self.max_points, rng)
            families = [family(name) for name in self.families]
            dictionary = Dictionary.build(some, scalers, families, points)
            generation = self._generation(dictionary, some)
            generation.run()
        self.keep_model(generation.model())
        self.objective_, self.gap_ = generation.objective, generation.gap
        self.kkt_residual_ = generation.kkt
        self.n_dictionary_, self.history_ = dictionary.n_columns, generation.history
        self.typical_row_ = np.median(rows.X, axis=0)
        self._learn_decision(self.model_.score(rows.X), rows.is_positive, rows.weight)
        return self

    def _check_names(self) -> None:
        for parameter, known in (("families", set(family_names())), ("views", SCALE_NAMES)):
            given = list(getattr(self, parameter))
            if not given or not set(given) <= known:
                raise ValueError(
                    f"{parameter} is {given!r}; give one or more of {', '.join(sorted(known))}."
                )

    def _generation(self, dictionary: Dictionary, rows: Rows) -> DictionaryGeneration:
        return DictionaryGeneration(
            dictionary,
            _pairs(rows),
            rows.weight,
            self.C,
            solver=self.solver,
            tol=self.tol,
            max_columns=self.max_columns,
            refine=self.refine,
        )

    def keep_model(self, model: MixedColumns) -> None:
        """Set the fitted attributes that follow from the score."""
        self.model_ = model
        self.weights_ = model.weights
        self.columns_ = model.in_data_units()
        self.n_columns_ = model.n_columns

    def contributions(self, X: Any) -> Matrix:
        """Return what each column adds to the score of each row, w_t z_t(x); shape (n, T)."""
        return self.model_.columns(self._validated(X)) * self.weights_

    def explain(self, X: Any) -> list[Explanation]:
        """Return for each row the part of every column and of every feature in its score.

        Parameters
        ----------
        X : array-like of shape (n, d)
            Rows of numbers; names of features come from the data frame that `fit` was given.

        Returns
        -------
        list of Explanation
            Parts are differences from a typical row, the one with the median of every feature.
        """
        rows = self._validated(X)
        return explain_mixed(
            self.model_, rows, self.typical_row_, self.intercept_, self.feature_names()
        )

    def to_text(self) -> str:
        """Return the model in words, a line for each column."""
        check_is_fitted(self)
        return mixed_text(self.model_, self.feature_names(), self.intercept_)


def _pairs(rows: Rows) -> Pairs:
    return Pairs.from_labels(rows.is_positive, rows.weight)


def _only(rows: Rows, chosen: Indices) -> Rows:
    """Return some of the rows; `position` is left as it was and is not used."""
    return replace(
        rows,
        X=rows.X[chosen],
        is_positive=rows.is_positive[chosen],
        weight=rows.weight[chosen],
    )
