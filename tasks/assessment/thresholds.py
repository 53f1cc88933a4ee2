"""What a threshold does on labelled rows: which are reported, and how many correctly."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt

from tasks.results.confusion import Confusion

Flags = npt.NDArray[np.bool_]
Vector = npt.NDArray[np.float64]

HALF = 0.5
COSTS = (5.0, 20.0)
"""How many false alarms a missed positive is worth, in the alternatives."""

SHARES = (0.01, 0.05, 0.10)
"""How many of the rows are reported, in the alternatives."""


@dataclass(frozen=True)
class Alternative:
    """A rule for the threshold, the resulting probability, and its effect.

    Parameters
    ----------
    name : str
        The rule in words.
    option : str
        How `smoothrank predict` is told.
    threshold : float
        The lowest probability that is reported.
    confusion : Confusion
        The resulting counts.
    """

    name: str
    option: str
    threshold: float
    confusion: Confusion


def confusion(is_reported: Any, is_positive: Any) -> Confusion:
    """Count rows by what the model says and what is true."""
    said, true = np.asarray(is_reported), np.asarray(is_positive)
    return Confusion(
        true_positives=int(np.sum(said & true)),
        false_positives=int(np.sum(said & ~true)),
        false_negatives=int(np.sum(~said & true)),
        true_negatives=int(np.sum(~said & ~true)),
    )


def alternatives(score: Vector, probability: Vector, is_positive: Flags) -> list[Alternative]:
    """Return other thresholds: at even odds, by the costs of both errors, at a number of rows.

    Parameters
    ----------
    score, probability : numpy.ndarray of shape (n,)
        What the model gives each row; of equal scores the first rows are the top ones, as for
        `smoothrank predict --top`.
    is_positive : numpy.ndarray of bool of shape (n,)
        The class of each row.
    """
    rules = [("even chances", f"--threshold {HALF:g}", HALF)]
    for cost in COSTS:
        options = f"--cost-fp 1 --cost-fn {cost:g}"
        rules.append((f"a miss costs {cost:g} false alarms", options, 1.0 / (1.0 + cost)))
    found = [
        Alternative(name, option, threshold, confusion(probability >= threshold, is_positive))
        for name, option, threshold in rules
    ]
    order = np.argsort(-score, kind="stable")
    for share in SHARES:
        count = max(1, round(share * len(order)))
        is_top = np.isin(np.arange(len(order)), order[:count])
        lowest, counted = float(probability[order[count - 1]]), confusion(is_top, is_positive)
        name = f"top {share:.0%} of the rows"
        found.append(Alternative(name, f"--top {count}", lowest, counted))
    return found
