"""The teacher: an average of kernel models and trees, weighed by their validation AUC.

    s(x) = (1 − t) Σ_m share_m f_m(x) / σ_m  +  t Σ_k share_k g_k(x) / σ_k

The shares of the kernel models (one for each view, kernel, width and C) are proportional to
exp(τ · AUC), those of the trees too, and so is the share t of all trees against all kernels, with
the best AUC of either group. σ is a score's standard deviation over the training rows.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Protocol

import numpy as np

from smoothrank.arrays import Matrix, Vector
from smoothrank.distillation.comparison import Comparison, in_threads
from smoothrank.distillation.kernel_models import (
    STRENGTHS,
    KernelModel,
    TrainingRows,
    fit_kernel_model,
)
from smoothrank.distillation.trees import fit_trees

SHARPNESS = 100.0
"""τ: a model that is 0.01 behind the best weighs 1/e of it."""

SMALLEST_SHARE = 0.02
"""Shares below this, relative to the largest of the group, are dropped."""

MOST_KERNELS = 8
"""The most kernel models of an average; each may have several values of C."""


class Score(Protocol):
    """A score function made of a number of columns or trees."""

    @property
    def n_columns(self) -> int:
        """How many."""
        ...

    def score(self, X: Matrix) -> Vector:
        """Return the score of rows."""
        ...


@dataclass(frozen=True)
class Recipe:
    """What is averaged: for each kernel model the shares of its values of C, and those of trees."""

    kernels: Mapping[KernelModel, Mapping[float, float]]
    trees: Mapping[str, float]


@dataclass(frozen=True)
class Member:
    """A score function with its share of the average, its mean and its standard deviation."""

    function: Score
    mean: float
    spread: float
    share: float


@dataclass(frozen=True)
class Average:
    """s(x) = Σ_m share_m (f_m(x) − μ_m) / σ_m."""

    members: tuple[Member, ...]
    gap: float
    """The largest relative optimality gap of its kernel models; trees have no certificate."""

    @property
    def n_columns(self) -> int:
        """Columns of all kernels, and trees."""
        return sum(member.function.n_columns for member in self.members)

    def score(self, X: Matrix) -> Vector:
        """Return the score of rows."""
        total = np.zeros(len(X))
        for member in self.members:
            total += member.share * (member.function.score(X) - member.mean) / member.spread
        return total


def recipe(comparison: Comparison) -> Recipe:
    """Return the shares of all models from their validation AUC."""
    kernel_means = {model: table.mean(axis=0) for model, table in comparison.kernels.items()}
    tree_means = {kind: float(column.mean()) for kind, column in comparison.trees.items()}
    best_kernel = max(float(means.max()) for means in kernel_means.values())
    best_tree = max(tree_means.values())
    of_trees = 1.0 / (1.0 + float(np.exp(SHARPNESS * (best_kernel - best_tree))))
    kernels = {
        model: {
            strength: float(weight)
            for strength, weight in zip(STRENGTHS, _weights(means, best_kernel), strict=True)
            if weight >= SMALLEST_SHARE
        }
        for model, means in kernel_means.items()
    }
    heaviest = sorted(kernels, key=lambda model: -sum(kernels[model].values()))[:MOST_KERNELS]
    kernels = {model: kernels[model] for model in heaviest if kernels[model]}
    total = sum(sum(shares.values()) for shares in kernels.values())
    trees = {kind: float(_weights(mean, best_tree)) for kind, mean in tree_means.items()}
    tree_total = sum(trees.values())
    return Recipe(
        {
            model: {C: (1.0 - of_trees) * weight / total for C, weight in shares.items()}
            for model, shares in kernels.items()
        },
        {kind: of_trees * weight / tree_total for kind, weight in trees.items()}
        if of_trees >= SMALLEST_SHARE
        else {},
    )


def _weights(auc: Vector | float, best: float) -> Vector:
    return np.exp(SHARPNESS * (np.asarray(auc) - best))


def fit_average(
    recipe: Recipe,
    rows: TrainingRows,
    *,
    kernel_rows: TrainingRows,
    n_landmarks: int,
    n_trees: int,
    seed: int,
    n_jobs: int,
) -> Average:
    """Fit every model of a recipe on all rows.

    Parameters
    ----------
    recipe : Recipe
        What is averaged.
    rows : TrainingRows
        The rows that trees are fitted on.
    kernel_rows : TrainingRows
        The rows that kernels are fitted on: the same, or a sample of many.
    n_landmarks : int
        The most landmarks of a kernel; with more rows, Nyström's approximation.
    n_trees : int
        How many randomised trees.
    seed : int
        Seed of landmarks and trees.
    n_jobs : int
        How many models are fitted at the same time.
    """
    gaps: list[float] = []

    def kernel_member(item: tuple[KernelModel, Mapping[float, float]]) -> Member:
        model, shares = item
        function, gap = fit_kernel_model(model, shares, kernel_rows, n_landmarks, seed)
        gaps.append(gap)
        return Member(function, float(np.mean(function.score(kernel_rows.X))), 1.0, 1.0)

    def tree_member(item: tuple[str, float]) -> Member:
        kind, share = item
        function = fit_trees(kind, rows, n_trees, seed)
        scores = function.score(rows.X)
        return Member(function, float(scores.mean()), float(scores.std()) or 1.0, share)

    members = in_threads(kernel_member, recipe.kernels.items(), n_jobs)
    members += in_threads(tree_member, recipe.trees.items(), n_jobs)
    return Average(tuple(members), max(gaps))
