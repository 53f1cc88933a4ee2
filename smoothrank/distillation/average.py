"""The teacher: an average of kernel models and trees, weighed by their validation AUC.

    s(x) = Σ_m share_m u_m(f_m(x))

f_m is the score of a kernel model (one for each view, kernel and width; its values of C are added)
or of one kind of trees, and u_m(f) where it stands among the scores of held-out rows (`Placement`).
Within the kernels, and within the trees, shares are proportional to exp(τ · AUC); the two groups
share in proportion to exp(τ' · AUC) of the best of either, with a smaller τ': on few positives the
better group is often the luckier one.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Protocol

import numpy as np

from smoothrank.arrays import Matrix, Vector
from smoothrank.columns.kernel_features import class_weights
from smoothrank.distillation.comparison import Comparison, FoldModels, in_threads
from smoothrank.distillation.kernel_models import (
    STRENGTHS,
    KernelModel,
    TrainingRows,
    fit_kernel_model,
)
from smoothrank.distillation.placement import Placement
from smoothrank.distillation.trees import fit_trees
from smoothrank.losses.certificate import Certificate, worst

SHARPNESS = 100.0
"""τ: a model that is 0.01 behind the best of its group weighs 1/e of it."""

SHARPNESS_OF_GROUPS = 30.0
"""τ': the same between kernels and trees."""

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
class KernelPart:
    """A kernel model of an average: the factor of each C, its placement and its share."""

    model: KernelModel
    factors: Mapping[float, float]
    place: Placement
    share: float


@dataclass(frozen=True)
class TreesPart:
    """A kind of trees of an average, its placement and its share."""

    kind: str
    place: Placement
    share: float


@dataclass(frozen=True)
class Recipe:
    """What is averaged."""

    kernels: tuple[KernelPart, ...]
    trees: tuple[TreesPart, ...]


@dataclass(frozen=True)
class Member:
    """A score function, its placement and its share of the average."""

    function: Score
    place: Placement
    share: float


@dataclass(frozen=True)
class Average:
    """s(x) = Σ_m share_m u_m(f_m(x))."""

    members: tuple[Member, ...]
    certificate: Certificate
    """The worst of its kernel models; trees have none."""

    @property
    def n_columns(self) -> int:
        """Columns of all kernels, and trees."""
        return sum(member.function.n_columns for member in self.members)

    def score(self, X: Matrix) -> Vector:
        """Return the score of rows."""
        total = np.zeros(len(X))
        for member in self.members:
            total += member.share * member.place(member.function.score(X))
        return total


def recipe(comparison: Comparison, *, all_trees: bool = False) -> Recipe:
    """Return what to average, from validation AUC and scores of held-out rows.

    Parameters
    ----------
    comparison : Comparison
        All models on all folds.
    all_trees : bool
        Keep every kind of trees, however small its share.
    """
    kernel_aucs = {model: comparison.kernel_aucs(model).mean(axis=0) for model in comparison.models}
    tree_aucs = {kind: float(comparison.tree_aucs(kind).mean()) for kind in comparison.kinds}
    best_kernel = max(float(aucs.max()) for aucs in kernel_aucs.values())
    best_tree = max(tree_aucs.values())
    of_trees = 1.0 / (1.0 + float(np.exp(SHARPNESS_OF_GROUPS * (best_kernel - best_tree))))
    of_strengths = {model: _shares(aucs, best_kernel) for model, aucs in kernel_aucs.items()}
    of_models = {model: float(shares.sum()) for model, shares in of_strengths.items()}
    heaviest = sorted(of_models, key=lambda model: -of_models[model])[:MOST_KERNELS]
    kernels = {model: of_models[model] for model in heaviest if of_models[model] > 0.0}
    trees = {kind: float(_shares(auc, best_tree)) for kind, auc in tree_aucs.items()}
    scale = (1.0 - of_trees) / sum(kernels.values()), of_trees / sum(trees.values())
    return Recipe(
        tuple(
            _kernel_part(comparison, model, of_strengths[model], scale[0] * share)
            for model, share in kernels.items()
        ),
        tuple(
            _trees_part(comparison, kind, scale[1] * share)
            for kind, share in trees.items()
            if all_trees or (share > 0.0 and of_trees >= SMALLEST_SHARE)
        ),
    )


def _shares(auc: Vector | float, best: float) -> Vector:
    shares = np.exp(SHARPNESS * (np.asarray(auc) - best))
    return np.where(shares >= SMALLEST_SHARE, shares, 0.0)


def _kernel_part(
    comparison: Comparison, model: KernelModel, shares: Vector, share: float
) -> KernelPart:
    """Return the part of a model: its values of C by their shares, in units of their spread."""
    scores = np.hstack([fold.kernel_scores[model] for fold in comparison.folds])
    spreads = np.std(scores, axis=1)
    factors = {
        C: float(weight / shares.sum() / (spread or 1.0))
        for C, weight, spread in zip(STRENGTHS, shares, spreads, strict=True)
        if weight > 0.0
    }
    total = sum(factor * scores[STRENGTHS.index(C)] for C, factor in factors.items())
    return KernelPart(model, factors, _placed(comparison, np.asarray(total)), share)


def _trees_part(comparison: Comparison, kind: str, share: float) -> TreesPart:
    scores = np.concatenate([fold.tree_scores[kind] for fold in comparison.folds])
    return TreesPart(kind, _placed(comparison, scores), share)


def _placed(comparison: Comparison, scores: Vector) -> Placement:
    weight = np.concatenate([class_weights(fold.rows.pairs) for fold in comparison.folds])
    return Placement.fit(scores, weight)


def average_of_fold(recipe: Recipe, fold: FoldModels) -> Average:
    """Return the average of models that were fitted on a fold already."""
    kernels = (
        Member(fold.paths[part.model].combined(part.factors), part.place, part.share)
        for part in recipe.kernels
    )
    trees = (Member(fold.trees[part.kind], part.place, part.share) for part in recipe.trees)
    return Average((*kernels, *trees), Certificate(0.0, 0.0))


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
        How many randomised trees of each kind.
    seed : int
        Seed of landmarks and trees.
    n_jobs : int
        How many models are fitted at the same time.
    """
    certificates: list[Certificate] = []

    def kernel_member(part: KernelPart) -> Member:
        function, found = fit_kernel_model(part.model, part.factors, kernel_rows, n_landmarks, seed)
        certificates.append(found)
        return Member(function, part.place, part.share)

    def tree_member(part: TreesPart) -> Member:
        return Member(fit_trees(part.kind, rows, n_trees, seed), part.place, part.share)

    members = in_threads(kernel_member, recipe.kernels, n_jobs)
    members += in_threads(tree_member, recipe.trees, n_jobs)
    return Average(tuple(members), worst(certificates))
