"""A rehearsal for large tables: what trees and kernels can do with all rows, not with a sample.

Models are compared on a few thousand rows. With more rows trees gain more than kernels on landmarks
do, so the average is fitted once on three quarters of the rows, and the others say how to share.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TypeVar

import numpy as np
from sklearn.model_selection import train_test_split

from smoothrank.arrays import Matrix, Vector
from smoothrank.columns.kernel_features import class_weights
from smoothrank.distillation.average import (
    SHARPNESS,
    KernelPart,
    Recipe,
    TreesPart,
    fit_average,
)
from smoothrank.distillation.effort import Effort, sample
from smoothrank.distillation.kernel_models import TrainingRows
from smoothrank.distillation.placement import Placement
from smoothrank.losses.pairwise_hinge import Pairs, auc

HELD_OUT_SHARE = 0.25


@dataclass(frozen=True)
class Rehearsal:
    """What a rehearsal found.

    Parameters
    ----------
    recipe : Recipe
        The same members with the shares and placements that the held-out rows suggest.
    rows : TrainingRows
        The rows that were held out.
    scores : ndarray
        The average's scores of them.
    """

    recipe: Recipe
    rows: TrainingRows
    scores: Vector


def rehearse(
    recipe: Recipe, rows: TrainingRows, effort: Effort, seed: int, n_jobs: int
) -> Rehearsal:
    """Fit an average on most rows, and share anew by the AUC on the others.

    Parameters
    ----------
    recipe : Recipe
        What is averaged.
    rows : TrainingRows
        All rows; those of weight two or more as `copies`.
    effort : Effort
        The sizes of the fit.
    seed, n_jobs : int
        Seed, and how many models are fitted at the same time.
    """
    train, held_out = train_test_split(
        np.arange(len(rows.X)),
        test_size=HELD_OUT_SHARE,
        stratify=rows.is_positive,
        random_state=seed,
    )
    some, others = rows.only(train).merged(), rows.only(held_out)
    average = fit_average(
        recipe,
        some,
        kernel_rows=sample(some, effort.kernel_rows, seed),
        n_landmarks=effort.n_landmarks,
        n_trees=effort.n_trees,
        seed=seed,
        n_jobs=n_jobs,
    )
    scores = [member.function.score(others.X) for member in average.members]
    weight = class_weights(others.pairs)
    placements = [Placement.fit(score, weight) for score in scores]
    places = np.array([place(score) for place, score in zip(placements, scores, strict=True)])
    shares = new_shares(recipe, places, others.pairs)
    found = list(zip(placements, shares.tolist(), strict=True))
    n_kernels = len(recipe.kernels)
    shared = Recipe(
        tuple(map(_part, recipe.kernels, found[:n_kernels])),
        tuple(map(_part, recipe.trees, found[n_kernels:])),
    )
    return Rehearsal(shared, others, shares @ places)


Part = TypeVar("Part", KernelPart, TreesPart)


def _part(part: Part, found: tuple[Placement, float]) -> Part:
    return replace(part, place=found[0], share=found[1])


def new_shares(recipe: Recipe, places: Matrix, pairs: Pairs) -> Vector:
    """Return shares proportional to exp(τ · AUC), all kernels taken together as one model.

    With so many rows the better of two models is seldom the luckier one, and groups need no
    sharpness of their own.
    """
    kernel_shares = np.array([part.share for part in recipe.kernels])
    kernel_shares /= kernel_shares.sum()
    n_kernels = len(kernel_shares)
    together = kernel_shares @ places[:n_kernels]
    aucs = np.array([auc(scores, pairs) for scores in (together, *places[n_kernels:])])
    weights = np.exp(SHARPNESS * (aucs - aucs.max()))
    weights /= weights.sum()
    return np.concatenate((weights[0] * kernel_shares, weights[1:]))
