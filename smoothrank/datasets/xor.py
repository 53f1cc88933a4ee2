"""The noisy XOR problem of the paper's Figure 1, and how much a curve of AUC goes up and down.

The paper shows four noisy clusters and gives no numbers; those here are our own.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from smoothrank.arrays import Labels, Matrix
from smoothrank.errors import SmoothrankError

CORNERS = np.array([[0.0, 0.0], [1.0, 1.0], [0.0, 1.0], [1.0, 0.0]])
"""Centres of the clusters; the first two are positive."""

SIGNS = np.array([1, 1, -1, -1])


def noisy_xor(n_rows: int, noise: float, rng: np.random.Generator) -> tuple[Matrix, Labels]:
    """Draw rows around the corners of the unit square, opposite corners of the same class.

    Parameters
    ----------
    n_rows : int
        Rows; each corner has the same number of them, up to one.
    noise : float
        Standard deviation of the noise in each coordinate.
    rng : numpy.random.Generator
        Where the noise and the order of the rows come from.

    Returns
    -------
    X, y : ndarray of shape (n_rows, 2) and (n_rows,)
        Coordinates, and labels +1 or −1.
    """
    if n_rows < len(CORNERS) or not noise >= 0.0:
        raise SmoothrankError(
            "the XOR problem needs four rows at least and noise of zero or more, not "
            f"{n_rows} rows and noise {noise}"
        )
    corner = rng.permutation(np.arange(n_rows) % len(CORNERS))
    return CORNERS[corner] + rng.normal(0.0, noise, size=(n_rows, 2)), SIGNS[corner]


def total_change(aucs: Sequence[float]) -> float:
    """Return the sum of |changes| between iterations: zero for a constant curve."""
    return float(np.sum(np.abs(np.diff(np.asarray(aucs, dtype=np.float64)))))


def total_drop(aucs: Sequence[float]) -> float:
    """Return the sum of the drops between iterations: zero for a curve that never falls."""
    return float(np.sum(np.maximum(-np.diff(np.asarray(aucs, dtype=np.float64)), 0.0)))


def largest_drop(aucs: Sequence[float]) -> float:
    """Return the largest drop between two iterations."""
    return float(np.max(np.maximum(-np.diff(np.asarray(aucs, dtype=np.float64)), 0.0), initial=0.0))
