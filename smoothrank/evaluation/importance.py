"""Permutation importance: each feature is shuffled among rows, and the score computed again.

A squared distance is a sum over features, so that shuffling one changes one term of it; the others
are computed once.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from itertools import pairwise
from typing import Any

import numpy as np

from smoothrank.arrays import Flags, Indices, Matrix, Vector
from smoothrank.columns.weighted import WeightedColumns
from smoothrank.losses.pairwise_hinge import Pairs, auc

MOST_DISTANCES = 2_000_000
MOST_ROWS = 1_000
FEWEST_ROWS = 100
MOST_SCORED = 20_000


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
    most = min(MOST_ROWS, max(FEWEST_ROWS, MOST_DISTANCES // max(len(score.weights), 1)))
    rows = _sample(flags, most, rng)
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
    return _as_shares(movement, loss / repeats)


def importance_of_runs(
    score: Callable[[Matrix], Vector],
    X: Matrix,
    is_positive: Flags,
    starts: Indices,
    repeats: int = 3,
    seed: int = 0,
) -> Importance:
    """Do the same for any score function, with runs of features shuffled together.

    Parameters
    ----------
    score : callable
        Returns the score of encoded rows.
    X, is_positive, repeats, seed
        As for `importance`.
    starts : ndarray of int
        The first feature of each run, increasing from 0.
    """
    rng = np.random.default_rng(seed)
    most = min(MOST_ROWS, max(FEWEST_ROWS, MOST_SCORED // (repeats * len(starts))))
    rows = _sample(is_positive, most, rng)
    given, pairs = X[rows], Pairs.from_labels(is_positive[rows])
    before = score(given)
    auc_before = float(auc(before, pairs))
    orders = [rng.permutation(len(rows)) for _ in range(repeats)]
    movement, loss = np.zeros(len(starts)), np.zeros(len(starts))
    for number, (start, end) in enumerate(pairwise([*starts.tolist(), X.shape[1]])):
        for order in orders:
            mixed = given.copy()
            mixed[:, start:end] = given[order, start:end]
            changed = score(mixed)
            movement[number] += float(np.abs(changed - before).mean())
            loss[number] += auc_before - float(auc(changed, pairs))
    return _as_shares(movement, loss / repeats)


def _as_shares(movement: Vector, auc_loss: Vector) -> Importance:
    total = float(movement.sum())
    return Importance(movement / total if total > 0.0 else movement, auc_loss)


def _sample(flags: Flags, most: int, rng: np.random.Generator) -> Indices:
    """Return rows of both classes, not many more than `most`."""
    if len(flags) <= most:
        return np.arange(len(flags))
    parts = []
    for members in (np.flatnonzero(flags), np.flatnonzero(~flags)):
        count = min(len(members), max(1, round(most * len(members) / len(flags))))
        parts.append(rng.choice(members, count, replace=False))
    return np.sort(np.concatenate(parts))
