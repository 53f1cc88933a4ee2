"""Why a row has its score: the part of every column and of every feature, and both in words.

Parts are differences from a typical row, the one with the median of every feature. Those of the
columns sum to the difference of the scores, and so do those of the features, which are Shapley
values (`smoothrank.columns.shapley`).
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from smoothrank.arrays import Indices, Matrix, Vector
from smoothrank.columns.families.gaussian import Gaussian
from smoothrank.columns.shapley import bump_shapley
from smoothrank.columns.weighted import WeightedColumns
from smoothrank.errors import SmoothrankError

MOST_NAMED = 4
"""The most features by which a column is described, and the most columns and features of a text."""

CLOSE = 0.5
NAMED_SHARE = 0.1


@dataclass(frozen=True)
class ColumnPart:
    """What one column adds to a score.

    Parameters
    ----------
    number : int
        The column, counted from 1 in the order of the model.
    part : float
        Its share of the score, above that of the typical row.
    closeness : float
        φ at the row: 1 at the column's point, 0 far away.
    place : str
        The column's point in words.
    """

    number: int
    part: float
    closeness: float
    place: str

    def __str__(self) -> str:
        near = "close to" if self.closeness >= CLOSE else "far from"
        return f"{near} column {self.number} ({self.place}): {_moves(self.part)}"


@dataclass(frozen=True)
class FeaturePart:
    """What the value of one feature adds to a score."""

    name: str
    value: float
    part: float

    def __str__(self) -> str:
        return f"{self.name} {self.value:.4g} {_moves(self.part)}"


@dataclass(frozen=True)
class Explanation:
    """Why a row has its score.

    Parameters
    ----------
    score, typical : float
        The score of the row, and that of the typical row.
    columns : tuple of ColumnPart
        All columns, the largest part first.
    features : tuple of FeaturePart
        All features, the largest part first.
    """

    score: float
    typical: float
    columns: tuple[ColumnPart, ...]
    features: tuple[FeaturePart, ...]

    def __str__(self) -> str:
        lines = [f"score {self.score:.3g}; a typical row has {self.typical:.3g}"]
        lines += [f"  {part}" for part in self.columns[:MOST_NAMED]]
        named = "; ".join(str(part) for part in self.features[:MOST_NAMED])
        lines.append(f"  the features that matter: {named}")
        return "\n".join(lines)


def explain_rows(
    model: WeightedColumns,
    X: Matrix,
    typical: Vector,
    intercept: float,
    names: Sequence[str],
) -> list[Explanation]:
    """Return an explanation of each row.

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
    names : sequence of str
        The names of the features.
    """
    points, weights = _bumps(model)
    rate = model.weights / model.spreads
    scaled, reference = model.scaled(X), model.scaled(typical[None])[0]
    by_feature = np.einsum("t,ntj->nj", rate, bump_shapley(scaled, reference, points, weights))
    closeness = model.family.values(scaled, model.parameters)
    at_typical = model.family.values(reference[None], model.parameters)[0]
    by_column = (closeness - at_typical) * rate
    base = float(model.score(typical[None])[0]) + intercept
    scores = model.score(X) + intercept
    places = [place_of(model, t, names) for t in range(len(rate))]
    return [
        Explanation(
            score=float(scores[i]),
            typical=base,
            columns=tuple(
                ColumnPart(int(t) + 1, float(by_column[i, t]), float(closeness[i, t]), places[t])
                for t in _largest(by_column[i])
            ),
            features=tuple(
                FeaturePart(str(names[j]), float(X[i, j]), float(by_feature[i, j]))
                for j in _largest(by_feature[i])
            ),
        )
        for i in range(len(X))
    ]


def model_text(model: WeightedColumns, names: Sequence[str], intercept: float) -> str:
    """Return the model in words: each column's point, what it does to the score, and how wide.

    Parameters
    ----------
    model : WeightedColumns
        A score whose columns are Gaussian bumps.
    names : sequence of str
        The names of the features.
    intercept : float
        What is added to all scores.
    """
    rate = model.weights / model.spreads
    base = intercept - float(rate @ model.means)
    lines = [f"score = {base:.3g} + the sum over {len(rate)} columns; a row close to"]
    lines += [
        f"{number:>4}. {place_of(model, number - 1, names)}: {_moves(value)}"
        for number, value in enumerate(rate, 1)
    ]
    return "\n".join(lines)


def place_of(model: WeightedColumns, column: int, names: Sequence[str]) -> str:
    """Return a column's point by the features that decide who is close to it, heaviest first."""
    _, weights = _bumps(model)
    weight = np.abs(weights[column])
    order = [int(j) for j in np.argsort(-weight, kind="stable")[:MOST_NAMED]]
    kept = [j for j in order if weight[j] >= NAMED_SHARE * weight.max(initial=0.0)]
    point = model.in_data_units()[column]
    return ", ".join(f"{names[j]} {point[j]:.4g}" for j in kept)


def _bumps(model: WeightedColumns) -> tuple[Matrix, Matrix]:
    if not isinstance(model.family, Gaussian):
        raise SmoothrankError(
            "Only models of Gaussian bumps are explained feature by feature; take "
            'SmoothRanking(size="small"), or a number of columns.'
        )
    return model.family.points(model.parameters), model.family.feature_weights(model.parameters)


def _largest(parts: Vector) -> Indices:
    return np.argsort(-np.abs(parts), kind="stable")


def _moves(part: float) -> str:
    return f"{'raises' if part >= 0 else 'lowers'} the score by {abs(part):.2g}"
