"""A score of columns from several families in words, and why a row has its score."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from smoothrank.arrays import Matrix, Vector
from smoothrank.columns.explanation import ColumnPart, Explanation, FeaturePart, largest, moves
from smoothrank.columns.mixed.mixed_columns import MixedColumns
from smoothrank.columns.weighted import WeightedColumns


@dataclass(frozen=True)
class MixedColumnPart(ColumnPart):
    """What one column of any family adds to a score; `closeness` and `typical` are values of φ."""

    @property
    def where(self) -> str:
        """Where the row is, compared with the typical row."""
        side = "higher" if self.closeness >= self.typical else "lower"
        return f"{side} on {self.noun} {self.number} ({self.place})"


def describe_columns(model: MixedColumns, names: Sequence[str]) -> list[str]:
    """Return each column in words, its point in the units of the data."""
    return [words for block in model.blocks for words in _describe_block(block, names)]


def _describe_block(block: WeightedColumns, names: Sequence[str]) -> list[str]:
    points = block.in_data_units()
    rest = block.parameters[:, points.shape[1] :]
    return [block.family.describe(row, names) for row in np.hstack((points, rest))]


def mixed_text(model: MixedColumns, names: Sequence[str], intercept: float) -> str:
    """Return the model in words: each column, and what one standard deviation of it does.

    Parameters
    ----------
    model : MixedColumns
        The score.
    names : sequence of str
        The names of the features.
    intercept : float
        What is added to all scores.
    """
    head = f"score = {intercept:.3g} + the sum over {model.n_columns} columns; a standard deviation"
    weights = model.weights
    lines = [
        f"{number:>4}. {words}: {moves(weight)}"
        for number, (words, weight) in enumerate(
            zip(describe_columns(model, names), weights, strict=True), 1
        )
    ]
    return "\n".join([f"{head} more of", *lines])


def explain_mixed(
    model: MixedColumns, X: Matrix, typical: Vector, intercept: float, names: Sequence[str]
) -> list[Explanation]:
    """Return an explanation of each row.

    The parts of the columns sum to the difference between the score and that of the typical row,
    and so do those of the features (`ColumnFamily.feature_parts`).

    Parameters
    ----------
    model : MixedColumns
        The score.
    X : ndarray of shape (n, d)
        Rows, in the units of the data.
    typical : ndarray of shape (d,)
        The typical row, in the units of the data.
    intercept : float
        What is added to all scores.
    names : sequence of str
        The names of the features.
    """
    values, at_typical = model.columns(X), model.columns(typical[None])[0]
    by_column = (values - at_typical) * model.weights
    by_feature = _feature_parts(model, X, typical)
    scores = values @ model.weights + intercept
    base = float(at_typical @ model.weights) + intercept
    places = describe_columns(model, names)
    return [
        Explanation(
            score=float(scores[row]),
            typical=base,
            columns=tuple(
                MixedColumnPart(
                    int(t) + 1, float(by_column[row, t]), float(values[row, t]),
                    float(at_typical[t]), places[t],
                )
                for t in largest(by_column[row])
            ),
            features=tuple(
                FeaturePart(str(names[j]), float(X[row, j]), float(by_feature[row, j]))
                for j in largest(by_feature[row])
            ),
        )
        for row in range(len(X))
    ]  # fmt: skip


def _feature_parts(model: MixedColumns, X: Matrix, typical: Vector) -> Matrix:
    """Return the part of each feature in the scores of rows; shape (n, d)."""
    parts = np.zeros(X.shape)
    for block in model.blocks:
        of_columns = block.family.feature_parts(
            block.scaled(X), block.scaled(typical[None])[0], block.parameters
        )
        parts += np.einsum("t,ntj->nj", block.weights / block.spreads, of_columns)
    return parts
