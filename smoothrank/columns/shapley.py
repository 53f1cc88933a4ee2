"""Exact Shapley values of the features in a Gaussian bump.

A bump is a product over the features, φ(x) = Π_j e_j(x_j) with e_j = exp(−b_j² (x_j − q_j)²). In
the game whose players are the features, where an absent feature has the value it has in a reference
row x⁰, the Shapley value of feature j is

    ∫₀¹ (e_j(x_j) − e_j(x⁰_j)) Π_{k≠j} (t e_k(x_k) + (1 − t) e_k(x⁰_k)) dt,

the derivative of the game's multilinear extension along its diagonal. The integrand is a polynomial
in t of degree d − 1, so that Gauss–Legendre quadrature with d/2 nodes is exact: no sampling, and no
sum over subsets. The values of all features sum to φ(x) − φ(x⁰).

A player may also be a run of features, such as the levels of one column of a table: its factor is
the product of theirs.
"""

from __future__ import annotations

import numpy as np

from smoothrank.arrays import Indices, Matrix, Vector

_MOST_NODES = 64
_TINY = 1e-300


def bump_shapley(
    X: Matrix,
    reference: Vector,
    points: Matrix,
    feature_weights: Matrix,
    starts: Indices | None = None,
) -> Matrix:
    """Return the Shapley value of each player in each bump for each row; shape (n, T, players).

    Parameters
    ----------
    X : ndarray of shape (n, d)
        Rows, in scaled units.
    reference : ndarray of shape (d,)
        x⁰.
    points, feature_weights : ndarray of shape (T, d)
        q_t and b_t.
    starts : ndarray of int, optional
        The first feature of each player, increasing from 0; by default each feature is a player.
    """
    present = _factors(X[:, None, :] - points, feature_weights, starts)
    absent = _factors(reference - points, feature_weights, starts)
    nodes, shares = np.polynomial.legendre.leggauss(min(_MOST_NODES, present.shape[2] // 2 + 1))
    total = np.zeros_like(present)
    for node, share in zip((nodes + 1.0) / 2.0, shares / 2.0, strict=True):
        mixed = np.maximum(node * present + (1.0 - node) * absent, _TINY)
        logarithms = np.log(mixed)
        others = np.exp(logarithms.sum(axis=2, keepdims=True) - logarithms)
        total += share * others
    return np.asarray((present - absent) * total)


def _factors(differences: Matrix, feature_weights: Matrix, starts: Indices | None) -> Matrix:
    exponents = (feature_weights * differences) ** 2
    if starts is not None:
        exponents = np.add.reduceat(exponents, starts, axis=-1)
    return np.asarray(np.exp(-exponents))
