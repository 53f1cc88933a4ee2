"""Rows between training rows: places where a teacher can be asked, without labels."""

from __future__ import annotations

import numpy as np
from scipy.spatial import cKDTree

from smoothrank.arrays import Matrix
from smoothrank.columns.feature_scaling import fit_scaler
from smoothrank.columns.kernel_features import class_weights
from smoothrank.distillation.kernel_models import TrainingRows

N_NEIGHBOURS = 10


def rows_between(rows: TrainingRows, n_rows: int, rng: np.random.Generator) -> Matrix:
    """Draw rows on the lines between a training row and one of its nearest neighbours.

    Both classes are drawn equally often, so that the rarer one is as well covered as the other.

    Parameters
    ----------
    rows : TrainingRows
        The training rows.
    n_rows : int
        How many to draw.
    rng : numpy.random.Generator
        Draws them.
    """
    scaled = fit_scaler("standard", rows.X, rows.weight).transform(rows.X)
    n_neighbours = min(N_NEIGHBOURS, len(scaled) - 1)
    share = class_weights(rows.pairs)
    first = rng.choice(len(scaled), n_rows, p=share / share.sum())
    _, neighbours = cKDTree(scaled).query(scaled[first], n_neighbours + 1)
    second = neighbours[np.arange(n_rows), rng.integers(1, n_neighbours + 1, n_rows)]
    along = rng.uniform(size=(n_rows, 1))
    return np.asarray(rows.X[first] + along * (rows.X[second] - rows.X[first]))
