"""The parts of the features in a column: exact Shapley values of bumps, and shares of any distance.

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
_ROUNDING = 1e-12


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


def shares_of_terms(terms: Matrix, at_reference: Matrix, change: Matrix) -> Matrix:
    """Return the Aumann–Shapley values of the terms in a function of their sum.

    A column φ = f(Σ_j a_j), with a_j = c_j at a reference row, changes on the straight line between
    the two by ∫₀¹ f'(Σ_k c_k + t Σ_k (a_k − c_k)) dt · Σ_j (a_j − c_j), of which feature j has

        (a_j − c_j) · (φ(x) − φ(x⁰)) / Σ_k (a_k − c_k).

    A feature whose term is that of the reference row has no part, and all parts sum to
    φ(x) − φ(x⁰). Where the terms change but not their sum, all parts are zero.

    Parameters
    ----------
    terms : ndarray of shape (n, T, d)
        a.
    at_reference : ndarray of shape (T, d)
        c.
    change : ndarray of shape (n, T)
        φ(x) − φ(x⁰).
    """
    differences = terms - at_reference
    total = differences.sum(axis=2)
    same = np.abs(total) <= _ROUNDING * np.abs(differences).sum(axis=2)
    slope = np.divide(change, total, out=np.zeros_like(change), where=~same)
    return np.asarray(differences * slope[:, :, None])
