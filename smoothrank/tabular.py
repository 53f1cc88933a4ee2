"""A model of a table: raw rows as the user's file has them in, scores and labels out."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt
import pandas as pd

from smoothrank.distance_score import distance_score, in_data_units
from smoothrank.pairwise import Indices, Vector
from smoothrank.preprocess import Column, Encoder, EncodingError
from smoothrank.tables.profile import Profile

Matrix = npt.NDArray[np.float64]

WEIGHT = "weight"
OTHERS = "others"
INTERCEPT = "intercept"

SHOWN_SHARE = 1e-3
"""A training row's weight is shown when it is at least this share of the heaviest."""


@dataclass(frozen=True, eq=False)
class TabularModel:
    """Encoder and classifier in one, with the names of the target and its labels.

    Columns are found by their names; others, such as the target, are ignored.

    Parameters
    ----------
    encoder : Encoder
        Fitted on the raw input columns.
    classifier : estimator
        Fitted on the encoded rows and y of −1 and +1.
    target : str
        The target column of the training file.
    negative, positive : str
        Its labels.
    profile : Profile, optional
        How the training rows are distributed, so that drift of others can be noticed.
    """

    encoder: Encoder
    classifier: Any
    target: str
    negative: str
    positive: str
    profile: Profile | None = None

    @property
    def columns(self) -> tuple[Column, ...]:
        """The raw input columns, as the encoder learnt them."""
        return self.encoder.columns_

    @property
    def features(self) -> list[str]:
        """The names of the encoded features."""
        return [str(name) for name in self.encoder.get_feature_names_out()]

    def encode(self, frame: pd.DataFrame) -> Matrix:
        """The features of raw rows.

        Raises
        ------
        EncodingError
            If a column is missing, or a value is not one the column can have.
        """
        if len(frame) == 0:
            raise EncodingError("there are no rows to score")
        given = [column for column in self.columns if column.name in frame.columns]
        rows = frame[[column.name for column in given]]
        as_text = {
            column.name: _level_texts(column.levels, rows[column.name])
            for column in given
            if column.levels is not None and rows.columns.is_unique
        }
        return self.encoder.transform(rows.assign(**as_text))

    def decision_function(self, frame: pd.DataFrame) -> Vector:
        """The score of raw rows; above zero means the positive class."""
        return np.asarray(self.classifier.decision_function(self.encode(frame)))

    def predict_proba(self, frame: pd.DataFrame) -> Vector:
        """The probability of the positive class."""
        return np.asarray(self.classifier.predict_proba(self.encode(frame))[:, 1])

    def predict(self, frame: pd.DataFrame) -> npt.NDArray[np.object_]:
        """The label of each row, as the training file writes it."""
        return self._labels(self.decision_function(frame))

    def scored(self, frame: pd.DataFrame) -> pd.DataFrame:
        """Score, probability of the positive class, and class of raw rows."""
        rows = self.encode(frame)
        score = np.asarray(self.classifier.decision_function(rows))
        return pd.DataFrame(
            {
                "score": score,
                "probability": np.asarray(self.classifier.predict_proba(rows)[:, 1]),
                "class": self._labels(score),
            },
            index=frame.index,
        )

    def _labels(self, score: Vector) -> npt.NDArray[np.object_]:
        return np.where(score > 0, self.positive, self.negative).astype(object)

    def contributions(self, frame: pd.DataFrame) -> pd.DataFrame:
        """What each prototype adds to the score of each row, w_t z_t(x), heaviest first.

        The last column, `intercept`, is the same for every row; all columns sum to the score. A
        method that weighs every training row has those of little weight together in `others`.
        """
        score = distance_score(self.classifier)
        added = score.columns(self.encode(frame)) * score.weights
        shown = self._shown(score.weights)
        names = _names(len(shown))
        table = pd.DataFrame(added[:, shown], index=frame.index, columns=names)
        if len(shown) < len(score.weights):
            table[OTHERS] = np.delete(added, shown, axis=1).sum(axis=1)
        table[INTERCEPT] = float(self.classifier.intercept_)
        return table

    def prototype_table(self) -> pd.DataFrame:
        """One row a prototype, heaviest first: its weight, and its features in the data's units."""
        score = distance_score(self.classifier)
        shown = self._shown(score.weights)
        index = pd.Index(_names(len(shown)), name="prototype")
        table = pd.DataFrame(in_data_units(score)[shown], index=index, columns=self.features)
        name = WEIGHT if WEIGHT not in table.columns else f"prototype {WEIGHT}"
        table.insert(0, name, score.weights[shown])
        return table

    def _shown(self, weights: Vector) -> Indices:
        """Prototypes from the heaviest on; of training rows only those that matter."""
        order: Indices = np.argsort(-np.abs(weights), kind="stable")
        if hasattr(self.classifier, "prototypes_"):
            return order
        least = SHOWN_SHARE * np.abs(weights).max(initial=0.0)
        return order[: int(np.sum(np.abs(weights) >= least))]

    def save(self, path: str | Path) -> Path:
        """Write the model to a folder of JSON and npz, with checksums and without pickle."""
        from smoothrank.model_file import save_model

        return save_model(self, Path(path))

    @classmethod
    def load(cls, path: str | Path) -> TabularModel:
        """Read a model that `save` wrote; its scores are the same bit by bit."""
        from smoothrank.model_file import ModelFileError, load_model

        model = load_model(path)
        if not isinstance(model, cls):
            raise ModelFileError(
                f"{path} holds a {type(model).__name__} without its encoder, which takes encoded "
                "rows only. Save a TabularModel, or load it with smoothrank.load_model."
            )
        return model


def _names(count: int) -> list[str]:
    return [f"prototype_{number}" for number in range(1, count + 1)]


def _level_texts(levels: tuple[str, ...], values: pd.Series) -> pd.Series:
    """Levels as texts, where a reader took them for numbers: 1.0 is the level '1'."""
    if not pd.api.types.is_float_dtype(values.dtype):
        return values
    texts = [
        str(int(value)) if value.is_integer() and str(value) not in levels else str(value)
        for value in values.dropna().tolist()
    ]
    found = pd.Series(None, index=values.index, dtype=object)
    found[values.notna()] = texts
    return found
