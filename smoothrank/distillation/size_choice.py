"""Which view and how many columns: the fewest within one standard error of the best AUC.

Folds differ more from each other than sizes do, so the standard error is that of the differences
to the best size, fold by fold.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import TypeVar

import numpy as np

from smoothrank.arrays import Vector

View = TypeVar("View", bound=str)
Size = TypeVar("Size", int, float)


def best_student(aucs: Mapping[tuple[View, int], Vector]) -> tuple[View, int]:
    """Return the view with the highest mean AUC of any size, and the chosen size in it.

    Parameters
    ----------
    aucs : mapping
        For each view and size the validation AUC of each fold.
    """
    view, _ = max(aucs, key=lambda student: float(np.mean(aucs[student])))
    return view, smallest_good({size: of for (one, size), of in aucs.items() if one == view})


def smallest_good(aucs: Mapping[Size, Vector]) -> Size:
    """Return the smallest size within one standard error of the best.

    Parameters
    ----------
    aucs : mapping
        For each size the validation AUC of each fold.

    Examples
    --------
    >>> import numpy as np
    >>> from smoothrank.distillation.size_choice import smallest_good
    >>> smallest_good({1: np.array([0.6, 0.5]), 5: np.array([0.8, 0.9])})
    5
    """
    sizes = sorted(aucs)
    best = max(sizes, key=lambda size: float(np.mean(aucs[size])))
    for size in sizes:
        behind = aucs[best] - aucs[size]
        error = float(np.std(behind, ddof=1)) / np.sqrt(len(behind)) if len(behind) > 1 else 0.0
        if float(np.mean(behind)) <= error:
            return size
    return best
