"""How an everyday table becomes numbers: learnt from the training rows alone."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import numpy.typing as npt
import pandas as pd

from smoothrank.tables.encoder import TableEncoder, asked_to_leave_out
from smoothrank.tables.memory import check_memory
from smoothrank.tables.options import ColumnOptions


def fit_table_encoder(
    X: pd.DataFrame, train: npt.NDArray[np.intp], columns: ColumnOptions, group: str | None = None
) -> TableEncoder:
    """Decide how each column is taken; the column that groups the rows is left out.

    Raises
    ------
    EncodingError
        If an option names a column that is not there, no column is left, or the features would
        not fit into memory.
    """
    if group is not None and group in X.columns and group not in columns.drop:
        columns = replace(columns, drop=(*columns.drop, group))
    encoder = TableEncoder(columns).fit(X.iloc[train])
    check_memory(encoder, len(X))
    return encoder


def without_asked(X: pd.DataFrame, columns: ColumnOptions) -> pd.DataFrame:
    """The table without the columns that the user wants left out."""
    asked = asked_to_leave_out([str(name) for name in X.columns], columns)
    return X.drop(columns=list(asked)) if asked else X
