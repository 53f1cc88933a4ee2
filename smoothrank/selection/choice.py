"""Honest selection: parameter, scaling and number of prototypes, by validation rows alone.

The paper's rule takes each fold's best iteration, which no one can know beforehand. Here all
folds are read at the same number of prototypes, and that number is chosen with the rest.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from time import perf_counter
from typing import Any, Literal, Protocol

import numpy as np
from sklearn.base import clone
from sklearn.model_selection import RepeatedStratifiedKFold

from smoothrank.arrays import Indices, Matrix, Vector
from smoothrank.errors import SmoothrankError
from smoothrank.estimators.ranking_classifier import USED_WEIGHT, n_used
from smoothrank.losses.pairwise_hinge import Pairs, auc
from smoothrank.selection.paper_protocol import ROUNDING

Candidate = tuple[float, str | None]
"""A value of the method's parameter, and a scaling."""

SCALE_ORDER = (None, "standard", "quantile")
MOST_LISTED = 100
"""A fold's record lists at most this many of its heaviest rows or prototypes."""


class SelectionError(SmoothrankError):
    """There is nothing to choose from."""


class FoldScores(Protocol):
    """What a choice needs to know of a fit: see `FoldFit`."""

    @property
    def auc_by_iteration(self) -> tuple[float, ...]:
        """Validation AUC after each iteration."""

    @property
    def staged(self) -> bool:
        """Whether the method adds one prototype an iteration."""


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
        The largest optimality gap; NaN where a method does not tell.
    prototypes, weights : list
        The heaviest of them in the units of `X`, and their weights.
    seconds : float
        Wall time of the fit.
    staged : bool
        Whether the method adds one prototype an iteration.
    """

    auc_by_iteration: tuple[float, ...]
    n_prototypes: int
    gap: float
    prototypes: list[list[float]]
    weights: list[float]
    seconds: float
    staged: bool = True


@dataclass(frozen=True)
class Choice:
    """What was chosen, and how good it is on validation rows.

    Parameters
    ----------
    value : float
        The parameter.
    scale : str or None
        The scaling.
    n_prototypes : int or None
        How many prototypes to stop at; None to let the method stop by itself.
    cv_auc_mean, cv_auc_std : float
        Mean and standard deviation over folds of the validation AUC.
    fold_aucs : dict
        The validation AUC of each fold, for each candidate at its own best number of prototypes.
    """

    value: float
    scale: str | None
    n_prototypes: int | None
    cv_auc_mean: float
    cv_auc_std: float
    fold_aucs: dict[Candidate, tuple[float, ...]]

    @property
    def cv_auc_by_value(self) -> dict[Candidate, float]:
        """The mean validation AUC of each candidate."""
        return {candidate: float(np.mean(aucs)) for candidate, aucs in self.fold_aucs.items()}


def honest_folds(y: Any, n_folds: int, n_repeats: int, seed: int) -> list[tuple[Indices, Indices]]:
    """Rows to train on and rows to validate with, stratified and repeated in other orders.

    Parameters
    ----------
    y : array-like of shape (n,)
        Two labels.
    n_folds, n_repeats : int
        Folds of each repeat, fewer where the rarer class has fewer rows; and how many repeats.
    seed : int
        Seed of the order.
    """
    labels, counts = np.unique(np.asarray(y), return_counts=True)
    if len(labels) != 2 or counts.min() < 2:
        found = ", ".join(
            f"{label!r}: {n}" for label, n in zip(labels.tolist(), counts, strict=True)
        )
        raise SelectionError(
            f"Folds need two classes of two rows at least; the rows are {found}. Add rows."
        )
    if n_folds < 2 or n_repeats < 1:
        raise SelectionError(
            f"{n_folds} folds, {n_repeats} repeats: at least two folds and one repeat are needed."
        )
    folds = RepeatedStratifiedKFold(
        n_splits=min(n_folds, int(counts.min())), n_repeats=n_repeats, random_state=seed
    )
    return list(folds.split(np.zeros(len(np.asarray(y))), y))


def fit_fold(estimator: Any, X: Matrix, y: Any, train: Indices, validation: Indices) -> FoldFit:
    """Fit a copy of an estimator on the training rows of a fold, and score its validation rows.

    Parameters
    ----------
    estimator : estimator
        Any of `smoothrank.selection.methods`, unfitted.
    X, y : ndarray
        Encoded rows and their labels, the greater one positive.
    train, validation : ndarray of int
        The fold.
    """
    labels = np.asarray(y)
    begin = perf_counter()
    model = clone(estimator).fit(X[train], labels[train])
    seconds = perf_counter() - begin
    pairs = Pairs.from_labels(labels[validation] == model.classes_[1])
    aucs = tuple(auc(scores, pairs) for scores in _stages(model, X[validation]))
    prototypes, weights = _heaviest(model)
    return FoldFit(
        auc_by_iteration=aucs,
        n_prototypes=n_used(_weights(model)),
        gap=_largest_gap(model),
        prototypes=prototypes.tolist(),
        weights=weights.tolist(),
        seconds=seconds,
        staged=_is_staged(model),
    )


def _is_staged(model: Any) -> bool:
    return hasattr(model, "staged_decision_function")


def _stages(model: Any, X: Matrix) -> list[Vector]:
    if _is_staged(model):
        return list(model.staged_decision_function(X))
    return [np.asarray(model.decision_function(X))]


def _weights(model: Any) -> Vector:
    return np.asarray(getattr(model, "weights_", ()), dtype=np.float64)


def _heaviest(model: Any) -> tuple[Matrix, Vector]:
    """Prototypes, or training rows, of |w| ≥ 0.001 in the order of their weight."""
    rows = np.asarray(getattr(model, "prototypes_", getattr(model, "reference_rows_", ())))
    weights = _weights(model)
    if len(rows) != len(weights):
        return np.empty((0, 0)), np.empty(0)
    order = np.argsort(-np.abs(weights), kind="stable")[:MOST_LISTED]
    order = order[np.abs(weights[order]) >= USED_WEIGHT]
    return rows[order], weights[order]


def _largest_gap(model: Any) -> float:
    if hasattr(model, "gap_"):
        return float(model.gap_)
    return float(max((step.gap for step in getattr(model, "history_", ())), default=np.nan))


def choose_honest(fits: Mapping[Candidate, Sequence[FoldScores]]) -> Choice:
    """Choose parameter, scaling and number of prototypes by the mean validation AUC.

    All folds are read at the same number; one that stopped earlier keeps its last AUC. Of equally
    good choices that with fewer prototypes is taken, then the smaller value, then the plainer
    scaling.

    Parameters
    ----------
    fits : mapping
        The fits of all folds, by (value, scale).
    """
    tables = {candidate: _auc_table(folds) for candidate, folds in _checked(fits).items()}
    means = {candidate: table.mean(axis=0) for candidate, table in tables.items()}
    highest = max(mean.max() for mean in means.values())
    best = [
        (number + 1, candidate[0], SCALE_ORDER.index(candidate[1]), candidate)
        for candidate, mean in means.items()
        for number in np.flatnonzero(mean >= highest - ROUNDING).tolist()
    ]
    number, _, _, chosen = min(best, key=lambda found: found[:3])
    staged = fits[chosen][0].staged
    columns = {candidate: tables[candidate][:, mean.argmax()] for candidate, mean in means.items()}
    columns[chosen] = tables[chosen][:, number - 1]
    return _choice(chosen, number if staged else None, columns)


def choose_paper(
    fits: Mapping[Candidate, Sequence[FoldScores]], selection: Literal["best", "last"]
) -> Choice:
    """Choose by the paper's rule: each fold's best iteration, or its last; of equals the smallest.

    Parameters
    ----------
    fits : mapping
        The fits of all folds, by (value, scale).
    selection : {"best", "last"}
        Which iteration of a fold counts; "best" is optimistic.
    """
    if selection not in ("best", "last"):
        raise SelectionError(f"selection is 'best' or 'last', not {selection!r}.")
    columns = {
        candidate: np.array([_fold_auc(fold, selection) for fold in folds])
        for candidate, folds in _checked(fits).items()
    }
    by_value = {candidate: float(column.mean()) for candidate, column in columns.items()}
    highest = max(by_value.values())
    chosen = min(
        (candidate for candidate, mean in by_value.items() if mean >= highest - ROUNDING),
        key=lambda candidate: (candidate[0], SCALE_ORDER.index(candidate[1])),
    )
    return _choice(chosen, None, columns)


def _fold_auc(fold: FoldScores, selection: str) -> float:
    return max(fold.auc_by_iteration) if selection == "best" else fold.auc_by_iteration[-1]


def _choice(chosen: Candidate, number: int | None, columns: dict[Candidate, Vector]) -> Choice:
    column = columns[chosen]
    return Choice(
        value=chosen[0],
        scale=chosen[1],
        n_prototypes=number,
        cv_auc_mean=float(column.mean()),
        cv_auc_std=float(np.std(column, ddof=1)) if len(column) > 1 else 0.0,
        fold_aucs={candidate: tuple(aucs.tolist()) for candidate, aucs in columns.items()},
    )


def _auc_table(folds: Sequence[FoldScores]) -> Matrix:
    """Validation AUC, a row for each fold, a column for each number of prototypes."""
    longest = max(len(fold.auc_by_iteration) for fold in folds)
    rows = [fold.auc_by_iteration for fold in folds]
    return np.array([[*row, *[row[-1]] * (longest - len(row))] for row in rows])


def mean_aucs(folds: Sequence[FoldScores]) -> Vector:
    """Return the mean validation AUC for each number of prototypes."""
    return np.asarray(_auc_table(folds).mean(axis=0))


def _checked(
    fits: Mapping[Candidate, Sequence[FoldScores]],
) -> Mapping[Candidate, Sequence[FoldScores]]:
    if not fits or not all(fits.values()):
        raise SelectionError("There are no fits to choose from. Fit each candidate on each fold.")
    return fits
