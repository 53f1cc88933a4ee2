"""How the rows of an experiment are split: a test part, and folds of the rest."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from sklearn.model_selection import train_test_split

from smoothrank.arrays import Indices, Labels
from smoothrank.selection.folds import honest_folds, paper_folds

TEST_SHARE = 0.25
SPLIT_SEED = 10


@dataclass(frozen=True)
class Parts:
    """How the rows are split.

    Parameters
    ----------
    train, test : tuple of int
        Numbers of the rows of each part, in the order in which they are used.
    folds : tuple of tuple of int
        For each fold the positions in `train` of the validation rows; the others are fitted.
    """

    train: tuple[int, ...]
    test: tuple[int, ...]
    folds: tuple[tuple[int, ...], ...]

    def fold_rows(self) -> list[tuple[Indices, Indices]]:
        """Return for each fold the positions in `train` to fit on, and those to validate on."""
        places = np.arange(len(self.train))
        return [(np.delete(places, fold), np.array(fold, dtype=np.intp)) for fold in self.folds]


def paper_parts(y: Labels, test_share: float = TEST_SHARE, seed: int = SPLIT_SEED) -> Parts:
    """Return the paper's parts: a stratified quarter for testing, five folds in row order."""
    train, test = stratified_split(y, test_share, seed)
    return _parts(train, test, paper_folds(np.zeros((len(train), 1)), y[train]))


def honest_parts(
    y: Labels,
    n_folds: int,
    n_repeats: int,
    fold_seed: int,
    test_share: float = TEST_SHARE,
    seed: int = SPLIT_SEED,
) -> Parts:
    """Return the same test part, and folds that are repeated in other orders."""
    train, test = stratified_split(y, test_share, seed)
    return _parts(train, test, honest_folds(y[train], n_folds, n_repeats, fold_seed))


def stratified_split(y: Labels, test_share: float, seed: int) -> tuple[Indices, Indices]:
    """Return the numbers of training and test rows, with the same share of positives in both.

    Raises
    ------
    ValueError
        If there are too few rows of a class.
    """
    train, test = train_test_split(
        np.arange(len(y)), stratify=y, test_size=test_share, random_state=seed
    )
    return train, test


def _parts(train: Indices, test: Indices, folds: list[tuple[Indices, Indices]]) -> Parts:
    validating = tuple(tuple(validation.tolist()) for _, validation in folds)
    return Parts(tuple(train.tolist()), tuple(test.tolist()), validating)
