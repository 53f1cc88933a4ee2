"""Whether one recipe is worse than another, from the same folds: the corrected resampled t-test.

Folds of the same rows overlap in what they train on, and their differences are correlated; the
plain t-test assumes independence and rejects too often. Nadeau and Bengio (2003) replace the
variance s²/J of the mean of J differences by

    s² (1/J + n_validation / n_train).
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from scipy import stats

from smoothrank.evaluation.delong import AucComparison, EvaluationError


def compare_folds(
    new_aucs: Sequence[float], old_aucs: Sequence[float], validation_share: float
) -> AucComparison:
    """Compare the AUC of a new recipe with that of an old one, fold by fold.

    Parameters
    ----------
    new_aucs, old_aucs : sequence of float
        The validation AUC of both on the same folds.
    validation_share : float
        Validation rows per training row: 0.25 for five folds.
    """
    new, old = np.asarray(new_aucs, dtype=np.float64), np.asarray(old_aucs, dtype=np.float64)
    if new.shape != old.shape or len(new) < 2:
        raise EvaluationError(
            f"{len(new)} and {len(old)} folds: give the AUC of both on the same two or more folds."
        )
    difference = float(np.mean(new - old))
    factor = 1.0 / len(new) + validation_share
    error = float(np.sqrt(np.var(new - old, ddof=1) * factor))
    return AucComparison(
        float(new.mean()),
        float(old.mean()),
        difference,
        error,
        _p_worse(difference, error, len(new)),
    )


def _p_worse(difference: float, error: float, n_folds: int) -> float:
    if error > 0.0:
        return float(stats.t.cdf(difference / error, n_folds - 1))
    return 0.5 if difference == 0.0 else float(difference > 0.0)
