"""The parts of a score, as arrays: of every column, and of every feature.

Parts are differences from a typical row. Those of the columns sum to the difference of the scores,
and so do those of the features, which are Shapley values (`smoothrank.columns.shapley`).
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from smoothrank.arrays import Indices, Matrix, Vector
from smoothrank.columns.families.gaussian import Gaussian
from smoothrank.columns.shapley import bump_shapley
from smoothrank.columns.weighted import WeightedColumns
from smoothrank.errors import SmoothrankError


@dataclass(frozen=True, eq=False)
class Parts:
    """The parts of the scores of rows, as arrays.

    Parameters
    ----------
    scores : ndarray of shape (n,)
        The scores.
    typical : float
        The score of the typical row.
    closeness, by_column : ndarray of shape (n, T)
        φ, and what each column adds.
    typical_closeness : ndarray of shape (T,)
        φ at the typical row.
    by_feature : ndarray of shape (n, players)
        What each feature, or run of features, adds.
    """

    scores: Vector
    typical: float
    closeness: Matrix
    typical_closeness: Vector
    by_column: Matrix
    by_feature: Matrix


def parts_of(
    model: WeightedColumns,
    X: Matrix,
    typical: Vector,
    intercept: float,
    starts: Indices | None = None,
) -> Parts:
    """Return the parts of the scores of rows.

    Parameters
    ----------
    model : WeightedColumns
        A score whose columns are Gaussian bumps.
    X : ndarray of shape (n, d)
        Rows, in the units of the data.
    typical : ndarray of shape (d,)
        The typical row, in the units of the data.
    intercept : float
        What is added to all scores.
    starts : ndarray of int, optional
        The first feature of each run that counts as one; by default each feature counts alone.
    """
    points, weights = bumps_of(model)
    rate = model.weights / model.spreads
    scaled, reference = model.scaled(X), model.scaled(typical[None])[0]
    shapley = bump_shapley(scaled, reference, points, weights, starts)
    closeness = model.family.values(scaled, model.parameters)
    at_typical = model.family.values(reference[None], model.parameters)[0]
    return Parts(
        scores=model.score(X) + intercept,
        typical=float(model.score(typical[None])[0]) + intercept,
        closeness=closeness,
        typical_closeness=at_typical,
        by_column=(closeness - at_typical) * rate,
        by_feature=np.einsum("t,ntj->nj", rate, shapley),
    )


def bumps_of(model: WeightedColumns) -> tuple[Matrix, Matrix]:
    """Return the points and feature weights of a model of Gaussian bumps, in scaled units."""
    if not isinstance(model.family, Gaussian):
        raise SmoothrankError(
            "Only models of Gaussian bumps are explained feature by feature; take "
            'SmoothRanking(size="small"), or a number of columns.'
        )
    return model.family.points(model.parameters), model.family.feature_weights(model.parameters)
