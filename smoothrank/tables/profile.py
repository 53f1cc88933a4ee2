"""How the values of each column are distributed, and how far those of other rows have moved."""

from __future__ import annotations

from dataclasses import asdict, dataclass
from typing import Any

import numpy as np
import numpy.typing as npt
import pandas as pd

Counts = npt.NDArray[np.int64]

BINS = 10
MOST_LEVELS = 20
CHANCE = 1e-4
"""How often a column without drift may seem to have some, by chance alone."""


@dataclass(frozen=True)
class ColumnProfile:
    """The distribution of one column.

    Parameters
    ----------
    name : str
        The column.
    edges : tuple of float or None
        For numbers the bounds between bins, each of which belongs to the bin below it.
    levels : tuple of str
        For texts the most frequent ones; all others are counted together.
    counts : tuple of int
        Rows in each bin, or of each level and of all others; at the end those without a value.
    """

    name: str
    edges: tuple[float, ...] | None
    levels: tuple[str, ...]
    counts: tuple[int, ...]


@dataclass(frozen=True)
class Profile:
    """The distribution of each column of a table: plain values, small enough to keep."""

    rows: int
    columns: tuple[ColumnProfile, ...]

    def to_dict(self) -> dict[str, Any]:
        """Return the profile as plain values, ready for JSON."""
        return asdict(self)

    @classmethod
    def from_dict(cls, facts: dict[str, Any]) -> Profile:
        """Return the profile that `to_dict` wrote."""
        columns = [
            ColumnProfile(
                one["name"],
                None if one["edges"] is None else tuple(one["edges"]),
                tuple(one["levels"]),
                tuple(one["counts"]),
            )
            for one in facts["columns"]
        ]
        return cls(facts["rows"], tuple(columns))


@dataclass(frozen=True)
class Shift:
    """How far a column has moved.

    Parameters
    ----------
    psi : float
        The population stability index, Σ (a − e) ln(a / e) over the bins' shares a and e.
    noise : float
        What rows of the same distribution, as few as these, exceed once in ten thousand times.
    """

    psi: float
    noise: float


def profile_of(frame: pd.DataFrame) -> Profile:
    """Count the values of each column: numbers by tenths, texts by level; dates are left out.

    A date is always later than those before it, which is no drift.
    """
    kept = [name for name in frame.columns if not pd.api.types.is_datetime64_dtype(frame[name])]
    columns = tuple(_column_profile(str(name), frame[name]) for name in kept)
    return Profile(len(frame), columns)


def psi(profile: Profile, frame: pd.DataFrame) -> dict[str, float]:
    """Return the population stability index of each column that the rows have."""
    return {name: shift.psi for name, shift in shifts(profile, frame).items()}


def shifts(profile: Profile, frame: pd.DataFrame) -> dict[str, Shift]:
    """Return how far each column of the rows is from its profile."""
    return {
        column.name: _shift(column, frame[column.name])
        for column in profile.columns
        if column.name in frame.columns
    }


def _column_profile(name: str, values: pd.Series) -> ColumnProfile:
    if pd.api.types.is_numeric_dtype(values) and not pd.api.types.is_bool_dtype(values):
        edges = _edges(values)
        empty = ColumnProfile(name, edges, (), ())
    else:
        levels = _texts(values).dropna().value_counts().index[:MOST_LEVELS]
        empty = ColumnProfile(name, None, tuple(map(str, levels)), ())
    counts = tuple(map(int, _counts(empty, values)))
    return ColumnProfile(name, empty.edges, empty.levels, counts)


def _edges(values: pd.Series) -> tuple[float, ...]:
    present = values.dropna().to_numpy(dtype=np.float64)
    if len(present) == 0:
        return ()
    inner = np.quantile(present, np.arange(1, BINS) / BINS, method="inverted_cdf")
    return tuple(float(edge) for edge in np.unique(inner))


def _counts(column: ColumnProfile, values: pd.Series) -> Counts:
    """Count the rows of each bin or level, of all other levels, and those without a value."""
    if column.edges is not None:
        numbers = pd.to_numeric(values, errors="coerce").to_numpy(dtype=np.float64, na_value=np.nan)
        present = numbers[~np.isnan(numbers)]
        places = np.searchsorted(np.array(column.edges), present, side="left")
        n_bins = len(column.edges) + 1
    else:
        texts = _texts(values).dropna()
        known = {level: place for place, level in enumerate(column.levels)}
        places = texts.map(known).fillna(len(known)).to_numpy(dtype=np.int64)
        n_bins = len(known) + 1
    bins = np.bincount(places, minlength=n_bins)
    return np.append(bins, len(values) - len(places)).astype(np.int64)


def _texts(values: pd.Series) -> pd.Series:
    """Write levels the same whether they were read as texts or as numbers."""
    if pd.api.types.is_float_dtype(values):
        values = values.astype(object).map(
            lambda value: int(value) if float(value).is_integer() else value, na_action="ignore"
        )
    return values.map(str, na_action="ignore")


def _shift(column: ColumnProfile, values: pd.Series) -> Shift:
    from scipy.special import chdtri

    expected, actual = np.array(column.counts), _counts(column, values)
    used = (expected + actual) > 0
    e, a = (_shares(counts[used]) for counts in (expected, actual))
    freedom = max(int(used.sum()) - 1, 1)
    n_expected, n_actual = max(int(expected.sum()), 1), max(int(actual.sum()), 1)
    noise = float(chdtri(freedom, CHANCE)) * (1.0 / n_expected + 1.0 / n_actual)
    return Shift(float(np.sum((a - e) * np.log(a / e))), noise)


def _shares(counts: Counts) -> npt.NDArray[np.float64]:
    """Return shares, none of them zero: half a row is added to each bin."""
    return np.asarray((counts + 0.5) / (counts.sum() + 0.5 * len(counts)))
