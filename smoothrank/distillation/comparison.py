"""How good each model is on validation rows: the table that an average is made from.

Every kernel model is fitted for every strength, and every kind of trees, on repeated stratified
folds. Choosing a winner from such a table is noisy where positives are few; weighing all of them by
exp(τ · AUC) is not.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from typing import TypeVar

import numpy as np
from sklearn.model_selection import RepeatedStratifiedKFold

from smoothrank.arrays import Indices, Matrix, Vector
from smoothrank.distillation.kernel_models import (
    KERNEL_MODELS,
    KernelModel,
    TrainingRows,
    path_scores,
)
from smoothrank.distillation.trees import fit_trees, tree_kinds
from smoothrank.losses.pairwise_hinge import auc

Fold = tuple[Indices, Indices]
Item = TypeVar("Item")
Result = TypeVar("Result")

MAX_FOLDS = 5
COMPARED_LANDMARKS = 250
"""Landmarks of a kernel while models are compared."""

COMPARED_TREES = 100


@dataclass(frozen=True)
class Comparison:
    """Validation AUC of all models.

    Parameters
    ----------
    kernels : dict
        For each kernel model a matrix, a row for each fold, a column for each C of `STRENGTHS`.
    trees : dict
        For each kind of trees a vector, an entry for each fold.
    """

    kernels: dict[KernelModel, Matrix]
    trees: dict[str, Vector]


def stratified_folds(rows: TrainingRows, n_repeats: int, seed: int) -> list[Fold]:
    """Return five stratified folds, fewer where the rarer class has fewer rows, repeated."""
    rarer = int(min(rows.is_positive.sum(), (~rows.is_positive).sum()))
    folds = RepeatedStratifiedKFold(
        n_splits=max(2, min(MAX_FOLDS, rarer)), n_repeats=n_repeats, random_state=seed
    )
    return list(folds.split(rows.X, rows.is_positive))


def compare(rows: TrainingRows, folds: Sequence[Fold], n_jobs: int) -> Comparison:
    """Fit every model on every fold.

    Parameters
    ----------
    rows : TrainingRows
        The rows.
    folds : sequence of (train, validation)
        The folds.
    n_jobs : int
        How many folds are worked on at the same time.
    """
    parts = in_threads(lambda item: _one_fold(rows, item[1], item[0]), enumerate(folds), n_jobs)
    return Comparison(
        {model: np.array([part[0][model] for part in parts]) for model in KERNEL_MODELS},
        {kind: np.array([part[1][kind] for part in parts]) for kind in parts[0][1]},
    )


def _one_fold(
    rows: TrainingRows, fold: Fold, seed: int
) -> tuple[dict[KernelModel, Vector], dict[str, float]]:
    train, held_out = rows.only(fold[0]), rows.only(fold[1])
    pairs = held_out.pairs
    kernels = {
        model: np.array([auc(score, pairs) for score in scores])
        for model, scores in path_scores(KERNEL_MODELS, train, held_out.X, COMPARED_LANDMARKS, seed)
    }
    trees = {
        kind: auc(fit_trees(kind, train, COMPARED_TREES, seed).score(held_out.X), pairs)
        for kind in tree_kinds(len(rows.X))
    }
    return kernels, trees


def in_threads(work: Callable[[Item], Result], items: Iterable[Item], n_jobs: int) -> list[Result]:
    """Return `work` of each item, in order; linear algebra runs beside itself in threads."""
    if n_jobs == 1:
        return [work(item) for item in items]
    with ThreadPoolExecutor(n_jobs) as pool:
        return list(pool.map(work, items))
