"""Training rows in the form the fit works on: equal rows merged, zero weights removed."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from smoothrank.arrays import Indices, Matrix, Vector


@dataclass(frozen=True)
class Rows:
    """Distinct training rows.

    Parameters
    ----------
    X : ndarray of shape (n, d)
        The rows.
    is_positive : ndarray of bool
        Their class.
    weight : ndarray of float
        Their weight: the sum over the equal rows that were merged.
    position : ndarray of int
        For each row given the distinct row that it became, −1 for one of weight zero.
    """

    X: Matrix
    is_positive: npt.NDArray[np.bool_]
    weight: Vector
    position: Indices


def distinct_rows(
    X: Matrix, is_positive: npt.NDArray[np.bool_], weight: Vector, *, keep_order: bool
) -> Rows:
    """Merge rows that are equal in features and class, and leave out those of weight zero.

    A repeated row and a row of weight two then give the same result, bit for bit. The result is in
    lexicographic order, so that the order of the input cannot matter; `keep_order` asks for the
    order of first appearance instead.
    """
    used = weight > 0
    labelled: Matrix = np.column_stack((X[used] + 0.0, is_positive[used].astype(np.float64)))
    order = np.lexsort(labelled.T[::-1])
    ranked = labelled[order]
    starts = np.concatenate(([True], np.any(ranked[1:] != ranked[:-1], axis=1)))
    group = np.cumsum(starts) - 1
    total: Vector = np.bincount(group, weights=weight[used][order]).astype(np.float64)
    distinct = ranked[starts]
    place = np.empty(len(order), dtype=np.intp)
    place[order] = group
    if keep_order:
        appearance = np.argsort(np.minimum.reduceat(order, np.flatnonzero(starts)), kind="stable")
        distinct, total = distinct[appearance], total[appearance]
        place = np.argsort(appearance)[place]
    position = np.full(len(X), -1, dtype=np.intp)
    position[used] = place
    X = np.ascontiguousarray(distinct[:, :-1])
    return Rows(X, distinct[:, -1] > 0, total, position)
