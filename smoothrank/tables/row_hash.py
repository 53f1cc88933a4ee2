"""A number of 64 bits for each row, the same wherever and whenever the row is read.

A value counts, not the way it is held: 1, 1.0 and "1" are one value, and so are a date and its
ISO text. Numbers and dates are mixed as whole columns (the finaliser of SplitMix64), texts are
hashed by BLAKE2b, each distinct one once. The order of rows and of columns does not matter.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from hashlib import blake2b

import numpy as np
import numpy.typing as npt
import pandas as pd

Hashes = npt.NDArray[np.uint64]

_MISSING = np.uint64(0x6D697373696E6721)
_DATE = np.uint64(0x6461746564617465)
_LARGE = np.uint64(0x6C61726765696E74)
_SEED = np.uint64(0x9E3779B97F4A7C15)
_EXACT = 2**53
"""Whole numbers up to this one are exact as floats."""

_NUMBER = re.compile(r"[+-]?(\d+\.?\d*|\.\d+)([eE][+-]?\d+)?")
_WHOLE = re.compile(r"[+-]?\d{1,19}")
_INT64 = 2**63
_ISO_DATE = re.compile(r"\d{4}-\d\d-\d\d([T ]\d\d:\d\d(:\d\d(\.\d{1,6})?)?(Z|[+-]\d\d:?\d\d)?)?")
_NAMELESS = re.compile(r"(Unnamed: \d+)?")


def content_columns(names: Iterable[str]) -> tuple[str, ...]:
    """Return the columns that make up a row, in order; a nameless one is an index and does not."""
    return tuple(sorted(name for name in names if not _NAMELESS.fullmatch(str(name).strip())))


def hash_rows(frame: pd.DataFrame, columns: Sequence[str]) -> Hashes:
    """Return a hash of each row's values in the named columns.

    Parameters
    ----------
    frame : pandas.DataFrame
        Raw rows; other columns are ignored.
    columns : sequence of str
        Columns of the frame.
    """
    total = np.zeros(len(frame), dtype=np.uint64)
    for name in columns:
        total += _mixed(hash_values(frame[name]) ^ np.uint64(_text_hash(str(name))))
    return _mixed(total)


def hash_values(values: pd.Series) -> Hashes:
    """Return a hash of each value of a column."""
    if pd.api.types.is_datetime64_any_dtype(values.dtype):
        return _date_hashes(values)
    if pd.api.types.is_bool_dtype(values.dtype):
        return _text_hashes(values.astype(object))
    if pd.api.types.is_integer_dtype(values.dtype) and not values.isna().any():
        return _whole_hashes(values.to_numpy(dtype=np.int64))
    if pd.api.types.is_numeric_dtype(values.dtype):
        return _number_hashes(values.to_numpy(dtype=np.float64, na_value=np.nan))
    return _text_hashes(values)


def positions(hashes: Hashes, seed: int) -> npt.NDArray[np.float64]:
    """Return a place in [0, 1) for each hash, evenly spread and another for each seed."""
    key = _mixed(np.array([seed], dtype=np.uint64) + _SEED)
    return np.asarray((_mixed(hashes ^ key) >> np.uint64(11)) * 2.0**-53, dtype=np.float64)


def _mixed(values: Hashes) -> Hashes:
    """Mix the bits, so that each change of a bit affects all bits."""
    mixed = values ^ (values >> np.uint64(30))
    mixed = mixed * np.uint64(0xBF58476D1CE4E5B9)
    mixed ^= mixed >> np.uint64(27)
    mixed *= np.uint64(0x94D049BB133111EB)
    mixed ^= mixed >> np.uint64(31)
    return mixed


def _number_hashes(values: npt.NDArray[np.float64]) -> Hashes:
    bits = (values + 0.0).view(np.uint64)
    return np.where(np.isnan(values), _MISSING, _mixed(bits))


def _whole_hashes(values: npt.NDArray[np.int64]) -> Hashes:
    is_large = (values > _EXACT) | (values < -_EXACT)
    return np.where(
        is_large,
        _mixed(values.view(np.uint64) ^ _LARGE),
        _number_hashes(values.astype(np.float64)),
    )


def _date_hashes(dates: pd.Series) -> Hashes:
    moments = pd.to_datetime(dates, utc=True).dt.tz_localize(None)
    ticks = moments.to_numpy(dtype="datetime64[us]").view(np.uint64)
    return np.where(moments.isna().to_numpy(), _MISSING, _mixed(ticks ^ _DATE))


def _text_hashes(values: pd.Series) -> Hashes:
    """Hash each distinct value once."""
    codes, different = pd.factorize(values, use_na_sentinel=True)
    hashes = _hashes_of_texts([str(value).strip() for value in different])
    return np.append(hashes, _MISSING)[codes]


def _hashes_of_texts(texts: list[str]) -> Hashes:
    hashes = np.array([_text_hash(text) for text in texts], dtype=np.uint64)
    numbers = [i for i, text in enumerate(texts) if _NUMBER.fullmatch(text)]
    if numbers:
        hashes[numbers] = _number_hashes(np.array([float(texts[i]) for i in numbers]))
    wholes = [
        i for i in numbers if _WHOLE.fullmatch(texts[i]) and -_INT64 <= int(texts[i]) < _INT64
    ]
    if wholes:
        hashes[wholes] = _whole_hashes(np.array([int(texts[i]) for i in wholes], dtype=np.int64))
    days = [i for i, text in enumerate(texts) if _ISO_DATE.fullmatch(text)]
    if days:
        _hash_dates(hashes, texts, np.array(days))
    return hashes


def _hash_dates(hashes: Hashes, texts: list[str], places: npt.NDArray[np.int_]) -> None:
    """Hash texts that are dates as dates; 2023-02-30 stays a text."""
    dates = pd.to_datetime(
        pd.Series([texts[i] for i in places]), format="ISO8601", errors="coerce", utc=True
    )
    known = dates.notna().to_numpy()
    hashes[places[known]] = _date_hashes(dates[known])


def _text_hash(text: str) -> int:
    digest = blake2b(text.encode("utf-8", "surrogatepass"), digest_size=8).digest()
    return int.from_bytes(digest, "little")
