"""One fit as the selection sees it, and its record on one fold."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from time import perf_counter
from typing import TYPE_CHECKING, Any

import numpy as np
from sklearn.base import clone

from smoothrank.arrays import Indices, Labels, Matrix, Vector
from smoothrank.estimators.foreign import ForeignRanking
from smoothrank.estimators.ranking_classifier import USED_WEIGHT, n_used
from smoothrank.losses.pairwise_hinge import Pairs, auc

if TYPE_CHECKING:
    from collections.abc import Sequence

    from smoothrank.selection.methods import Method

Stages = Callable[[Matrix], list[Vector]]
"""The scores of rows after each iteration, the last one last."""

MOST_LISTED = 100
"""A fold's record lists at most this many of its heaviest rows or prototypes."""


@dataclass(frozen=True)
class Fitted:
    """One fit at one value of a grid.

    Parameters
    ----------
    stages : callable
        Scores of rows after each iteration, the last one last.
    n_used : int
        Columns that the model uses.
    gap : float
        The largest optimality gap of the fit; NaN where a method does not report one.
    staged : bool
        Whether the method adds one prototype per iteration.
    prototypes, weights : ndarray
        Prototypes, or training rows, in the units of the data, and their weights; empty where a
        method has none.
    """

    stages: Stages
    n_used: int
    gap: float
    staged: bool
    prototypes: Matrix
    weights: Vector


def fitted(model: Any) -> Fitted:
    """Return what selection needs of a fitted classifier, of smoothrank or any other."""
    model = model.estimator_ if isinstance(model, ForeignRanking) else model
    weights = np.asarray(getattr(model, "weights_", ()), dtype=np.float64)
    names = ("prototypes_", "columns_", "reference_rows_")
    rows = np.asarray(next((getattr(model, name) for name in names if hasattr(model, name)), ()))
    if len(rows) != len(weights):
        rows, weights = np.empty((0, 0)), np.empty(0)
    used = weights if len(weights) else np.asarray(getattr(model, "coef_", np.empty(0)))
    n_columns = n_used(used) if len(used) else int(getattr(model, "n_columns_", 0))
    return Fitted(stages_of(model), n_columns, largest_gap(model), is_staged(model), rows, weights)


def is_staged(model: Any) -> bool:
    """Return whether a classifier has scores after each iteration."""
    return hasattr(model, "staged_decision_function") and hasattr(model, "weights_path_")


def stages_of(model: Any) -> Stages:
    """Return the scores of a classifier after each iteration, or its only ones."""
    if is_staged(model):
        return lambda rows: list(model.staged_decision_function(rows))
    if hasattr(model, "decision_function"):
        return lambda rows: [np.asarray(model.decision_function(rows), dtype=np.float64)]
    return lambda rows: [np.asarray(model.predict_proba(rows)[:, 1], dtype=np.float64)]


def largest_gap(model: Any) -> float:
    """Return the largest optimality gap of a fit; NaN where a method does not report one."""
    if hasattr(model, "gap_"):
        return float(model.gap_)
    gaps = [getattr(step, "gap", np.nan) for step in getattr(model, "history_", ())]
    return float(max(gaps, default=np.nan))


@dataclass(frozen=True)
class FoldFit:
    """One fit on the training rows of one fold.

    Parameters
    ----------
    auc_by_iteration : tuple of float
        Validation AUC after each iteration; one number for a method without iterations.
    n_prototypes : int
        Prototypes, or training rows, with |w| ≥ 0.001.
    gap : float
        The largest optimality gap; NaN where a method does not report one.
    prototypes, weights : list
        The heaviest of them in the units of `X`, and their weights.
    seconds : float
        Wall time of the fit.
    staged : bool
        Whether the method adds one prototype per iteration.
    """

    auc_by_iteration: tuple[float, ...]
    n_prototypes: int
    gap: float
    prototypes: list[list[float]]
    weights: list[float]
    seconds: float
    staged: bool = True


def fit_fold(estimator: Any, X: Matrix, y: Any, train: Indices, validation: Indices) -> FoldFit:
    """Fit a copy of an estimator on the training rows of a fold, and score the others.

    Parameters
    ----------
    estimator : estimator
        Any classifier, unfitted.
    X, y : ndarray
        Encoded rows, and labels of which the greater one is positive.
    train, validation : ndarray of int
        The fold.
    """
    labels = np.asarray(y)
    begin = perf_counter()
    model = clone(estimator).fit(X[train], labels[train])
    seconds = perf_counter() - begin
    pairs = Pairs.from_labels(labels[validation] == model.classes_[1])
    return _recorded(fitted(model), X[validation], pairs, seconds)


def fit_grid_on_fold(
    method: Method,
    X: Matrix,
    y: Labels,
    train: Indices,
    validation: Indices,
    values: Sequence[float] | None = None,
) -> list[FoldFit]:
    """Fit values of a method's grid on the training rows of a fold, and score the others.

    Parameters
    ----------
    method : Method
        The method; its own `fit_grid` is used.
    X, y : ndarray
        Encoded rows, and labels of which the greater one is positive.
    train, validation : ndarray of int
        The fold.
    values : sequence of float, optional
        Values of the parameter; the whole grid unless given.

    Returns
    -------
    list of FoldFit
        One record for each value; a pass over several shares its time equally among them.
    """
    values = method.grid if values is None else values
    labels = np.asarray(y)
    begin = perf_counter()
    fits = list(method.fit_grid(method, X[train], labels[train], values))
    seconds = (perf_counter() - begin) / len(fits)
    pairs = Pairs.from_labels(labels[validation] == labels.max())
    return [_recorded(fit, X[validation], pairs, seconds) for fit in fits]


def _recorded(fit: Fitted, X: Matrix, pairs: Pairs, seconds: float) -> FoldFit:
    order = np.argsort(-np.abs(fit.weights), kind="stable")[:MOST_LISTED]
    order = order[np.abs(fit.weights[order]) >= USED_WEIGHT]
    return FoldFit(
        auc_by_iteration=tuple(auc(scores, pairs) for scores in fit.stages(X)),
        n_prototypes=fit.n_used,
        gap=fit.gap,
        prototypes=fit.prototypes[order].tolist(),
        weights=fit.weights[order].tolist(),
        seconds=seconds,
        staged=fit.staged,
    )
