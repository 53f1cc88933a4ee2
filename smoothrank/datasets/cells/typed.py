"""Typed columns: whole numbers, reals, texts and dates."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import numpy.typing as npt
import pandas as pd
import pyarrow as pa
import pyarrow.compute as pc

from smoothrank.arrays import Flags
from smoothrank.datasets.cells.dates import Dates
from smoothrank.datasets.cells.missing import missing_among_texts
from smoothrank.datasets.cells.number_style import NumberStyle
from smoothrank.datasets.cells.survey import Survey

TEXT = pd.StringDtype(storage="pyarrow", na_value=np.nan)
"""What pandas calls `str`."""

_INT64 = np.iinfo(np.int64)
_WHOLE = r"^[+-]?[0-9]+$"
_NO_TEXT = pa.scalar(None, pa.large_string())


@dataclass(frozen=True, eq=False)
class TypedColumn:
    """A typed column, and the same as normalised texts.

    Parameters
    ----------
    values : pandas.Series
        int64, float64, str or datetime64; missing as NaN, None or NaT.
    cells : pyarrow.Array or None
        The same as texts: numbers with a decimal point, dates as in ISO 8601, missing as null.
        None where the file has no texts.
    wrong : numpy.ndarray of bool, optional
        For each distinct text of a `Survey`, whether it was taken as missing.
    """

    values: pd.Series
    cells: pa.Array | None = None
    wrong: Flags | None = None


def as_numbers(column: Survey, style: NumberStyle) -> TypedColumn:
    """Read a column's numbers in a style; anything else is missing."""
    numbers = column.numbers(style)
    normal = pc.if_else(pa.array(numbers), style.normal(column.levels), _NO_TEXT)
    cells = _spread_texts(normal, column.codes)
    whole = _as_integers(normal) if cells.null_count == 0 else None
    if whole is not None:
        return TypedColumn(pd.Series(whole[column.codes]), cells, ~numbers)
    reals = np.array(pc.fill_null(pc.cast(normal, pa.float64()), np.nan).to_numpy())
    values = np.append(reals, np.nan)[column.codes]
    return TypedColumn(pd.Series(values), cells, ~numbers)


def _as_integers(normal: pa.Array) -> npt.NDArray[np.int64] | None:
    if not pc.all(pc.match_substring_regex(normal, _WHOLE)).as_py():
        return None
    try:
        whole = [int(text) for text in normal.to_pylist()]
    except ValueError:  # more digits than Python reads
        return None
    fits = all(_INT64.min <= number <= _INT64.max for number in whole)
    return np.array(whole, dtype=np.int64) if fits else None


def as_dates(column: Survey, dates: Dates, places: npt.NDArray[np.intp]) -> TypedColumn:
    """Return the dates of a column; `places` are those of its texts that were tried."""
    found = np.full(len(column.counts) + 1, np.datetime64("NaT"), dtype="datetime64[us]")
    found[places] = dates.values.to_numpy()
    values = pd.Series(found[column.codes])
    return TypedColumn(values, date_cells(values), np.isnat(found[:-1]))


def date_cells(values: pd.Series) -> pa.Array:
    """Write dates as texts, as ISO 8601 has them."""
    texts = values.astype("str").to_numpy(dtype=object)
    return pa.array(texts, pa.large_string(), mask=values.isna().to_numpy())


def as_texts(column: Survey) -> TypedColumn:
    """Return a column's texts; those that clearly mean a missing value are missing."""
    texts = column.texts
    absent = missing_among_texts(texts)
    wrong = np.array([text in absent for text in texts], dtype=bool)
    kept = [None if text in absent else text for text in texts]
    if {text.lower() for text in kept if text is not None} <= {"true", "false"}:
        kept = [text.capitalize() if text is not None else None for text in kept]
    cells = _spread_texts(pa.array(kept, pa.large_string()), column.codes)
    return TypedColumn(pd.Series(cells, dtype=TEXT), cells, wrong)


def _spread_texts(levels: pa.Array, codes: npt.NDArray[np.int64]) -> pa.Array:
    return levels.take(pa.array(codes, mask=codes < 0))


def as_native(column: pa.Array) -> TypedColumn:
    """Return a column that has a type in Parquet; as texts if there is no better type."""
    kind = column.type
    if pa.types.is_boolean(kind):
        return TypedColumn(pd.Series(pc.if_else(column, "True", "False"), dtype=TEXT))
    if pa.types.is_integer(kind) and column.null_count == 0 and _fits(column):
        return TypedColumn(pd.Series(column.cast(pa.int64()).to_numpy(zero_copy_only=False)))
    if pa.types.is_floating(kind) or pa.types.is_integer(kind) or pa.types.is_decimal(kind):
        return TypedColumn(pd.Series(column.to_pandas().astype(np.float64).to_numpy()))
    if pa.types.is_null(kind):
        return TypedColumn(pd.Series(np.full(len(column), np.nan)))
    if pa.types.is_temporal(kind) and (pa.types.is_date(kind) or pa.types.is_timestamp(kind)):
        return TypedColumn(_moments(column))
    texts = [None if value is None else str(value) for value in column.to_pylist()]
    return TypedColumn(pd.Series(texts, dtype=TEXT))


def _fits(column: pa.Array) -> bool:
    if column.type != pa.uint64() or len(column) == 0:
        return True
    return bool(pc.max(column).as_py() <= _INT64.max)


def _moments(column: pa.Array) -> pd.Series:
    """Return timestamps in UTC without a time zone, to the microsecond."""
    if pa.types.is_timestamp(column.type):
        column = column.cast(pa.timestamp("us", column.type.tz), safe=False)
        column = column.cast(pa.timestamp("us"))
    moments = column.cast(pa.timestamp("us"))
    return pd.Series(moments.to_numpy(zero_copy_only=False).astype("datetime64[us]"))
