"""How good scores are beside AUC: average precision, Brier score, recall at a precision."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np


@dataclass(frozen=True)
class Measures:
    """Measures of scores on rows whose class is known.

    Parameters
    ----------
    average_precision : float
        The precision averaged over the recall; for scores by chance it is the positive share.
    brier : float
        The mean squared error of the probabilities; lower is better.
    recall_at_precision : float
        The largest share of positives that can be found while the given share of what is
        reported is right; 0 where no threshold reaches that share.
    """

    average_precision: float
    brier: float
    recall_at_precision: float


def measures(probability: Any, is_positive: Any, precision: float) -> Measures:
    """Measure probabilities of the positive class.

    Parameters
    ----------
    probability : array-like of shape (n,)
        Probabilities, higher for rows that are more likely positive.
    is_positive : array-like of bool of shape (n,)
        The class of each row.
    precision : float
        The precision at which the recall is measured.
    """
    from sklearn.metrics import average_precision_score, brier_score_loss, precision_recall_curve

    flags, values = np.asarray(is_positive), np.asarray(probability, dtype=np.float64)
    precisions, recalls, _ = precision_recall_curve(flags, values)
    reached = recalls[:-1][precisions[:-1] >= precision]
    return Measures(
        average_precision=float(average_precision_score(flags, values)),
        brier=float(brier_score_loss(flags, values)),
        recall_at_precision=float(reached.max(initial=0.0)),
    )
