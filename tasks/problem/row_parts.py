"""Split the rows of a table: which train, which test, and which must stay together."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np
import numpy.typing as npt
import pandas as pd

from smoothrank.datasets.dataset import Dataset
from smoothrank.errors import SmoothrankError
from smoothrank.tables.row_hash import Hashes, content_columns, hash_rows, hash_values, positions
from tasks.problem.split_rule import (
    Flags,
    SplitRule,
    Thresholds,
    draw_by_class,
    draw_for_groups,
    has_enough,
    latest_rows,
    too_few,
)
from tasks.project.config import SplitParams

Indices = npt.NDArray[np.intp]


@dataclass(frozen=True, eq=False)
class RowHashes:
    """The hashes of all rows.

    Parameters
    ----------
    content : ndarray of uint64
        Of the row's content.
    keys : ndarray of uint64
        Of its id or group; of its content where there is none.
    """

    content: Hashes
    keys: Hashes


@dataclass(frozen=True, eq=False)
class RowSplit:
    """How the rows of a data set were split.

    Parameters
    ----------
    rule : SplitRule
        The rule, with its thresholds.
    train, test : ndarray of int
        Numbers of the rows of both parts.
    dataset : Dataset
        The rows.
    """

    rule: SplitRule
    train: Indices
    test: Indices
    dataset: Dataset

    @property
    def note(self) -> str:
        """Why a new split was drawn for this data although there was one; else empty."""
        return self.rule.note if self.rule.drawn_from == self.dataset.checksum else ""

    @cached_property
    def hashes(self) -> RowHashes:
        """The hashes of all rows."""
        return row_hashes(self.dataset.X, self.rule)

    @property
    def groups(self) -> Hashes | None:
        """The group of each row, if groups stay together."""
        return self.hashes.keys if self.rule.by == "group" else None

    @cached_property
    def times(self) -> npt.NDArray[Any] | None:
        """The time of each row, if the split is by time."""
        if self.rule.by != "time" or self.rule.key is None:
            return None
        return times_of(self.dataset.X, self.rule.key)


def row_hashes(frame: pd.DataFrame, rule: SplitRule) -> RowHashes:
    """Return the hashes of rows by the columns of a rule; a row without a key is its own."""
    content = hash_rows(frame, rule.columns)
    if rule.by not in ("id", "group") or rule.key is None:
        return RowHashes(content, content)
    values = frame[rule.key]
    keys = np.where(values.isna().to_numpy(), content, hash_values(values))
    return RowHashes(content, keys)


def split_dataset(dataset: Dataset, rule: SplitRule, stored: SplitRule | None) -> RowSplit:
    """Split the rows by the stored rule, or draw a new one where it cannot be used.

    Parameters
    ----------
    dataset : Dataset
        The rows.
    rule : SplitRule
        What is asked for, without thresholds.
    stored : SplitRule or None
        What was drawn for this data set earlier.

    Raises
    ------
    SmoothrankError
        If a column is not there or cannot be used, or there are too few rows of a class.
    """
    _check_key(dataset.X, rule)
    reason = why_not(stored, rule) if stored else None
    if stored and not reason and (lost := [c for c in stored.columns if c not in dataset.X]):
        reason = f"the file no longer has {', '.join(map(repr, lost))}"
    if stored and not reason:
        split = _by_thresholds(dataset, stored)
        if split is not None:
            return split
        reason = "with the stored one a part would lack a class"
    note = f"a new split was drawn: {reason}" if reason else ""
    return _drawn(dataset, rule.model_copy(update={"drawn_from": dataset.checksum, "note": note}))


def why_not(stored: SplitRule, wanted: SplitRule) -> str | None:
    """Return why a stored rule does not match the request; None if it does, as far as is known."""
    names = {"by": "rule", "key": "column", "test_share": "split.test_share", "seed": "split.seed"}
    names |= {"target": "target", "positive": "positive label"}
    for field, name in names.items():
        old, new = getattr(stored, field), getattr(wanted, field)
        if new not in (old, ""):
            return f"the {name} is {_said(new)}, no longer {_said(old)}"
    return None


def _said(value: Any) -> str:
    return f"{value:g}" if isinstance(value, float) else "none" if value is None else f"{value}"


def _check_key(frame: pd.DataFrame, rule: SplitRule) -> None:
    if rule.key is None or rule.key in frame:
        return
    known = ", ".join(map(repr, frame.columns[:20])) + (", …" if len(frame.columns) > 20 else "")
    raise SmoothrankError(f"--{rule.by}: there is no input column {rule.key!r}; there are {known}")


def _by_thresholds(dataset: Dataset, rule: SplitRule) -> RowSplit | None:
    is_positive = dataset.y == 1
    if rule.by == "time":
        return _drawn(dataset, rule)
    places = positions(row_hashes(dataset.X, rule).keys, rule.seed)
    thresholds = Thresholds(rule.positive_below, rule.negative_below)
    is_test = thresholds.test_rows(places, is_positive)
    return _row_split(dataset, rule, is_test) if has_enough(is_test, is_positive) else None


def _drawn(dataset: Dataset, rule: SplitRule) -> RowSplit:
    is_positive = dataset.y == 1
    params = SplitParams(test_share=rule.test_share, seed=rule.seed)
    if rule.by == "time":
        is_test = latest_rows(times_of(dataset.X, str(rule.key)), rule.test_share)
        if not has_enough(is_test, is_positive):
            raise _no_split(rule, is_test, is_positive)
        return _row_split(dataset, rule, is_test)
    places = positions(row_hashes(dataset.X, rule).keys, rule.seed)
    draw = draw_for_groups if rule.by == "group" else draw_by_class
    thresholds = draw(places, is_positive, rule.test_share)
    if thresholds is None and rule.by == "group":
        raise SmoothrankError(
            f"--group: the groups of {rule.key!r} cannot be divided so that both classes are in "
            "the training part and in the test part; add groups, or leave --group out"
        )
    if thresholds is None:
        raise too_few(is_positive, params)
    is_test = thresholds.test_rows(places, is_positive)
    if not has_enough(is_test, is_positive):
        raise too_few(is_positive, params)
    found = {"positive_below": thresholds.positive, "negative_below": thresholds.negative}
    return _row_split(dataset, rule.model_copy(update=found), is_test)


def _no_split(rule: SplitRule, is_test: Flags, is_positive: Flags) -> SmoothrankError:
    counts = [
        f"{np.sum(part & is_positive)} positive and {np.sum(part & ~is_positive)} negative"
        for part in (is_test, ~is_test)
    ]
    return SmoothrankError(
        f"--time: the latest {100 * rule.test_share:g} % of rows by {rule.key!r} are {counts[0]}, "
        f"the others {counts[1]}; both parts need both classes. Change split.test_share, add rows, "
        "or leave --time out"
    )


def _row_split(dataset: Dataset, rule: SplitRule, is_test: Flags) -> RowSplit:
    return RowSplit(rule, np.flatnonzero(~is_test), np.flatnonzero(is_test), dataset)


def times_of(frame: pd.DataFrame, column: str) -> npt.NDArray[Any]:
    """Return the times of rows as numbers: those of the column, or of its dates.

    Raises
    ------
    SmoothrankError
        If the column has other values, or none in some rows.
    """
    values = frame[column]
    if pd.api.types.is_numeric_dtype(values.dtype):
        times = values
    else:
        times = pd.to_datetime(values, format="ISO8601", errors="coerce", utc=True)
    if (no_time := (times.isna() & values.notna()).to_numpy()).any():
        row = int(np.flatnonzero(no_time)[0])
        raise SmoothrankError(
            f"--time: {column!r} holds neither numbers nor dates: row {row + 1} is "
            f"{values.iloc[row]!r}. Name another column, or say how dates are written: "
            "--date-format"
        )
    if times.isna().any():
        row = int(np.flatnonzero(times.isna().to_numpy())[0])
        raise SmoothrankError(
            f"--time: {column!r} is missing in {int(times.isna().sum())} rows, first in row "
            f"{row + 1}; fill it in, or leave those rows out"
        )
    if pd.api.types.is_numeric_dtype(times.dtype):
        return times.to_numpy()
    moments: npt.NDArray[Any] = times.dt.tz_localize(None).to_numpy(dtype="datetime64[us]")
    return moments.view(np.int64)


def random_split(dataset: Dataset, rule: SplitRule) -> RowSplit:
    """Split the rows by the rule of `paper_split`."""
    params = SplitParams(test_share=rule.test_share, seed=rule.seed)
    return RowSplit(rule, *split_rows(dataset.y, params), dataset)


def split_rows(y: npt.NDArray[np.int64], params: SplitParams) -> tuple[Indices, Indices]:
    """Return the numbers of the training and of the test rows, by the rule of `paper_split`."""
    from smoothrank.selection.splits import stratified_split

    is_positive = y == 1
    try:
        train, test = stratified_split(y, params.test_share, params.seed)
    except ValueError:
        raise too_few(is_positive, params) from None
    if not has_enough(np.isin(np.arange(len(y)), test), is_positive):
        raise too_few(is_positive, params)
    return train, test


def content_rule(dataset: Dataset, params: SplitParams, by: Any, key: str | None) -> SplitRule:
    """Return what is asked for, without thresholds."""
    return SplitRule(
        by=by,
        key=key,
        columns=content_columns(dataset.X.columns),
        target=dataset.schema.target.name,
        positive=dataset.schema.positive,
        test_share=params.test_share,
        seed=params.seed,
    )
