"""Advice on bad input, given together with what is wrong with it."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

import numpy as np
import numpy.typing as npt
from pandas.api.types import is_datetime64_any_dtype as is_date
from pandas.api.types import is_string_dtype as is_string

from smoothrank.arrays import LARGEST_VALUE, SMALLEST_EXTENT
from smoothrank.errors import SmoothrankError

_ADVICE = {
    "could not convert": "Turn text into numbers first, for example with smoothrank.TableEncoder.",
    "Found array with 0 feature": "Give at least one column of numbers.",
    "Found array with": "Give at least two rows, one of each class.",
    "Negative values": "Give weights that are zero or more.",
    "features, but": "Give the columns of the training data, in the same order.",
    "feature names": "Give the columns of the training data, in the same order.",
    "contains NaN": "Drop those rows, or fill the gaps, for example with smoothrank.TableEncoder.",
    "contains infinity": "Replace or drop those values.",
}


class ScoreError(SmoothrankError):
    """A row has no score, because its values or the model's are too large to compute with.

    Parameters
    ----------
    row, column : int
        The first such row, and the column of its largest value, counted from 0.
    value : float
        That value.
    """

    def __init__(self, row: int, column: int, value: float) -> None:
        reason = f"column {column} is {value:.3g}"
        super().__init__(f"Row {row} of X has no finite score: {reason}. {score_advice(value)}")
        self.row, self.column, self.value = row, column, value

    def __reduce__(self) -> tuple[type[ScoreError], tuple[int, int, float]]:
        return type(self), (self.row, self.column, self.value)


def score_advice(value: float) -> str:
    """Say what to do about a row without a score, given its largest value."""
    if abs(value) > LARGEST_VALUE:
        return f"Beyond {LARGEST_VALUE:g} distances overflow: correct it, or leave the row out."
    return "It is the model whose numbers are too large: fit it again."


def check_scores(X: npt.NDArray[np.float64], scores: npt.NDArray[np.float64]) -> None:
    """Refuse rows whose score is not a finite number.

    Raises
    ------
    ScoreError
        If there is one.
    """
    lost = ~np.isfinite(scores)
    if lost.any():
        row = int(np.flatnonzero(lost)[0])
        column = int(np.argmax(np.abs(X[row])))
        raise ScoreError(row, column, float(X[row, column]))


@contextmanager
def advised() -> Iterator[None]:
    """Re-raise the ValueError of a validation, with advice added to it."""
    try:
        yield
    except ValueError as error:
        for sign, advice in _ADVICE.items():
            if sign in str(error):
                raise ValueError(f"{error} {advice}") from error
        raise


def check_kinds(X: Any) -> None:
    """Refuse columns of dates and text by name; anything else is checked elsewhere."""
    kinds = getattr(X, "dtypes", None)
    if kinds is None or not hasattr(kinds, "items"):
        bad = ["X"] if getattr(getattr(X, "dtype", None), "kind", None) in ("m", "M") else []
    else:
        bad = [repr(name) for name, kind in kinds.items() if is_date(kind) or is_string(kind)]
    if bad:
        raise ValueError(
            f"{', '.join(bad)}: text or dates where numbers are needed. Turn text into numbers "
            "first, for example with smoothrank.TableEncoder; make numbers of dates (days since "
            "one of them), or leave them out."
        )


def check_magnitude(X: npt.NDArray[np.float64]) -> None:
    """Refuse values whose squared distances overflow or vanish."""
    largest = np.abs(X).max(axis=0)
    if np.any(largest > LARGEST_VALUE):
        column = int(np.argmax(largest))
        raise ValueError(
            f"Column {column} of X has values up to {largest[column]:.3g}; their distances "
            f"overflow beyond {LARGEST_VALUE:g}. Rescale it, or use scale='quantile'."
        )
    extent = float(np.ptp(X, axis=0).max())
    if 0.0 < extent < SMALLEST_EXTENT:
        raise ValueError(
            f"No column of X varies by more than {extent:.3g}; distances below "
            f"{SMALLEST_EXTENT:g} vanish. Rescale the columns, or use scale='quantile'."
        )
