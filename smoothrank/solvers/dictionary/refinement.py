"""Refine a column of a dictionary by gradient ascent on its reduced cost.

The reduced cost of a standardised column is g(q) = γ·φ(q) / σ(q), because Σ_i γ_i = 0. With the
shares v_i of the training rows and z = (φ − μ) / σ,

    ∇g(q) = (1/σ) Σ_i (γ_i − g v_i z_i) ∇φ(x_i; q),

which is the gradient that a family knows (`ColumnFamily.tensor_price`), for other duals. Adam
climbs |g| from the column of the dictionary.
"""

from __future__ import annotations

import os
from functools import cache
from typing import Any

import numpy as np

from smoothrank.arrays import Vector
from smoothrank.columns.base import ColumnFamily
from smoothrank.columns.standardising import standardise
from smoothrank.solvers.dictionary.dictionary import Atom, Source

STEPS = 200
LEARNING_RATE = 0.02
"""Steps of Adam and their size, in the units of standardised features."""

_BETA_1, _BETA_2, _EPSILON = 0.9, 0.999, 1e-7
_FLAT = 1e-12


def refined(atom: Atom, source: Source, duals: Vector, weight: Vector) -> Atom:
    """Return the column of largest |g| on the way of Adam; the given one if none is better.

    Parameters
    ----------
    atom : Atom
        Where to start.
    source : Source
        Its family and view.
    duals : ndarray of shape (n,)
        γ.
    weight : ndarray of shape (n,)
        The weights of the training rows.
    """
    best, top = atom, abs(float(duals @ atom.column))
    at, m, v = atom, np.zeros_like(atom.parameters), np.zeros_like(atom.parameters)
    for step in range(1, STEPS + 1):
        gradient = np.sign(duals @ at.column) * cost_gradient(at, source, duals, weight)
        if np.abs(gradient).max() <= _FLAT:
            break
        m = _BETA_1 * m + (1.0 - _BETA_1) * gradient
        v = _BETA_2 * v + (1.0 - _BETA_2) * gradient**2
        rate = LEARNING_RATE * np.sqrt(1.0 - _BETA_2**step) / (1.0 - _BETA_1**step)
        at = atom_of(
            source, atom.source, at.parameters + rate * m / (np.sqrt(v) + _EPSILON), weight
        )
        if abs(float(duals @ at.column)) > top:
            best, top = at, abs(float(duals @ at.column))
    return best


def cost_gradient(atom: Atom, source: Source, duals: Vector, weight: Vector) -> Vector:
    """Return ∇g, the gradient of the reduced cost γ·z in the parameters of a column."""
    price, share = float(duals @ atom.column), weight / weight.sum()
    others = (duals - price * share * atom.column) / atom.spread
    return np.asarray(_gradient(source.family)(source.X.T, others, atom.parameters))


def atom_of(source: Source, number: int, parameters: Vector, weight: Vector) -> Atom:
    """Return the column of some parameters on the training rows."""
    values = source.family.values(source.X, parameters[None])
    means, spreads, columns = standardise(values, weight)
    return Atom(number, parameters, float(means[0]), float(spreads[0]), columns[:, 0])


@cache
def _gradient(family: ColumnFamily) -> Any:
    """Compile the gradient of a family's price for any number of rows and features."""
    os.environ.setdefault("TF_CPP_MIN_LOG_LEVEL", "3")
    os.environ.setdefault("TF_ENABLE_ONEDNN_OPTS", "0")
    import tensorflow as tf

    real = tf.float64

    @tf.function(
        autograph=False,
        input_signature=[
            tf.TensorSpec([None, None], real),
            tf.TensorSpec([None], real),
            tf.TensorSpec([None], real),
        ],
    )
    def gradient(X: Any, duals: Any, q: Any) -> Any:
        return family.tensor_price(X, duals, q)[1]

    return gradient
