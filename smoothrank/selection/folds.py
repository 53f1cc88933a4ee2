"""Folds: the paper's, repeated ones, ones that keep groups whole, ones that train on the past."""

from __future__ import annotations

from typing import Any

import numpy as np
from sklearn.model_selection import RepeatedStratifiedKFold, StratifiedKFold

from smoothrank.arrays import Indices, Labels, Matrix
from smoothrank.errors import SmoothrankError

MAX_FOLDS = 5
"""Folds of the paper."""

MANY_GROUPS = 300
"""More groups are dealt out at once; scikit-learn takes seconds to place thousands one by one."""

Folds = list[tuple[Indices, Indices]]
"""For each fold the rows to train on and the rows to validate with."""


class FoldError(SmoothrankError):
    """The rows cannot be cut into folds as asked."""


def grouped_folds(y: Any, groups: Any, n_folds: int, n_repeats: int, seed: int) -> Folds:
    """Return stratified folds, repeated in other orders, that keep groups whole.

    Parameters
    ----------
    y : array-like of shape (n,)
        Two labels.
    groups : array-like of shape (n,)
        The group of each row.
    n_folds, n_repeats : int
        Folds of each repeat, fewer where the groups do not give both classes to every fold; and
        how many repeats.
    seed : int
        Seed of the order.
    """
    labels, members = np.asarray(y), np.asarray(groups)
    most = min((len(np.unique(members[labels == label])) for label in np.unique(labels)), default=0)
    for number in range(min(n_folds, most), 1, -1):
        repeats = [_grouped(labels, members, number, seed + i) for i in range(n_repeats)]
        found = [fold for folds in repeats for fold in folds]
        if all(_usable(labels, fold) for fold in found):
            return found
    raise FoldError(
        "the rows cannot be cut into folds that keep groups whole and have both classes: the rarer "
        f"class is in {most} groups of the training part; add groups, or leave --group out"
    )


def _grouped(y: Any, groups: Any, n_folds: int, seed: int) -> Folds:
    from sklearn.model_selection import StratifiedGroupKFold

    if len(np.unique(groups)) > MANY_GROUPS:
        return _dealt(y, groups, n_folds, seed)
    folds = StratifiedGroupKFold(n_folds, shuffle=True, random_state=seed)
    return list(folds.split(np.zeros(len(y)), y, groups))


def _dealt(y: Any, groups: Any, n_folds: int, seed: int) -> Folds:
    """Deal groups to folds like cards, those with most rows of the rarer class first.

    The direction alternates from round to round, so that no fold always gets the larger ones.
    """
    labels, counts = np.unique(y, return_counts=True)
    _, group = np.unique(groups, return_inverse=True)
    rare = np.bincount(group, weights=y == labels[np.argmin(counts)])
    size = np.bincount(group)
    order = np.lexsort((np.random.default_rng(seed).random(len(size)), -size, -rare))
    turns, place = np.divmod(np.arange(len(order)), n_folds)
    fold = np.empty(len(order), dtype=np.intp)
    fold[order] = np.where(turns % 2 == 0, place, n_folds - 1 - place)
    of_row = fold[group]
    return [(np.flatnonzero(of_row != i), np.flatnonzero(of_row == i)) for i in range(n_folds)]


def forward_folds(y: Any, times: Any, n_folds: int) -> Folds:
    """Return folds that train on the past and validate with the block of rows that follows.

    Parameters
    ----------
    y : array-like of shape (n,)
        Two labels.
    times : array-like of shape (n,)
        The time of each row; rows of one time are in one block.
    n_folds : int
        How many folds; fewer where not every block has both classes.
    """
    labels, when = np.asarray(y), np.asarray(times)
    for number in range(n_folds, 0, -1):
        found = _forward(when, number)
        if len(found) == number and all(_usable(labels, fold) for fold in found):
            return found
    raise FoldError(
        "the training part cannot be cut into a past and a later block that both have both "
        "classes; add rows, or leave --time out"
    )


def _forward(times: Any, n_folds: int) -> Folds:
    """Cut the order of times into blocks of about equal size, and validate with all but the first.

    The first block is the past that even the first fold has.
    """
    ordered = np.sort(times)
    places = [len(times) * block // (n_folds + 1) for block in range(1, n_folds + 1)]
    starts = np.unique(ordered[places])
    ends = [*starts[1:], None]
    return [
        (
            np.flatnonzero(times < start),
            np.flatnonzero((times >= start) & (True if end is None else times < end)),
        )
        for start, end in zip(starts, ends, strict=True)
        if start > ordered[0]
    ]


def _usable(y: Any, fold: tuple[Indices, Indices]) -> bool:
    """Return whether two rows of each class train, and one of each validates."""
    train, validation = (np.unique(y[rows], return_counts=True)[1] for rows in fold)
    return len(train) == len(validation) == 2 and bool(train.min() >= 2)


def paper_folds(X: Matrix, y: Labels) -> Folds:
    """Return five stratified folds in row order, or fewer where a class has fewer rows."""
    n_folds = min(MAX_FOLDS, int(np.sum(y == 1)), int(np.sum(y != 1)))
    return list(StratifiedKFold(n_folds).split(X, y))


def honest_folds(y: Any, n_folds: int, n_repeats: int, seed: int) -> Folds:
    """Return stratified folds, repeated in other orders.

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
        raise FoldError(
            f"Folds need two classes of two rows at least; the rows are {found}. Add rows."
        )
    if n_folds < 2 or n_repeats < 1:
        raise FoldError(
            f"{n_folds} folds, {n_repeats} repeats: at least two folds and one repeat are needed."
        )
    folds = RepeatedStratifiedKFold(
        n_splits=min(n_folds, int(counts.min())), n_repeats=n_repeats, random_state=seed
    )
    return list(folds.split(np.zeros(len(np.asarray(y))), y))
