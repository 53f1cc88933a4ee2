"""Permutation importance: each feature is shuffled among rows, and the score computed again.

A squared distance is a sum over features, so that shuffling one changes one term of it; the others
are computed once.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt

from smoothrank.arrays import Vector
from smoothrank.columns.weighted import WeightedColumns
from smoothrank.losses.pairwise_hinge import Pairs, auc

MOST_DISTANCES = 2_000_000
MOST_ROWS = 1_000
FEWEST_ROWS = 100


@dataclass(frozen=True, eq=False)
class Importance:
    """How much each feature matters.

    Parameters
    ----------
    movement : numpy.ndarray
        By how much a row's score moves, on average, when the feature is taken from another row;
        shares that sum to one.
    auc_loss : numpy.ndarray
        By how much the AUC falls.
    """

    movement: Vector
    auc_loss: Vector


def importance(
    score: WeightedColumns, X: Any, is_positive: Any, repeats: int = 3, seed: int = 0
) -> Importance:
    """Shuffle each feature on its own, and measure what it does to score and AUC.

    Parameters
    ----------
    score : WeightedColumns
        The score function; see `smoothrank.estimators.score`.
    X : array-like of shape (n, d)
        Encoded rows in the data's units; of many a stratified sample is taken.
    is_positive : array-like of bool of shape (n,)
        Their class.
    repeats : int
        How often each feature is shuffled.
    seed : int
        Of the sample and the shuffles.
    """
    rng = np.random.default_rng(seed)
    flags = np.asarray(is_positive)
    rows = _sample(flags, len(score.weights), rng)
    given, flags = np.asarray(X, dtype=np.float64)[rows], flags[rows]
    scaled = score.scaled(given)
    n_features = scaled.shape[1]
    pairs = Pairs.from_labels(flags)
    rate = score.weights / score.spreads
    before = score.family.values(scaled, score.parameters) @ rate
    shuffled = score.family.shuffled(scaled, score.parameters)
    auc_before = float(auc(before, pairs))
    movement, loss = np.zeros(n_features), np.zeros(n_features)
    orders = [rng.permutation(len(scaled)) for _ in range(repeats)]
    for feature in range(n_features):
        for order in orders:
            changed = shuffled(feature, order) @ rate
            movement[feature] += float(np.abs(changed - before).mean())
            loss[feature] += auc_before - float(auc(changed, pairs))
    total = float(movement.sum())
    return Importance(movement / total if total > 0.0 else movement, loss / repeats)


def _sample(
    flags: npt.NDArray[np.bool_], n_prototypes: int, rng: np.random.Generator
) -> npt.NDArray[np.intp]:
    """Return a sample of rows of both classes, small enough for all distances."""
    most = min(MOST_ROWS, max(FEWEST_ROWS, MOST_DISTANCES // max(n_prototypes, 1)))
    if len(flags) <= most:
        return np.arange(len(flags))
    parts = []
    for members in (np.flatnonzero(flags), np.flatnonzero(~flags)):
        count = min(len(members), max(1, round(most * len(members) / len(flags))))
        parts.append(rng.choice(members, count, replace=False))
    return np.sort(np.concatenate(parts))
