"""From raw columns to the numbers a model takes: one-hot levels, missing values."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Any, Literal, Self

import numpy as np
import numpy.typing as npt
import pandas as pd
from sklearn.base import BaseEstimator, TransformerMixin
from sklearn.utils.validation import check_is_fitted

from smoothrank.datasets.dataset import Dataset
from smoothrank.errors import SmoothrankError

MANY_LEVELS = 100
MOST_DISTINCT = 0.5


class EncodingError(SmoothrankError):
    """A table does not fit the encoder."""


@dataclass(frozen=True)
class Column:
    """What the encoder has learnt about one column.

    Parameters
    ----------
    name : str
        The column's name.
    levels : tuple of str or None
        Its levels in sorted order, the first of which gets no feature; None for a numeric column.
    fill : float or str
        The replacement of a missing value under `missing="impute"`.
    """

    name: str
    levels: tuple[str, ...] | None
    fill: float | str

    @property
    def features(self) -> list[str]:
        """The names of the features that the column becomes."""
        if self.levels is None:
            return [self.name]
        return [f"{self.name}_{level}" for level in self.levels[1:]]


class Encoder(TransformerMixin, BaseEstimator):
    """Numeric columns as they are, levels as 0/1 features without the first level.

    Features come in the order of `pandas.get_dummies(drop_first=True)`: the numeric columns, then
    the levels of the others, sorted. A column of strings that are all numbers is numeric.

    Parameters
    ----------
    missing : {"error", "impute"}
        What to do about missing values. "error" names the column. "impute" takes the median of a
        numeric column and the most frequent level of another (the first of equals in sorted
        order), as seen when fitted.

    Attributes
    ----------
    columns_ : tuple of Column
        What was learnt, in the order of the table's columns.
    """

    def __init__(self, missing: Literal["error", "impute"] = "error") -> None:
        self.missing = missing

    def fit(self, X: pd.DataFrame | npt.ArrayLike, y: Any = None) -> Self:
        """Learn kinds, levels and what replaces a missing value.

        Raises
        ------
        EncodingError
            If a column has missing values that are not allowed, infinite ones or none at all; if
            it holds dates, or texts of which nearly every row has its own.
        """
        if self.missing not in ("error", "impute"):
            raise EncodingError(f"missing is 'error' or 'impute', not {self.missing!r}")
        frame = _as_frame(X)
        if frame.empty:
            raise EncodingError("there is nothing to fit: the table has no rows or no columns")
        self.columns_ = tuple(self._learn(name, frame[name]) for name in frame.columns)
        self.feature_names_in_ = np.array(list(frame.columns), dtype=object)
        self.n_features_in_ = len(frame.columns)
        return self

    def transform(self, X: pd.DataFrame | npt.ArrayLike) -> npt.NDArray[np.float64]:
        """Return the features as float64, one row for each of the table's.

        Raises
        ------
        EncodingError
            If a column is missing or unknown, or a value is not one the column can have.
        """
        check_is_fitted(self)
        frame = _as_frame(X)
        self._check_names(frame)
        numeric = [c for c in self.columns_ if c.levels is None]
        nominal = [c for c in self.columns_ if c.levels is not None]
        blocks = [self._numbers(column, frame[column.name])[:, None] for column in numeric]
        blocks += [self._indicators(column, frame[column.name]) for column in nominal]
        return np.hstack(blocks)

    def get_feature_names_out(self, input_features: Any = None) -> npt.NDArray[np.object_]:
        """Return the features' names: a numeric column's own, and column_level for a level."""
        check_is_fitted(self)
        numeric = [name for c in self.columns_ if c.levels is None for name in c.features]
        nominal = [name for c in self.columns_ if c.levels is not None for name in c.features]
        return np.array(numeric + nominal, dtype=object)

    def _learn(self, name: str, values: pd.Series) -> Column:
        self._check_missing(name, values)
        present = values.dropna()
        if present.empty:
            raise EncodingError(f"column {name!r} has no values; leave it out")
        _check_no_dates(name, values)
        numbers = pd.to_numeric(present, errors="coerce").astype(np.float64)
        if numbers.notna().all():
            _check_finite(name, numbers)
            return Column(name, None, float(numbers.median()))
        texts = present.astype(str)
        levels = tuple(sorted(texts.unique()))
        if len(levels) > MANY_LEVELS and len(levels) > MOST_DISTINCT * len(texts):
            raise EncodingError(
                f"column {name!r}: {len(levels)} different texts in {len(texts)} rows, such as "
                f"{texts.iloc[0]!r}, are no levels to learn from; leave the column out, or turn "
                "it into numbers (names and ids, dates and decimal commas are such texts)"
            )
        most_frequent = str(texts.value_counts().sort_index().idxmax())
        return Column(name, levels, most_frequent)

    def _numbers(self, column: Column, values: pd.Series) -> npt.NDArray[np.float64]:
        self._check_missing(column.name, values)
        _check_no_dates(column.name, values)
        numbers = pd.to_numeric(values, errors="coerce").astype(np.float64)
        wrong = numbers.isna() & values.notna()
        if wrong.any():
            raise EncodingError(
                f"column {column.name!r}, row {_first(wrong)}: {values[wrong].iloc[0]!r} "
                "is not a number, as all were when fitted"
            )
        _check_finite(column.name, numbers)
        return np.asarray(numbers.fillna(column.fill), dtype=np.float64)

    def _indicators(self, column: Column, values: pd.Series) -> npt.NDArray[np.float64]:
        self._check_missing(column.name, values)
        levels = column.levels or ()
        texts = values.where(values.notna(), column.fill).astype(str)
        unknown = ~texts.isin(levels)
        if unknown.any():
            raise EncodingError(
                f"column {column.name!r}, row {_first(unknown)}: unknown level "
                f"{texts[unknown].iloc[0]!r}; known are {', '.join(map(repr, levels))}"
            )
        codes = pd.Categorical(texts, categories=list(levels)).codes.astype(np.intp)
        indicators = np.zeros((len(texts), len(levels) - 1))
        rows = np.flatnonzero(codes)
        indicators[rows, codes[rows] - 1] = 1.0
        return indicators

    def _check_missing(self, name: str, values: pd.Series) -> None:
        if self.missing == "error" and values.isna().any():
            raise EncodingError(
                f"column {name!r}, row {_first(values.isna())}: the value is missing; "
                "drop such rows, or use missing='impute'"
            )

    def _check_names(self, frame: pd.DataFrame) -> None:
        known, given = [c.name for c in self.columns_], list(frame.columns)
        if absent := [name for name in known if name not in given]:
            raise EncodingError(f"missing columns: {', '.join(map(repr, absent))}")
        if extra := [name for name in given if name not in known]:
            raise EncodingError(
                f"unknown columns: {', '.join(map(repr, extra))}; "
                f"fitted were {', '.join(map(repr, known))}"
            )


def drop_missing_rows(dataset: Dataset) -> Dataset:
    """Leave out the rows with missing values, as the paper's experiments do."""
    complete = dataset.X.notna().all(axis=1).to_numpy()
    if complete.all():
        return dataset
    return replace(dataset, X=dataset.X.loc[complete].reset_index(drop=True), y=dataset.y[complete])


def _as_frame(X: pd.DataFrame | npt.ArrayLike) -> pd.DataFrame:
    if isinstance(X, pd.DataFrame):
        frame = X
    else:
        array = np.asarray(X)
        if array.ndim != 2:
            raise EncodingError(
                f"expected a table of rows and columns, got {array.ndim} dimensions"
            )
        frame = pd.DataFrame(array, columns=[f"x{i}" for i in range(array.shape[1])])
    if not frame.columns.is_unique:
        twice = frame.columns[frame.columns.duplicated()].unique()
        raise EncodingError(f"there are two columns {', '.join(map(repr, twice))}")
    return frame


def _check_finite(name: str, numbers: pd.Series) -> None:
    infinite = numbers.abs() == np.inf
    if infinite.any():
        raise EncodingError(f"column {name!r}, row {_first(infinite)}: the value is infinite")


def _check_no_dates(name: str, values: pd.Series) -> None:
    if values.dtype.kind in "mM":
        raise EncodingError(
            f"column {name!r} holds dates or times; leave it out, or turn it into numbers, "
            "such as the days since some date"
        )


def _first(wrong: pd.Series) -> int:
    """Return the first row that is marked, counted from 1."""
    return int(np.flatnonzero(wrong.to_numpy())[0]) + 1
