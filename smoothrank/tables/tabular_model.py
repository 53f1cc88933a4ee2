"""A model of a table: raw rows as the user's file has them in, scores and labels out."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property
from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt
import pandas as pd

from smoothrank.arrays import Indices, Matrix, Vector
from smoothrank.columns.weighted import WeightedColumns
from smoothrank.datasets.options import UNKNOWN_STYLE, TableStyle
from smoothrank.estimators.score import score_of
from smoothrank.estimators.threshold import EQUAL_COSTS
from smoothrank.tables.columns import TableColumn, level_texts
from smoothrank.tables.encoded_rows import EncodedRows
from smoothrank.tables.encoder import (
    TableEncoder,
    encode_rows,
    in_feature_order,
    plain_columns,
)
from smoothrank.tables.one_hot import Column, Encoder, EncodingError
from smoothrank.tables.one_row import RowEncoder
from smoothrank.tables.profile import Profile

WEIGHT = "weight"
OTHERS = "others"
INTERCEPT = "intercept"

SHOWN_SHARE = 1e-3
"""A training row's weight is shown when it is at least this share of the heaviest."""


class ScoredRow(NamedTuple):
    """Score, probability of the positive class, and class of one row."""

    score: float
    probability: float
    label: str


@dataclass(frozen=True, eq=False)
class TabularModel:
    """Encoder and classifier in one, with the names of the target and its labels.

    Columns are found by their names; others, such as the target, are ignored.

    Parameters
    ----------
    encoder : TableEncoder or Encoder
        Fitted on the raw input columns.
    classifier : estimator
        Fitted on the encoded rows and y of −1 and +1.
    target : str
        The target column of the training file.
    negative, positive : str
        Its labels.
    style : TableStyle
        How the training file was written, for what other files may leave open.
    profile : Profile, optional
        How the training rows are distributed, so that drift of others can be noticed.
    threshold : float
        The probability at or above which a row is positive; see `smoothrank.estimators.threshold`.
    """

    encoder: TableEncoder | Encoder
    classifier: Any
    target: str
    negative: str
    positive: str
    threshold: float = EQUAL_COSTS
    profile: Profile | None = None
    style: TableStyle = UNKNOWN_STYLE

    @property
    def columns(self) -> tuple[Column, ...] | tuple[TableColumn, ...]:
        """The raw input columns that are needed, as the encoder learnt them."""
        return self.encoder.columns_

    @property
    def has_prototypes(self) -> bool:
        """Whether the score is a weighted sum of columns that can be shown."""
        return isinstance(self.classifier.model_, WeightedColumns)

    @property
    def features(self) -> list[str]:
        """The names of the encoded features."""
        return [str(name) for name in self.encoder.get_feature_names_out()]

    def encode_rows(self, frame: pd.DataFrame, *, strict: bool | None = None) -> EncodedRows:
        """Return the features of raw rows, and which rows differ from the training rows.

        Parameters
        ----------
        frame : pandas.DataFrame
            Raw rows, the columns in any order; those not needed are ignored.
        strict : bool, optional
            Whether to refuse levels never seen, values that cannot be read, and missing ones
            where none were missing. Unless given, a `TableEncoder` takes them and an `Encoder`
            refuses them.

        Raises
        ------
        EncodingError
            If there are no rows, a column is missing, or a value is refused.
        """
        self._check_columns(frame)
        if len(frame) == 0:
            raise EncodingError("there are no rows to score")
        if isinstance(self.encoder, TableEncoder):
            return self.encoder.encode(frame, strict=bool(strict))
        if strict is False:
            return encode_rows(plain_columns(self.encoder), frame)
        rows = _as_levels(self.encoder.columns_, frame)
        return EncodedRows(self.encoder.transform(rows), frame.index)

    def _check_columns(self, frame: pd.DataFrame) -> None:
        """Say which columns are missing before anything else; a frame of nothing has none."""
        given = {str(name) for name in frame.columns}
        absent = [column.name for column in self.columns if column.name not in given]
        if given and absent:
            raise EncodingError(f"missing columns: {', '.join(map(repr, absent))}")

    def encode(self, frame: pd.DataFrame) -> Matrix:
        """Return the features of raw rows."""
        return self.encode_rows(frame).features

    def decision_function(self, frame: pd.DataFrame) -> Vector:
        """Return the score of raw rows; higher means more likely positive."""
        return np.asarray(self.classifier.decision_function(self.encode(frame)))

    def predict_proba(self, frame: pd.DataFrame) -> Vector:
        """Return the probability of the positive class."""
        return np.asarray(self.classifier.predict_proba(self.encode(frame))[:, 1])

    def predict(self, frame: pd.DataFrame) -> npt.NDArray[np.object_]:
        """Return the label of each row, as the training file writes it."""
        return self._labels(self.predict_proba(frame))

    def scored(self, frame: pd.DataFrame | EncodedRows) -> pd.DataFrame:
        """Return score, probability of the positive class, and class of rows."""
        features, index = self._features(frame)
        score, probability = self._scores(features)
        return pd.DataFrame(
            {"score": score, "probability": probability, "class": self._labels(probability)},
            index=index,
            copy=False,
        )

    def score_row(self, row: Mapping[str, Any]) -> ScoredRow:
        """Return what `scored` does of one row, many times as fast.

        Parameters
        ----------
        row : mapping
            A value for each column of the training file; others are ignored.

        Raises
        ------
        EncodingError
            If a column is missing, or a value is refused.
        """
        features = self._row_encoder.features(row)
        if features is None:
            features = self.encode(pd.DataFrame([dict(row)]))
        score, probability = self._scores(features)
        return ScoredRow(float(score[0]), float(probability[0]), self._labels(probability)[0])

    def _scores(self, features: Matrix) -> tuple[Vector, Vector]:
        """Return score and probability of the positive class of encoded rows."""
        score = self.classifier.score_rows(features)
        return score, self.classifier.calibrated(score)

    def _features(self, frame: pd.DataFrame | EncodedRows) -> tuple[Matrix, pd.Index]:
        """Return the features of rows, of a single one without the work of a table."""
        if isinstance(frame, pd.DataFrame) and len(frame) == 1:
            names = [str(name) for name in frame.columns.tolist()]
            row = dict(zip(names, frame.to_numpy(object)[0].tolist(), strict=True))
            features = self._row_encoder.features(row) if len(row) == len(names) else None
            if features is not None:
                return features, frame.index
        rows = self._encoded(frame)
        return rows.features, rows.index

    @cached_property
    def _row_encoder(self) -> RowEncoder:
        if isinstance(self.encoder, TableEncoder):
            return RowEncoder(in_feature_order(self.encoder.columns_), strict=False)
        return RowEncoder(in_feature_order(plain_columns(self.encoder)), strict=True)

    def _encoded(self, frame: pd.DataFrame | EncodedRows) -> EncodedRows:
        return frame if isinstance(frame, EncodedRows) else self.encode_rows(frame)

    def _labels(self, probability: Vector) -> npt.NDArray[np.object_]:
        is_positive = probability >= self.threshold
        return np.where(is_positive, self.positive, self.negative).astype(object)

    def contributions(self, frame: pd.DataFrame | EncodedRows) -> pd.DataFrame:
        """Return what each prototype adds to the score of each row, w_t z_t(x), heaviest first.

        The last column, `intercept`, is the same for every row; all columns sum to the score. A
        method that weighs every training row has those of little weight together in `others`.
        """
        score = score_of(self.classifier)
        rows = self._encoded(frame)
        added = score.columns(rows.features) * score.weights
        shown = self._shown(score.weights)
        names = _names(len(shown))
        table = pd.DataFrame(added[:, shown], index=rows.index, columns=names)
        if len(shown) < len(score.weights):
            table[OTHERS] = np.delete(added, shown, axis=1).sum(axis=1)
        table[INTERCEPT] = float(self.classifier.intercept_)
        return table

    def prototype_table(self) -> pd.DataFrame:
        """Return the prototypes, heaviest first: weight, and features in the data's units."""
        score = score_of(self.classifier)
        shown = self._shown(score.weights)
        index = pd.Index(_names(len(shown)), name="prototype")
        table = pd.DataFrame(score.in_data_units()[shown], index=index, columns=self.features)
        name = WEIGHT
        while name in table.columns:
            name = f"prototype {name}"
        table.insert(0, name, score.weights[shown])
        return table

    def _shown(self, weights: Vector) -> Indices:
        """Return the prototypes, heaviest first; of training rows only those that matter."""
        order: Indices = np.argsort(-np.abs(weights), kind="stable")
        if not hasattr(self.classifier, "reference_rows_"):
            return order
        least = SHOWN_SHARE * np.abs(weights).max(initial=0.0)
        return order[: int(np.sum(np.abs(weights) >= least))]


def _names(count: int) -> list[str]:
    return [f"prototype_{number}" for number in range(1, count + 1)]


def _as_levels(columns: tuple[Column, ...], frame: pd.DataFrame) -> pd.DataFrame:
    """Return the known columns; levels as texts, where a reader took them for numbers."""
    rows = frame[[column.name for column in columns if column.name in frame.columns]]
    if not rows.columns.is_unique:
        return rows
    rows = rows.copy()
    for column in columns:
        if column.levels is None or column.name not in rows.columns:
            continue
        if pd.api.types.is_float_dtype(rows[column.name].dtype):
            texts = level_texts(rows[column.name], column.levels)
            rows[column.name] = pd.Series(texts, index=rows.index, dtype=object)
    return rows
