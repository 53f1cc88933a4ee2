"""How each column of a table is encoded, decided from its values without the target."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import numpy.typing as npt
import pandas as pd

from smoothrank.tables.columns import PERIODS, TableColumn, date_part, days, level_texts, numbers
from smoothrank.tables.left_out import LeftOut, free_text, numeric_id

MOST_LEVELS = 30
"""The most named levels of a column; the others are grouped in `other`."""

MOST_LEVEL_FEATURES = 500
"""The most levels of all columns together; where there are more, each gets fewer."""

FEWER_LEVELS = (MOST_LEVELS, 10, 3)

FEWEST_ROWS = 5
RARE_SHARE = 0.01
RARE_SHARE_OF_FEW = 0.05
"""A level has a name if it is in 1 % of the rows and in five; in a short table, in 5 %."""

FREQUENTLY_MISSING = 0.05
"""From this share of missing values, a 0/1 feature marks them."""

MOST_RARE = 5000
"""The most rare levels remembered, to distinguish them from those never seen."""


@dataclass(frozen=True)
class Limits:
    """Limits on levels, and what is left out although it could be used."""

    most_levels: int = MOST_LEVELS
    keeps_ids: bool = False


def learn_column(name: str, values: pd.Series, limits: Limits) -> TableColumn | LeftOut:
    """Decide what a column is, from the rows to learn from."""
    share = float(values.isna().mean())
    present = values[values.notna()]
    if present.empty:
        return LeftOut(name, "no values")
    if pd.api.types.is_datetime64_any_dtype(values.dtype):
        return _learn_date(name, present, share)
    found = numbers(present) if values.dtype.kind != "b" else np.array([np.nan])
    if np.isfinite(found).all():
        return _learn_number(name, present, found, share, limits)
    return _learn_levels(name, level_texts(present), share, limits)


def _learn_number(
    name: str, present: pd.Series, found: npt.NDArray[np.float64], share: float, limits: Limits
) -> TableColumn | LeftOut:
    if np.all(found == found[0]):
        return _learn_levels(name, level_texts(present), share, limits)
    reason = None if limits.keeps_ids else numeric_id(name, pd.Series(found))
    if reason is not None:
        return LeftOut(name, reason)
    return TableColumn(
        name,
        "number",
        float(np.median(found)),
        marks_missing=share >= FREQUENTLY_MISSING,
        missing_share=share,
    )


def _learn_date(name: str, present: pd.Series, share: float) -> TableColumn | LeftOut:
    found = days(present)
    if np.all(found == found[0]):
        return LeftOut(name, "the same date in every row")
    parts = tuple(part for part in PERIODS if len(np.unique(date_part(found, part))) > 1)
    return TableColumn(
        name,
        "date",
        float(np.median(found)),
        marks_missing=share >= FREQUENTLY_MISSING,
        missing_share=share,
        parts=parts,
    )


def _learn_levels(
    name: str, texts: npt.NDArray[np.object_], share: float, limits: Limits
) -> TableColumn | LeftOut:
    counts = pd.Series(texts).value_counts().sort_index()
    marks_missing = share >= FREQUENTLY_MISSING
    if len(counts) == 1 and not marks_missing:
        return LeftOut(name, f"the same value in every row, {counts.index[0]!r}")
    if reason := free_text(len(counts), len(texts)):
        return LeftOut(name, reason)
    named = _named_levels(counts, round(len(texts) / (1.0 - share)), limits.most_levels)
    if len(named) == 0:
        return LeftOut(name, f"{len(counts):,} different texts, none of them frequent")
    rare = tuple(str(level) for level in counts.index if level not in named)
    return TableColumn(
        name,
        "levels",
        str(counts.idxmax()),
        levels=tuple(sorted(named)),
        has_other=bool(rare),
        marks_missing=marks_missing,
        missing_share=share,
        rare=rare if len(rare) <= MOST_RARE else None,
    )


def _named_levels(counts: pd.Series, n_rows: int, most: int) -> set[str]:
    """Return the levels frequent enough for a feature; a single rare one keeps its name."""
    least = max(RARE_SHARE * n_rows, min(FEWEST_ROWS, RARE_SHARE_OF_FEW * n_rows))
    by_count = counts.sort_values(ascending=False, kind="stable")
    frequent = by_count[by_count >= least]
    if len(frequent) and len(by_count) <= min(most, len(frequent) + 1):
        return {str(level) for level in by_count.index}
    return {str(level) for level in frequent.index[:most]}
