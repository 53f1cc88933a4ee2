"""Columns with mean 0 and standard deviation 1 over the training rows."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from smoothrank.arrays import Matrix, Vector


class Standardised(NamedTuple):
    """Means μ_t, standard deviations σ_t, and the standardised columns z_t."""

    means: Vector
    spreads: Vector
    columns: Matrix


def standardise(values: Matrix, weight: Vector) -> Standardised:
    """Standardise columns over weighted rows; a constant column has σ_t := 1 and z_t = 0.

    Parameters
    ----------
    values : ndarray of shape (n, T)
        φ(x_i; q_t).
    weight : ndarray of shape (n,)
        The weight of each row.
    """
    means = np.average(values, axis=0, weights=weight)
    centred = values - means
    spreads = np.sqrt(np.average(centred**2, axis=0, weights=weight))
    constant = spreads <= 1e-12 * np.maximum(np.abs(means), np.finfo(float).tiny)
    spreads = np.where(constant, 1.0, spreads)
    columns = centred / spreads
    columns[:, constant] = 0.0
    return Standardised(means, spreads, columns)
