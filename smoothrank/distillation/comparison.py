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
    KernelPath,
    TrainingRows,
    fit_paths,
)
from smoothrank.distillation.trees import TreesScore, fit_trees, tree_kinds
from smoothrank.losses.pairwise_hinge import auc

Fold = tuple[Indices, Indices]
Item = TypeVar("Item")
Result = TypeVar("Result")

MAX_FOLDS = 5
COMPARED_LANDMARKS = 250
"""Landmarks of a kernel while models are compared."""

COMPARED_TREES = 50


@dataclass(frozen=True)
class FoldModels:
    """All models fitted on one fold, and their scores of the rows that it holds out.

    Parameters
    ----------
    rows : TrainingRows
        The rows that are held out.
    paths : dict
        The kernel models.
    trees : dict
        Every kind of trees.
    kernel_scores : dict
        For each kernel model a row of scores for each C of `STRENGTHS`.
    tree_scores : dict
        For each kind of trees its scores.
    """

    rows: TrainingRows
    paths: dict[KernelModel, KernelPath]
    trees: dict[str, TreesScore]
    kernel_scores: dict[KernelModel, Matrix]
    tree_scores: dict[str, Vector]


@dataclass(frozen=True)
class Comparison:
    """All models on all folds."""

    folds: Sequence[FoldModels]

    def kernel_aucs(self, model: KernelModel) -> Matrix:
        """Return the validation AUC, a row for each fold, a column for each C of `STRENGTHS`."""
        return np.array(
            [
                [auc(scores, fold.rows.pairs) for scores in fold.kernel_scores[model]]
                for fold in self.folds
            ]
        )

    def tree_aucs(self, kind: str) -> Vector:
        """Return the validation AUC of each fold."""
        return np.array([auc(fold.tree_scores[kind], fold.rows.pairs) for fold in self.folds])

    @property
    def models(self) -> tuple[KernelModel, ...]:
        """The kernel models."""
        return tuple(self.folds[0].kernel_scores)

    @property
    def kinds(self) -> tuple[str, ...]:
        """The kinds of trees."""
        return tuple(self.folds[0].trees)


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
    return Comparison(parts)


def _one_fold(rows: TrainingRows, fold: Fold, seed: int) -> FoldModels:
    train, held_out = rows.only(fold[0]).merged(), rows.only(fold[1])
    found = list(fit_paths(KERNEL_MODELS, train, held_out.X, COMPARED_LANDMARKS, seed))
    trees = {kind: fit_trees(kind, train, COMPARED_TREES, seed) for kind in tree_kinds(len(rows.X))}
    return FoldModels(
        held_out,
        {model: path for model, path, _ in found},
        trees,
        {model: scores for model, _, scores in found},
        {kind: score.score(held_out.X) for kind, score in trees.items()},
    )


def in_threads(work: Callable[[Item], Result], items: Iterable[Item], n_jobs: int) -> list[Result]:
    """Return `work` of each item, in order; linear algebra runs beside itself in threads."""
    if n_jobs == 1:
        return [work(item) for item in items]
    with ThreadPoolExecutor(n_jobs) as pool:
        return list(pool.map(work, items))
