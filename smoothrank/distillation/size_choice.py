"""How many columns: the fewest within one standard error of the best AUC.

Folds differ more from each other than sizes do, so the standard error is that of the differences
to the best size, fold by fold.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import TypeVar

import numpy as np

from smoothrank.arrays import Vector

Size = TypeVar("Size", int, float)


def is_settled(aucs: Mapping[int, Vector]) -> bool:
    """Return whether the two largest sizes are no better than some smaller one.

    Parameters
    ----------
    aucs : mapping
        For each size the validation AUC of each fold.

    Examples
    --------
    >>> import numpy as np
    >>> from smoothrank.distillation.size_choice import is_settled
    >>> is_settled({1: np.array([0.8]), 2: np.array([0.7]), 3: np.array([0.8])})
    True
    """
    means = [float(np.mean(aucs[size])) for size in sorted(aucs)]
    return len(means) > 2 and max(means[:-2]) >= max(means[-2:])


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
