"""The paper's experiment to the letter, as its tables were made: the oracle of `run_experiment`.

It is optimistic, because each fold contributes its best iteration.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

import numpy as np
from sklearn.model_selection import train_test_split

from smoothrank.arrays import Labels, Matrix, Vector
from smoothrank.estimators.prototype_base import BasePrototypeClassifier
from smoothrank.estimators.prototypes import SmoothRankingPrototype
from smoothrank.estimators.ranking_classifier import n_used
from smoothrank.losses.pairwise_hinge import Pairs, auc
from smoothrank.selection.choice import ROUNDING
from smoothrank.selection.folds import paper_folds
from smoothrank.selection.methods import SMOOTH_GRID
from smoothrank.selection.splits import SPLIT_SEED, TEST_SHARE


@dataclass(frozen=True)
class Split:
    """Training and test part of a data set."""

    X_train: Matrix
    X_test: Matrix
    y_train: Labels
    y_test: Labels


@dataclass(frozen=True)
class ProtocolResult:
    """What the paper prints for one data set, and how it came about.

    Parameters
    ----------
    C : float
        The chosen parameter.
    cv_auc : float
        Mean over folds of the highest validation AUC, at that C.
    cv_auc_by_C : tuple of float
        The same for each value of the grid.
    test_auc : float
        AUC of the last iteration of the refit on the test part.
    n_prototypes : int
        Prototypes of the refit with |w| ≥ 0.001.
    gap : float
        The largest optimality gap of any master problem of the refit.
    """

    C: float
    cv_auc: float
    cv_auc_by_C: tuple[float, ...]
    test_auc: float
    n_prototypes: int
    gap: float


def paper_split(X: Matrix, y: Labels) -> Split:
    """A quarter of the rows, stratified, is the test part."""
    X_train, X_test, y_train, y_test = train_test_split(
        X, y, stratify=y, test_size=TEST_SHARE, random_state=SPLIT_SEED
    )
    return Split(X_train, X_test, y_train, y_test)


def staged_auc(model: BasePrototypeClassifier, X: Matrix, y: Labels) -> Vector:
    """AUC on some rows after each column of a fit."""
    pairs = Pairs.from_labels(y == 1)
    return np.array([auc(scores, pairs) for scores in model.staged_decision_function(X)])


def smallest_best(means: Vector) -> int:
    """Number of the largest mean, the first of those that differ by rounding only."""
    return int(np.flatnonzero(means >= means.max() - ROUNDING)[0])


def paper_protocol(
    X: Matrix,
    y: Labels,
    *,
    grid: Sequence[float] = SMOOTH_GRID,
    solver: str = "auto",
    after_fit: Callable[[], None] = lambda: None,
) -> ProtocolResult:
    """Run the paper's experiment with Smooth Ranking-CG Prototype on one data set.

    Parameters
    ----------
    X, y : ndarray
        Encoded rows in file order, and labels +1 or −1.
    grid : sequence of float
        Values of C, from small to large.
    solver : {"auto", "gurobi", "highs"}
        Solver of the linear programs.
    after_fit : callable
        Called after each fit, for a progress bar.
    """
    split = paper_split(X, y)

    def fit(C: float, rows: Matrix, labels: Labels) -> SmoothRankingPrototype:
        model = SmoothRankingPrototype(C, first_prototype="first", solver=solver)
        model.fit(rows, labels)
        after_fit()
        return model

    best_of_folds = np.array(
        [
            [
                staged_auc(
                    fit(C, split.X_train[train], split.y_train[train]),
                    split.X_train[validation],
                    split.y_train[validation],
                ).max()
                for C in grid
            ]
            for train, validation in paper_folds(split.X_train, split.y_train)
        ]
    )
    by_C = best_of_folds.mean(axis=0)
    chosen = smallest_best(by_C)
    model = fit(grid[chosen], split.X_train, split.y_train)
    return ProtocolResult(
        C=grid[chosen],
        cv_auc=float(by_C[chosen]),
        cv_auc_by_C=tuple(float(value) for value in by_C),
        test_auc=float(staged_auc(model, split.X_test, split.y_test)[-1]),
        n_prototypes=n_used(model.weights_),
        gap=max(iteration.gap for iteration in model.history_),
    )
