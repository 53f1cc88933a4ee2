"""How the test part is held out, so that a row keeps its part while the file grows.

Each row has a place in [0, 1), which is a hash of its content or key; it is a test row if its
place lies below the threshold of its class. The thresholds are drawn once, so that each class
gives the wanted share, and stored; later rows fall on either side by their own hash.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, Literal

import numpy as np
import numpy.typing as npt
from pydantic import BaseModel, ConfigDict

from smoothrank.datasets.catalogue.fetch import write_whole
from smoothrank.errors import SmoothrankError
from tasks.project.config import SplitParams
from tasks.project.user_data import SPLIT, user_data_folder

Flags = npt.NDArray[np.bool_]
Places = npt.NDArray[np.float64]
By = Literal["random", "content", "id", "group", "time"]

LEAST_TRAINING, LEAST_TEST = 2, 1
"""Rows of each class."""


class SplitRule(BaseModel):
    """Everything that decides which rows are test rows.

    Parameters
    ----------
    by : {"random", "content", "id", "group", "time"}
        What decides a row's part; "random" is the paper's split, for files that do not grow.
    key : str or None
        The column of the id, group or time.
    columns : tuple of str
        The columns that make up a row's content.
    target, positive : str
        What is to be told apart.
    test_share : float
        The share that was asked for.
    seed : int
        Another seed gives another split.
    positive_below, negative_below : float
        The thresholds of the classes, in [0, 1].
    drawn_from : str
        The checksum of the data that the thresholds were drawn from.
    note : str
        Why it was drawn although there was another; else empty.
    """

    model_config = ConfigDict(frozen=True, extra="forbid")

    by: By
    key: str | None
    columns: tuple[str, ...]
    target: str
    positive: str
    test_share: float
    seed: int
    positive_below: float = 0.0
    negative_below: float = 0.0
    drawn_from: str = ""
    note: str = ""


@dataclass(frozen=True)
class Thresholds:
    """Below which place a positive and a negative row is a test row."""

    positive: float
    negative: float

    def test_rows(self, places: Places, is_positive: Flags) -> Flags:
        """Return which rows are test rows; equal rows share their part, whatever their classes."""
        below = places < np.where(is_positive, self.positive, self.negative)
        return np.isin(places, np.unique(places[below]))


def draw_by_class(places: Places, is_positive: Flags, share: float) -> Thresholds | None:
    """Return the thresholds that hold out a share of each class, or None if there are none."""
    found = [_threshold(places[rows], share) for rows in (is_positive, ~is_positive)]
    return None if None in found else Thresholds(*[float(x) for x in found if x is not None])


def _threshold(places: Places, share: float) -> float | None:
    """Return the threshold nearest to the share that keeps equal rows together."""
    different, counts = np.unique(places, return_counts=True)
    below = np.cumsum(counts)
    possible = np.flatnonzero((below >= LEAST_TEST) & (below <= len(places) - LEAST_TRAINING))
    if not len(possible):
        return None
    return _between(different, possible[_nearest(below[possible], share * len(places))], share)


def draw_for_groups(places: Places, is_positive: Flags, share: float) -> Thresholds | None:
    """Return one threshold for whole groups, as close to the share of both classes as possible."""
    different, group = np.unique(places, return_inverse=True)
    below = np.array(
        [
            np.cumsum(np.bincount(group[rows], minlength=len(different)))
            for rows in _both(is_positive)
        ]
    )
    totals = below[:, -1:] if below.size else np.zeros((2, 1))
    enough = (below >= LEAST_TEST) & (below <= totals - LEAST_TRAINING)
    possible = np.flatnonzero(enough.all(axis=0))
    if not len(possible):
        return None
    off = np.abs(below[:, possible] / totals - share).max(axis=0)
    cut = _between(different, possible[int(np.argmin(off))], share)
    return Thresholds(cut, cut)


def latest_rows(times: npt.NDArray[Any], share: float) -> Flags:
    """Return which rows are the latest share; rows of one time stay together."""
    different, counts = np.unique(times, return_counts=True)
    later = len(times) - np.cumsum(counts)
    cut = _nearest(later, share * len(times))
    return np.asarray(times > different[cut])


def has_enough(is_test: Flags, is_positive: Flags) -> bool:
    """Return whether both classes have rows to train and to test with."""
    return all(
        np.sum(rows & is_test) >= LEAST_TEST and np.sum(rows & ~is_test) >= LEAST_TRAINING
        for rows in _both(is_positive)
    )


def too_few(is_positive: Flags, params: SplitParams) -> SmoothrankError:
    """Return the error that says that there are too few rows."""
    positives = int(np.sum(is_positive))
    return SmoothrankError(
        f"too few rows to hold out a share of {params.test_share:g} and choose by folds: "
        f"{positives} positive, {len(is_positive) - positives} negative; at least two of each "
        "class are needed for training and one for the test. Add rows, or change split.test_share."
    )


def _both(is_positive: Flags) -> tuple[Flags, Flags]:
    return is_positive, ~is_positive


def _nearest(counts: npt.NDArray[np.int_], wanted: float) -> int:
    """Return the position of the count nearest to the wanted one; on a tie the greater."""
    off = np.abs(counts - wanted)
    return int(np.flatnonzero(off == off.min())[np.argmax(counts[off == off.min()])])


def _between(places: Places, last_below: int, share: float) -> float:
    """Return a threshold above one place, not above the next, and close to the share."""
    above = places[last_below + 1] if last_below + 1 < len(places) else 1.0
    return float(np.clip(share, np.nextafter(places[last_below], 1.0), above))


def read_rule(name: str) -> SplitRule | None:
    """Read the stored rule of a data set; None where there is none.

    Raises
    ------
    SmoothrankError
        If the file holds something else.
    """
    path = user_data_folder(name) / SPLIT
    try:
        return SplitRule.model_validate_json(path.read_text("utf-8"))
    except FileNotFoundError:
        return None
    except (OSError, ValueError) as error:
        reason = " ".join(str(error).split())
        raise SmoothrankError(
            f"{path} does not say how rows are split ({reason}); bring it back, or remove it to "
            "have a new split drawn"
        ) from None


def write_rule(name: str, rule: SplitRule) -> None:
    """Store the rule of a data set, atomically."""
    folder = user_data_folder(name)
    folder.mkdir(parents=True, exist_ok=True)
    write_whole(folder / SPLIT, (rule.model_dump_json(indent=1) + "\n").encode())
