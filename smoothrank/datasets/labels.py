"""The labels of a target column, written the same whatever way the file has them."""

from __future__ import annotations

import pandas as pd

from smoothrank.datasets.cells.missing import missing_labels
from smoothrank.datasets.files.read_table import Table

Label = str | int | float | bool


def label(value: Label) -> str:
    """Write a label the same whether the file has it as 1 or as 1.0."""
    if isinstance(value, float) and value.is_integer():
        return str(int(value))
    return str(value)


def labels_of(table: Table, name: str) -> pd.Series:
    """Return the labels of a column, None where a row has none.

    Numbers are written as `label` writes them. A column in which nearly all are numbers keeps
    the others as labels: a class is not a mistake because it is rare.
    """
    column = table.columns[table.names.index(name)]
    values = column.values
    if values.dtype.kind == "M" or (column.wrong is not None and column.wrong.any()):
        values = table.texts(name)
        absent = missing_labels(values.dropna().unique())
        values = values.mask(values.isin(absent))
    texts = [
        None if missing else label(value)
        for value, missing in zip(values.tolist(), values.isna(), strict=True)
    ]
    return pd.Series(texts, dtype=object)
