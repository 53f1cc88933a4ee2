"""How much work a fit does: all of it for small tables, samples of rows for large ones."""

from __future__ import annotations

from dataclasses import dataclass, replace

import numpy as np

from smoothrank.arrays import Indices
from smoothrank.columns.kernel_features import landmark_rows
from smoothrank.distillation.kernel_models import TrainingRows

FEW_ROWS = 500
"""Up to this many rows, folds are repeated."""

MANY_ROWS = 20_000


@dataclass(frozen=True)
class Effort:
    """The sizes of a fit.

    Parameters
    ----------
    n_repeats : int
        How often the five folds are repeated while models and sizes are compared.
    compared_rows : int
        Rows that models are compared on: all, or a stratified sample.
    kernel_rows, n_landmarks : int
        Rows that the kernels of the average are fitted on, and the most landmarks of a kernel.
    n_trees : int
        Randomised trees of each kind in the average.
    """

    n_repeats: int
    compared_rows: int
    kernel_rows: int
    n_landmarks: int
    n_trees: int


def effort_for(n_rows: int) -> Effort:
    """Return the sizes of a fit on so many rows."""
    return Effort(
        n_repeats=2 if n_rows <= FEW_ROWS else 1,
        compared_rows=3000,
        kernel_rows=MANY_ROWS,
        n_landmarks=1000,
        n_trees=200 if n_rows <= MANY_ROWS else 100,
    )


def sample(rows: TrainingRows, n_rows: int, seed: int) -> TrainingRows:
    """Return all rows, or a sample with as many as possible of the rarer class, up to a third.

    The rows of a sample stand for those that were left out: either class weighs what it weighed.
    """
    chosen: Indices = landmark_rows(rows.pairs, n_rows, np.random.default_rng(seed))
    if len(chosen) == len(rows.X):
        return rows
    drawn = rows.only(chosen)
    weight = drawn.weight.copy()
    for label in (True, False):
        here, all_ = drawn.is_positive == label, rows.is_positive == label
        weight[here] *= rows.weight[all_].sum() / weight[here].sum()
    return replace(drawn, weight=weight)
