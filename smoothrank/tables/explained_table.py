"""Why the rows of a table have their scores: by prototype, and by column of the table.

A column of levels, or a date, is several features to the model and one to people: its part is the
exact Shapley value of them all as one player.
"""

from __future__ import annotations

import math
from collections.abc import Iterator

import numpy as np
import pandas as pd

from smoothrank.arrays import Vector
from smoothrank.columns.explanation import Explanation, FeaturePart, column_parts, largest, place_of
from smoothrank.columns.families.gaussian import Gaussian
from smoothrank.columns.score_parts import Parts, parts_of
from smoothrank.columns.weighted import WeightedColumns
from smoothrank.estimators.score import score_of
from smoothrank.tables.columns import TableColumn, days, level_texts, numbers
from smoothrank.tables.encoded_rows import EncodedRows
from smoothrank.tables.feature_words import (
    column_starts,
    day_text,
    encoded_columns,
    feature_words,
    one_line,
)
from smoothrank.tables.tabular_model import TabularModel

BECAUSE = "because"
TYPICAL = "typical"
PART = "part_"

PROTOTYPES_NAMED = 2
COLUMNS_NAMED = 3
"""How many prototypes, and how many columns of the table, the reason for a score names."""

MOST_CELLS = 1_000_000
"""Rows are explained in parts of about so many numbers."""


def can_be_explained(model: TabularModel) -> bool:
    """Return whether scores have a part for each column: a sum of bumps and a typical row."""
    return (
        model.has_prototypes
        and isinstance(score_of(model.classifier).family, Gaussian)
        and hasattr(model.classifier, "typical_row_")
    )


class ExplainedTable:
    """Explains scores by prototypes, heaviest first as everywhere, and by the table's columns.

    Parameters
    ----------
    model : TabularModel
        A model for which `can_be_explained` holds.
    """

    def __init__(self, model: TabularModel) -> None:
        score = score_of(model.classifier)
        self.model = model
        self.score: WeightedColumns = score.only(np.argsort(-np.abs(score.weights), kind="stable"))
        self.columns = encoded_columns(model.encoder)
        self.words = feature_words(model.encoder)

    @property
    def names(self) -> list[str]:
        """The table's columns, in the order of their parts."""
        return [one_line(column.name) for column in self.columns]

    @property
    def effects(self) -> Vector:
        """By how much the score of a row at each prototype is above that of a row far away."""
        return np.asarray(self.score.weights / self.score.spreads)

    @property
    def base(self) -> float:
        """The score of a row far from every prototype."""
        return float(self.model.classifier.intercept_) - float(self.effects @ self.score.means)

    @property
    def places(self) -> list[str]:
        """Each prototype in words."""
        words = self.words
        return [
            place_of(self.score, number, lambda feature, value: words[feature].said(value))
            for number in range(self.score.n_columns)
        ]

    def explain(self, frame: pd.DataFrame) -> list[Explanation]:
        """Return an explanation of each raw row."""
        found: list[Explanation] = []
        for rows, parts in self._parts(self.model.encode_rows(frame)):
            found += self._explained(frame.iloc[rows], parts)
        return found

    def mean_parts(self, frame: pd.DataFrame) -> Vector:
        """Return how far each column moves a score from that of a typical row, on average."""
        encoded = self.model.encode_rows(frame)
        total = sum(np.abs(parts.by_feature).sum(axis=0) for _, parts in self._parts(encoded))
        return np.asarray(total) / len(frame)

    def reasons(self, frame: pd.DataFrame, encoded: EncodedRows | None = None) -> pd.DataFrame:
        """Return the part of each column, the typical row's score, and the reason in words.

        The parts and `typical` sum to the score.

        Parameters
        ----------
        frame : pandas.DataFrame
            Raw rows.
        encoded : EncodedRows, optional
            The same, encoded.
        """
        rows = self.model.encode_rows(frame) if encoded is None else encoded
        blocks = list(self._parts(rows))
        table = pd.DataFrame(
            np.vstack([parts.by_feature for _, parts in blocks]),
            index=rows.index,
            columns=[f"{PART}{name}" for name in self.names],
        )
        table[TYPICAL] = blocks[0][1].typical
        table[BECAUSE] = [
            reason_of(one)
            for place, parts in blocks
            for one in self._explained(frame.iloc[place], parts)
        ]
        return table

    def _explained(self, frame: pd.DataFrame, parts: Parts) -> Iterator[Explanation]:
        names, places = self.names, self.places
        values = [_values(column, frame[column.name]) for column in self.columns]
        for row, score in enumerate(parts.scores.tolist()):
            yield Explanation(
                score=score,
                typical=parts.typical,
                columns=column_parts(parts, row, places, "prototype"),
                features=tuple(
                    FeaturePart(names[j], values[j][row], float(parts.by_feature[row, j]))
                    for j in largest(parts.by_feature[row])
                ),
            )

    def _parts(self, encoded: EncodedRows) -> Iterator[tuple[slice, Parts]]:
        """Return the parts of rows, some of them at a time."""
        features = encoded.features
        step = max(1, MOST_CELLS // max(1, features.shape[1] * self.score.n_columns))
        classifier, starts = self.model.classifier, column_starts(self.columns)
        for start in range(0, len(features), step):
            rows = slice(start, start + step)
            yield (
                rows,
                parts_of(
                    *(self.score, features[rows], classifier.typical_row_),
                    *(float(classifier.intercept_), starts),
                ),
            )


def reason_of(explanation: Explanation) -> str:
    """Say in one line why a row has its score: prototypes and columns with the largest parts."""
    near = [f"{one.where}: {one.part:+.2g}" for one in explanation.columns if one.part != 0.0]
    named = [f"{one.said} ({one.part:+.2g})" for one in explanation.features if one.part != 0.0]
    if not named:
        return "a typical row"
    return "; ".join([*near[:PROTOTYPES_NAMED], f"above all {', '.join(named[:COLUMNS_NAMED])}"])


def _values(column: TableColumn, cells: pd.Series) -> list[float | str | None]:
    """Return the values of a column for people; None where one is missing or cannot be read."""
    if column.kind == "levels":
        texts = level_texts(cells, (*(column.levels or ()), *(column.rare or ())))
        return [None if text is None else one_line(text) for text in texts]
    if column.kind == "number":
        return [value if math.isfinite(value) else None for value in numbers(cells).tolist()]
    return [day_text(value) if math.isfinite(value) else None for value in days(cells).tolist()]
