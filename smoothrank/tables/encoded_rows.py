"""Encoded rows, and which values differ from those of the training rows."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal, Self

import numpy as np
import numpy.typing as npt
import pandas as pd

from smoothrank.arrays import Flags, Matrix
from smoothrank.tables.columns import Block, TableColumn
from smoothrank.tables.one_hot import EncodingError

TroubleKind = Literal["missing", "unseen", "unreadable"]

_KNOWN_SHOWN = 20


@dataclass(frozen=True, eq=False)
class Trouble:
    """Rows in which the value of a column is missing, a level never seen, or cannot be read."""

    column: str
    kind: TroubleKind
    rows: npt.NDArray[np.intp]
    values: pd.Series

    @classmethod
    def of(cls, name: str, values: pd.Series, block: Block) -> list[Self]:
        """Return all troubles of one column."""
        kinds: list[tuple[TroubleKind, Flags]] = [
            ("missing", block.missing),
            ("unseen", block.unseen),
            ("unreadable", block.unreadable),
        ]
        return [
            cls(name, kind, np.flatnonzero(where), values[where]) for kind, where in kinds
            if where.any()
        ]  # fmt: skip

    def texts(self) -> list[str]:
        """Return one remark for each row."""
        if self.kind == "missing":
            return [f"{self.column} is missing"] * len(self.rows)
        remark = "never seen" if self.kind == "unseen" else "cannot be read"
        return [f"{self.column}: {value!r} {remark}" for value in self.values.tolist()]


@dataclass(frozen=True, eq=False)
class EncodedRows:
    """Features of raw rows.

    Parameters
    ----------
    features : ndarray of shape (rows, features)
        What a classifier takes.
    index : pandas.Index
        The index of the raw rows.
    troubles : tuple of Trouble
        Where values differ from those of the training rows.
    """

    features: Matrix
    index: pd.Index
    troubles: tuple[Trouble, ...] = ()

    def counts(self) -> dict[str, int]:
        """Return how many rows have a missing, unseen or unreadable value; zeros are omitted."""
        found: dict[str, set[int]] = {}
        for trouble in self.troubles:
            found.setdefault(trouble.kind, set()).update(trouble.rows.tolist())
        return {kind: len(rows) for kind, rows in found.items()}

    def remarks(self) -> list[str]:
        """Return the remarks on each row; most have none."""
        remarks: list[list[str]] = [[] for _ in range(len(self.features))]
        for trouble in self.troubles:
            for row, text in zip(trouble.rows.tolist(), trouble.texts(), strict=True):
                remarks[row].append(text)
        return ["; ".join(parts) for parts in remarks]


def refuse(column: TableColumn, values: pd.Series, block: Block) -> None:
    """Raise an error for the first value of a column that differs from the training rows."""
    missing = block.missing if column.missing_share == 0.0 else np.zeros_like(block.missing)
    for where in (missing, block.unseen, block.unreadable):
        if where.any():
            row = int(np.flatnonzero(where)[0])
            reason = _reason(column, values.iloc[row], where is missing)
            raise EncodingError(f"column {column.name!r}, row {row + 1}: {reason}")


def _reason(column: TableColumn, value: object, is_missing: bool) -> str:
    if is_missing:
        return "the value is missing, as none was when fitted"
    if column.kind == "levels":
        return f"unknown level {str(value)!r}; known are {_known(column)}"
    return f"{value!r} is not a {column.kind}, as all were when fitted"


def _known(column: TableColumn) -> str:
    known = [*(column.levels or ()), *(column.rare or ())]
    return ", ".join(map(repr, known[:_KNOWN_SHOWN])) + (", …" if len(known) > _KNOWN_SHOWN else "")
