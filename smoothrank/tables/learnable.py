"""What a fit refuses, said before one is begun: numbers whose distances overflow or vanish."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pandas as pd

from smoothrank.arrays import LARGEST_VALUE, SMALLEST_EXTENT
from smoothrank.datasets.dataset import Dataset
from smoothrank.datasets.errors import TableFormatError
from smoothrank.datasets.options import ColumnOptions
from smoothrank.tables.learning import Limits, learn_column
from smoothrank.tables.left_out import LeftOut

_SHOWN = 5
_LEAVE_OUT = "correct or rescale it, or leave the column out (--drop)"


def check_learnable(path: Path, dataset: Dataset, columns: ColumnOptions) -> None:
    """Refuse columns of numbers that no method could be fitted on.

    Parameters
    ----------
    path : Path
        The file, for the message.
    dataset : Dataset
        What was read from it.
    columns : ColumnOptions
        Which columns are left out; these may hold anything.

    Raises
    ------
    TableFormatError
        If a column has a number beyond the largest that distances can be taken of, or numbers
        that differ by less than the smallest; or if no column is left to learn from.
    """
    frame = dataset.X.drop(columns=_left_out(dataset, columns))
    numbers = frame.loc[:, [dtype.kind == "f" for dtype in frame.dtypes]]
    for place in _doubtful(numbers):
        _check_numbers(path, str(numbers.columns[place]), numbers.iloc[:, place])
    _check_some_column(path, frame, Limits(keeps_ids=bool(columns.keep_only)))


def _doubtful(numbers: pd.DataFrame) -> list[int]:
    """Return the places of columns that have too large numbers, or too small differences."""
    values = numbers.to_numpy(dtype=np.float64)
    is_missing = np.isnan(values)
    low = np.where(is_missing, np.inf, values).min(axis=0, initial=np.inf)
    high = np.where(is_missing, -np.inf, values).max(axis=0, initial=-np.inf)
    with np.errstate(over="ignore", invalid="ignore"):
        vanishes = high - low < SMALLEST_EXTENT
    overflows = np.maximum(np.abs(low), np.abs(high)) > LARGEST_VALUE
    return [int(place) for place in np.flatnonzero(vanishes | overflows)]


def _left_out(dataset: Dataset, columns: ColumnOptions) -> list[str]:
    asked = {*columns.drop, columns.id}
    kept = columns.keep_only or tuple(dataset.X.columns)
    return [name for name in dataset.X.columns if name in asked or name not in kept]


def _check_some_column(path: Path, frame: pd.DataFrame, limits: Limits) -> None:
    """Refuse a table in which every column would be left out; the first useful one suffices."""
    reasons: list[str] = []
    for name in frame.columns:
        found = learn_column(str(name), frame[name], limits)
        if not isinstance(found, LeftOut):
            return
        reasons.append(f"{found.name!r}: {found.reason}")
    shown = "; ".join(reasons[:_SHOWN]) + ("; …" if len(reasons) > _SHOWN else "")
    raise TableFormatError(f"{path}: no column is left to learn from: {shown}")


def _check_numbers(path: Path, name: str, values: pd.Series) -> None:
    numbers = values.to_numpy()
    present = numbers[~np.isnan(numbers)]
    if len(present) == 0:
        return
    low, high = float(present.min()), float(present.max())
    if max(abs(low), abs(high)) > LARGEST_VALUE:
        row = int(np.nanargmax(np.abs(numbers)))
        raise TableFormatError(
            f"{path}: column {name!r} has {numbers[row]:.3g} in row {row + 1}; beyond "
            f"{LARGEST_VALUE:g} distances overflow: {_LEAVE_OUT}"
        )
    if 0.0 < high - low < SMALLEST_EXTENT:
        raise TableFormatError(
            f"{path}: the numbers of column {name!r} differ by {high - low:.3g} at most; below "
            f"{SMALLEST_EXTENT:g} distances vanish: {_LEAVE_OUT}"
        )
