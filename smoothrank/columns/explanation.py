"""Why a row has its score: the part of every column and of every feature, and both in words.

Parts (`smoothrank.columns.score_parts`) are differences from a typical row, the one with the median
of every feature.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

import numpy as np

from smoothrank.arrays import Indices, Matrix, Vector
from smoothrank.columns.score_parts import Parts, bumps_of, parts_of
from smoothrank.columns.weighted import WeightedColumns

MOST_NAMED = 4
"""The most features by which a column is described, and the most columns and features of a text."""

NAMED_SHARE = 0.1

Say = Callable[[int, float], str]
"""Says in words that a feature, given by its number, has a value."""


@dataclass(frozen=True)
class ColumnPart:
    """What one column adds to a score.

    Parameters
    ----------
    number : int
        The column, counted from 1 in the order of the model.
    part : float
        Its share of the score, above that of the typical row.
    closeness, typical : float
        φ at the row and at the typical row: 1 at the column's point, 0 far away.
    place : str
        The column's point in words.
    noun : str
        What a column is called.
    """

    number: int
    part: float
    closeness: float
    typical: float
    place: str
    noun: str = "column"

    @property
    def where(self) -> str:
        """Where the row is, compared with the typical row."""
        side = "closer to" if self.closeness >= self.typical else "farther from"
        return f"{side} {self.noun} {self.number} ({self.place})"

    def __str__(self) -> str:
        return f"{self.where}: {moves(self.part)}"


@dataclass(frozen=True)
class FeaturePart:
    """What the value of one feature adds to a score.

    Parameters
    ----------
    name : str
        The feature.
    value : float or str or None
        Its value: a number, a level, or None where it is missing.
    part : float
        Its share of the score, above that of the typical row.
    """

    name: str
    value: float | str | None
    part: float

    @property
    def said(self) -> str:
        """Name and value in words."""
        if self.value is None:
            return f"{self.name} is missing"
        if isinstance(self.value, str):
            return f"{self.name} is {self.value}"
        return f"{self.name} {self.value:.4g}"

    def __str__(self) -> str:
        return f"{self.said} {moves(self.part)}"


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
        lines = [f"score {self.score:.3g}; a typical row has {self.typical:.3g}, and this one is"]
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
    model, X, typical, intercept
        As for `parts_of`.
    names : sequence of str
        The names of the features.
    """
    parts = parts_of(model, X, typical, intercept)
    places = [place_of(model, t, named(names)) for t in range(model.n_columns)]
    return [
        Explanation(
            score=float(parts.scores[row]),
            typical=parts.typical,
            columns=column_parts(parts, row, places),
            features=tuple(
                FeaturePart(str(names[j]), float(X[row, j]), float(parts.by_feature[row, j]))
                for j in largest(parts.by_feature[row])
            ),
        )
        for row in range(len(X))
    ]


def column_parts(
    parts: Parts, row: int, places: Sequence[str], noun: str = "column"
) -> tuple[ColumnPart, ...]:
    """Return what each column adds to the score of a row, the largest part first.

    Parameters
    ----------
    parts : Parts
        The parts of all rows.
    row : int
        Which row.
    places : sequence of str
        The point of each column in words.
    noun : str
        What a column is called.
    """
    return tuple(
        ColumnPart(
            number=int(t) + 1,
            part=float(parts.by_column[row, t]),
            closeness=float(parts.closeness[row, t]),
            typical=float(parts.typical_closeness[t]),
            place=places[t],
            noun=noun,
        )
        for t in largest(parts.by_column[row])
    )


def named(names: Sequence[str]) -> Say:
    """Return the plainest way to say values: name and number."""
    return lambda feature, value: f"{names[feature]} {value:.4g}"


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
        f"{number:>4}. {place_of(model, number - 1, named(names))}: {moves(value)}"
        for number, value in enumerate(rate, 1)
    ]
    return "\n".join(lines)


def place_of(model: WeightedColumns, column: int, say: Say) -> str:
    """Return a column's point by the features that decide who is close to it, heaviest first."""
    _, weights = bumps_of(model)
    weight = np.abs(weights[column])
    order = [int(j) for j in np.argsort(-weight, kind="stable")[:MOST_NAMED]]
    kept = [j for j in order if weight[j] >= NAMED_SHARE * weight.max(initial=0.0)]
    point = model.in_data_units()[column]
    return ", ".join(say(j, float(point[j])) for j in kept)


def largest(parts: Vector) -> Indices:
    """Return the order in which the largest parts come first, whatever their sign."""
    return np.argsort(-np.abs(parts), kind="stable")


def moves(part: float) -> str:
    """Say what a part does to the score."""
    return f"{'raises' if part >= 0 else 'lowers'} the score by {abs(part):.2g}"
