"""Writer of KEEL `.dat` files."""

from __future__ import annotations

import math

import pandas as pd

from smoothrank.datasets.dataset import Attribute, Dataset
from smoothrank.datasets.errors import DatasetError
from smoothrank.datasets.keel.text import quote


def write_keel(dataset: Dataset) -> str:
    """Write a data set as the text of a KEEL file that `parse_keel` reads back equal.

    A positive class of another name than `positive` is kept in a comment of the header.
    The format has no place for `nullable`: on reading, a column is nullable if values are missing.
    """
    schema = dataset.schema
    lines = [f"@relation {quote(schema.relation)}"]
    if schema.positive != "positive":
        lines.append(f"% positive: {quote(schema.positive)}")
    columns = []
    for attribute in schema.attributes:
        column = dataset.X[attribute.name]
        complete = not column.isna().any()
        lines.append(_attribute_line(attribute, complete=complete))
        columns.append(_values(column, complete=complete))
    lines.append(_attribute_line(schema.target, complete=True))
    columns.append(_labels(dataset))
    lines.append("@data")
    lines += [", ".join(row) for row in zip(*columns, strict=True)]
    return "\n".join(lines) + "\n"


def _attribute_line(attribute: Attribute, *, complete: bool) -> str:
    start = f"@attribute {quote(attribute.name)}"
    if attribute.kind == "date":
        raise DatasetError(f"column {attribute.name!r} holds dates, which KEEL has no kind for")
    if attribute.kind == "nominal":
        levels = (quote(level, marks_are_values=complete) for level in attribute.levels)
        return f"{start} {{{', '.join(levels)}}}"
    if attribute.low is None or attribute.high is None:
        return f"{start} {attribute.kind}"
    return f"{start} {attribute.kind} [{attribute.low!r}, {attribute.high!r}]"


def _values(column: pd.Series, *, complete: bool) -> list[str]:
    if pd.api.types.is_numeric_dtype(column):
        return ["?" if math.isnan(value) else repr(value) for value in column.tolist()]
    return [
        "?" if missing else quote(str(value), marks_are_values=complete)
        for value, missing in zip(column, column.isna(), strict=True)
    ]


def _labels(dataset: Dataset) -> list[str]:
    target, positive = dataset.schema.target, dataset.schema.positive
    if len(set(target.levels)) != 2 or positive not in target.levels:
        raise DatasetError(
            f"target {target.name!r} must have two levels, one of them {positive!r}, to be written"
        )
    negative = next(level for level in target.levels if level != positive)
    label = {
        1: quote(positive, marks_are_values=True),
        -1: quote(negative, marks_are_values=True),
    }
    return [label[sign] for sign in dataset.y.tolist()]
