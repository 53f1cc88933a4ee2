"""From a user's raw table to numbers: what cannot be learnt from is left out and reported."""

from __future__ import annotations

from typing import Any, Self

import numpy as np
import numpy.typing as npt
import pandas as pd
from sklearn.base import BaseEstimator, TransformerMixin
from sklearn.utils.validation import check_is_fitted

from smoothrank.arrays import Matrix
from smoothrank.datasets.options import ColumnOptions
from smoothrank.tables.columns import TableColumn, encode_column
from smoothrank.tables.encoded_rows import EncodedRows, Trouble, refuse
from smoothrank.tables.learning import FEWER_LEVELS, MOST_LEVEL_FEATURES, Limits, learn_column
from smoothrank.tables.left_out import LeftOut
from smoothrank.tables.notes import notes_about
from smoothrank.tables.one_hot import Encoder, EncodingError


class ColumnOptionError(EncodingError):
    """An option names a column that is not there."""


class TableEncoder(TransformerMixin, BaseEstimator):
    """Numbers, levels and dates of a raw table as features; ids, constants and free text left out.

    Every decision is made on the rows of `fit`, without the target: a numeric column is a
    feature; levels become 0/1 features without the first, rare ones together in `other`; a date
    becomes days, and month, weekday and hour where they vary. A missing value is the median or
    the most frequent level, and where missing is frequent a 0/1 feature says so.

    Parameters
    ----------
    columns : ColumnOptions
        What the user wants left out, or kept although it looks like an id.

    Attributes
    ----------
    columns_ : tuple of TableColumn
        The columns that are learnt from, in the order of the table.
    left_out_ : tuple of LeftOut
        The others, and why.
    """

    def __init__(self, columns: ColumnOptions = ColumnOptions()) -> None:  # noqa: B008
        self.columns = columns

    def fit(self, X: pd.DataFrame, y: Any = None) -> Self:
        """Decide how each column is encoded.

        Raises
        ------
        EncodingError
            If an option names a column that is not there, or no column is left.
        """
        frame = with_text_names(X)
        if len(frame) == 0:
            raise EncodingError("there is nothing to learn from: the table has no rows")
        asked = asked_to_leave_out(list(frame.columns), self.columns)
        found = _learn(frame.drop(columns=list(asked)), bool(self.columns.keep_only))
        decided = asked | found
        every = [decided[name] for name in frame.columns]
        self.columns_ = tuple(one for one in every if isinstance(one, TableColumn))
        self.left_out_ = tuple(one for one in every if isinstance(one, LeftOut))
        if not self.columns_:
            reasons = "; ".join(notes_about((), self.left_out_))
            raise EncodingError(f"no column is left to learn from: {reasons}")
        return self

    def transform(self, X: pd.DataFrame, *, strict: bool = False) -> Matrix:
        """Return the features as float64, one row for each of the table's; see `encode`."""
        return self.encode(X, strict=strict).features

    def encode(self, X: pd.DataFrame, *, strict: bool = False) -> EncodedRows:
        """Return the features of raw rows, and which of these differ from the training rows.

        The columns may come in any order, with or without those left out.

        Parameters
        ----------
        X : pandas.DataFrame
            Raw rows.
        strict : bool
            Whether to refuse a level never seen, a value that cannot be read, and one that is
            missing in a column where none was.

        Raises
        ------
        EncodingError
            If a column is missing, or a value is refused.
        """
        check_is_fitted(self)
        return encode_rows(self.columns_, X, strict=strict)

    def get_feature_names_out(self, input_features: Any = None) -> npt.NDArray[np.object_]:
        """Return the unique names of the features."""
        check_is_fitted(self)
        return np.array(feature_names(self.columns_), dtype=object)

    @property
    def left_out(self) -> tuple[LeftOut, ...]:
        """The columns that are not learnt from, and why."""
        return self.left_out_

    @property
    def notes(self) -> tuple[str, ...]:
        """What was done to the table, a plain sentence each."""
        return notes_about(self.columns_, self.left_out_)


def plain_columns(encoder: Encoder) -> tuple[TableColumn, ...]:
    """Return what a plain `Encoder` has learnt, so that its rows need not be refused."""
    return tuple(
        TableColumn(
            column.name,
            "number" if column.levels is None else "levels",
            column.fill,
            levels=column.levels,
        )
        for column in encoder.columns_
    )


def encode_rows(
    columns: tuple[TableColumn, ...], X: pd.DataFrame, *, strict: bool = False
) -> EncodedRows:
    """Return the features of raw rows: numbers and dates in column order, then levels."""
    needed = {column.name for column in columns}
    frame = with_text_names(X.loc[:, [str(name) in needed for name in X.columns]])
    if absent := [column.name for column in columns if column.name not in frame.columns]:
        raise EncodingError(f"missing columns: {', '.join(map(repr, absent))}")
    features = np.empty((len(frame), sum(len(column.features) for column in columns)))
    troubles: list[Trouble] = []
    start = 0
    for column in in_feature_order(columns):
        block = encode_column(column, frame[column.name])
        if strict:
            refuse(column, frame[column.name], block)
        end = start + block.features.shape[1]
        features[:, start:end] = block.features
        start = end
        troubles += Trouble.of(column.name, frame[column.name], block)
    return EncodedRows(features, frame.index, tuple(troubles))


def in_feature_order(columns: tuple[TableColumn, ...]) -> list[TableColumn]:
    """Return the columns, numbers and dates first, then levels, as in `pandas.get_dummies`."""
    return sorted(columns, key=lambda column: column.kind == "levels")


def feature_names(columns: tuple[TableColumn, ...]) -> list[str]:
    """Return the names of the features; a repeated name gets a number."""
    names: dict[str, None] = {}
    for name in (name for column in in_feature_order(columns) for name in column.features):
        unique, number = name, 2
        while unique in names:
            unique, number = f"{name} ({number})", number + 1
        names[unique] = None
    return list(names)


def with_text_names(X: pd.DataFrame) -> pd.DataFrame:
    """Return the same table with column names that are unique texts."""
    if not isinstance(X, pd.DataFrame):
        raise EncodingError(
            f"a table is a pandas.DataFrame with named columns, not a {type(X).__name__}"
        )
    frame = X.set_axis([str(name) for name in X.columns], axis="columns")
    if not frame.columns.is_unique:
        twice = frame.columns[frame.columns.duplicated()].unique()
        raise EncodingError(f"there are two columns {', '.join(map(repr, twice))}")
    return frame


def asked_to_leave_out(names: list[str], options: ColumnOptions) -> dict[str, LeftOut]:
    """Return the columns that the user wants left out.

    Raises
    ------
    ColumnOptionError
        If an option names a column that is not there.
    """
    ids = () if options.id is None else (options.id,)
    for option, given in (("drop", options.drop), ("id", ids), ("keep-only", options.keep_only)):
        if absent := [name for name in given if name not in names]:
            raise ColumnOptionError(
                f"--{option}: there is no input column {absent[0]!r}; there are "
                f"{', '.join(map(repr, names))}"
            )
    asked = dict.fromkeys(ids, "--id") | dict.fromkeys(options.drop, "--drop")
    if options.keep_only:
        others = [name for name in names if name not in options.keep_only]
        asked = dict.fromkeys(others, "--keep-only") | asked
    return {name: LeftOut(name, f"as {option} says") for name, option in asked.items()}


def _learn(frame: pd.DataFrame, keeps_ids: bool) -> dict[str, TableColumn | LeftOut]:
    """Learn the columns, with fewer levels each where they would be too many in all."""
    found: dict[str, TableColumn | LeftOut] = {}
    for most in FEWER_LEVELS:
        limits = Limits(most, keeps_ids)
        found = {name: learn_column(name, frame[name], limits) for name in frame.columns}
        columns = [one for one in found.values() if isinstance(one, TableColumn)]
        total = sum(len(column.features) for column in columns if column.kind == "levels")
        if total <= MOST_LEVEL_FEATURES:
            break
    return found
