"""How an everyday table becomes numbers: learnt from the training rows alone."""

from __future__ import annotations

from dataclasses import replace

import pandas as pd

from smoothrank.datasets.options import ColumnOptions
from smoothrank.tables.encoder import TableEncoder, asked_to_leave_out
from smoothrank.tables.left_out import LeftOut
from smoothrank.tables.memory import check_memory
from smoothrank.tables.one_hot import Column, Encoder
from tasks.problem.row_parts import Indices
from tasks.project.retrain_options import SplitOptions


def fit_table_encoder(
    X: pd.DataFrame,
    train: Indices,
    columns: ColumnOptions,
    split: SplitOptions,
) -> TableEncoder:
    """Decide how each column is encoded.

    The column that groups the rows is left out, and so is the one that orders them in time: new
    rows have values of their own there.

    Raises
    ------
    EncodingError
        If an option names a column that is not there, no column is left, or the features would
        not fit into memory.
    """
    given = {"--group": split.group, "--time": split.time}
    options = {name: option for option, name in given.items() if name is not None}
    kept_out = tuple(name for name in options if name not in columns.drop)
    encoder = TableEncoder(replace(columns, drop=(*columns.drop, *kept_out))).fit(X.iloc[train])
    encoder.left_out_ = tuple(
        LeftOut(one.name, f"as {options[one.name]} says") if one.name in kept_out else one
        for one in encoder.left_out_
    )
    check_memory(encoder, len(X))
    return encoder


def without_asked(X: pd.DataFrame, columns: ColumnOptions) -> pd.DataFrame:
    """Return the table without the columns that the user wants left out."""
    asked = asked_to_leave_out([str(name) for name in X.columns], columns)
    return X.drop(columns=list(asked)) if asked else X


def fit_encoder(X: pd.DataFrame, train: Indices) -> Encoder:
    """Learn levels from all rows, and what replaces missing values from the training rows alone.

    That is how the paper takes a table; see `fit_table_encoder` for everyday ones.
    """
    if not X.isna().any(axis=None):
        return Encoder().fit(X)
    encoder = Encoder(missing="impute").fit(X)
    of_training = Encoder(missing="impute").fit(X.iloc[train])
    pairs = zip(encoder.columns_, of_training.columns_, strict=True)
    encoder.columns_ = tuple(_filled(column, other) for column, other in pairs)
    return encoder


def _filled(column: Column, of_training: Column) -> Column:
    fill = of_training.fill
    return replace(column, fill=fill if column.levels is None else str(fill))
