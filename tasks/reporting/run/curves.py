"""The curves of a model on labelled rows, thinned to what the eye can resolve."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

Vector = npt.NDArray[np.float64]
Flags = npt.NDArray[np.bool_]
Points = list[tuple[float, float]]

MOST_POINTS = 240
MOST_BINS = 10
ROWS_OF_A_BIN = 15


@dataclass(frozen=True)
class Bin:
    """Rows of about the same probability.

    Parameters
    ----------
    said, seen : float
        The mean probability, and the share that is positive.
    low, high : float
        Wilson's 95 % interval of that share.
    rows : int
        How many rows.
    """

    said: float
    seen: float
    low: float
    high: float
    rows: int


def roc_points(score: Vector, is_positive: Flags) -> Points:
    """Return the share of negatives reported against the share of positives reported."""
    from sklearn.metrics import roc_curve

    false_rate, true_rate, _ = roc_curve(is_positive, score)
    return thinned(false_rate, true_rate)


def precision_points(score: Vector, is_positive: Flags) -> Points:
    """Return precision against recall, from the highest score down."""
    from sklearn.metrics import precision_recall_curve

    precision, recall, _ = precision_recall_curve(is_positive, score, drop_intermediate=True)
    return thinned(recall[:-1][::-1], precision[:-1][::-1])


def gain_points(score: Vector, is_positive: Flags) -> Points:
    """Return the share of rows reported against the share of positives among them."""
    order = np.argsort(-score, kind="stable")
    found = np.concatenate([[0.0], np.cumsum(is_positive[order]) / is_positive.sum()])
    last_of_equals = np.concatenate([[True], np.diff(score[order]) != 0.0, [True]])
    share = np.linspace(0.0, 1.0, len(found))
    return thinned(share[last_of_equals], found[last_of_equals])


def thinned(across: Vector, up: Vector) -> Points:
    """Return at most `MOST_POINTS` points of a curve, first and last among them."""
    count = min(len(across), MOST_POINTS)
    kept = np.unique(np.linspace(0, len(across) - 1, count).round().astype(int))
    return [(float(across[i]), float(up[i])) for i in kept]


def calibration_bins(probability: Vector, is_positive: Flags) -> list[Bin]:
    """Group rows by probability, in equal sizes: what was predicted, and what was observed."""
    from scipy.stats import binomtest

    count = max(1, min(MOST_BINS, len(probability) // ROWS_OF_A_BIN))
    order = np.argsort(probability, kind="stable")
    bins = []
    for rows in np.array_split(order, count):
        seen = int(is_positive[rows].sum())
        ends = binomtest(seen, len(rows)).proportion_ci(method="wilson")
        said = float(probability[rows].mean())
        bins.append(Bin(said, seen / len(rows), float(ends.low), float(ends.high), len(rows)))
    return bins
