"""The folds of a problem's training part."""

from __future__ import annotations

import hashlib

import numpy as np

from smoothrank.selection.folds import (
    Folds,
    forward_folds,
    grouped_folds,
    honest_folds,
    paper_folds,
)
from smoothrank.selection.halving import stratified_sample
from tasks.problem.problem import Data, Problem
from tasks.problem.row_parts import Indices


def rows_checksum(rows: Indices) -> str:
    """Return a checksum of the numbers of rows."""
    return hashlib.sha256(np.sort(rows).astype("<i8").tobytes()).hexdigest()


def folds(problem: Problem, data: Data, n_rows: int | None = None) -> Folds:
    """Return the folds of the training part, or of a sample of its rows, as places in it."""
    y = data.y[data.train]
    if problem.selection == "paper":
        return paper_folds(data.X[data.train], y)
    if n_rows is None:
        return honest_folds_of(problem, data, data.train)
    drawn = stratified_sample(y, n_rows, problem.fold_seed)
    cut = honest_folds_of(problem, data, data.train[drawn])
    return [(drawn[rows], drawn[validation]) for rows, validation in cut]


def honest_folds_of(problem: Problem, data: Data, rows: Indices) -> Folds:
    """Return the folds of some rows, as places among them; groups stay whole, time goes forward."""
    y = data.y[rows]
    if data.split.groups is not None:
        groups = data.split.groups[rows]
        return grouped_folds(y, groups, problem.folds, problem.repeats, problem.fold_seed)
    if data.split.times is not None:
        return forward_folds(y, data.split.times[rows], problem.folds)
    return honest_folds(y, problem.folds, problem.repeats, problem.fold_seed)
