"""What every loader returns: a table, its target, and what is known about its columns."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

import numpy as np
import numpy.typing as npt
import pandas as pd

from smoothrank.datasets.options import UNKNOWN_STYLE, TableStyle

Kind = Literal["real", "integer", "nominal", "date"]


@dataclass(frozen=True)
class Attribute:
    """One column.

    Parameters
    ----------
    name : str
        The column's name, as in the file.
    kind : {"real", "integer", "nominal", "date"}
        What its values are.
    low, high : float or None
        The range of a numeric column, where the file states one.
    levels : tuple of str
        The values of a nominal column, in the file's order.
    nullable : bool
        Whether missing values are allowed.
    """

    name: str
    kind: Kind
    low: float | None = None
    high: float | None = None
    levels: tuple[str, ...] = ()
    nullable: bool = False


@dataclass(frozen=True)
class Schema:
    """The input columns in order, the target column, and the label that counts as positive."""

    relation: str
    attributes: tuple[Attribute, ...]
    target: Attribute
    positive: str


@dataclass(frozen=True, eq=False)
class Dataset:
    """A binary classification problem.

    Parameters
    ----------
    name : str
        The data set's name.
    X : pandas.DataFrame
        The raw input columns: numbers as int64 or float64, levels as strings, dates as
        datetime64; missing as NaN, None or NaT.
    y : numpy.ndarray of int64
        +1 for the positive class, -1 for the other.
    schema : Schema
        Names, kinds, ranges and levels of the columns.
    checksum : str
        sha256 of the file the data came from, in hexadecimal.
    notes : tuple of str
        What a user should know about how the file was read, a plain sentence each.
    style : TableStyle
        How the file is written, for what other files of its kind may leave open.
    """

    name: str
    X: pd.DataFrame
    y: npt.NDArray[np.int64]
    schema: Schema
    checksum: str
    notes: tuple[str, ...] = ()
    style: TableStyle = UNKNOWN_STYLE
