"""Tree ensembles as members of a teacher: extremely randomised trees, and boosting for many rows.

Trees see thresholds where kernels see distances. Their errors differ, which is what makes an
average better than its members.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
from threadpoolctl import threadpool_limits

from smoothrank.arrays import Matrix, Vector
from smoothrank.columns.feature_scaling import StandardScaler
from smoothrank.distillation.kernel_models import TrainingRows

EXTRA_TREES = "extra-trees"
ALL_FEATURES = "extra-trees-all-features"
BALANCED = "extra-trees-balanced"
BOOSTING = "boosting"
BOOSTING_ROWS = 2000
"""With fewer rows boosted trees are not tried."""

MANY_ROWS = 20_000
"""With more rows only the quickest kind of randomised trees is tried."""

MOST_LEAVES = 2048
"""The most leaves of a randomised tree."""

FARTHEST = 1e30
"""Trees take float32; beyond so many standard deviations there is no threshold anyway."""


@dataclass(frozen=True)
class TreesScore:
    """The mean share of positives in the leaves of a row, or boosting's log-odds.

    Parameters
    ----------
    estimator : classifier of scikit-learn
        The trees.
    scaler : StandardScaler
        Of the features that they see.
    """

    estimator: Any
    scaler: StandardScaler

    @property
    def n_columns(self) -> int:
        """How many trees there are."""
        return int(getattr(self.estimator, "n_iter_", 0) or len(self.estimator.estimators_))

    def score(self, X: Matrix) -> Vector:
        """Return the score of rows."""
        seen = _seen(X, self.scaler)
        if hasattr(self.estimator, "decision_function"):
            return np.asarray(self.estimator.decision_function(seen), dtype=np.float64)
        return np.asarray(self.estimator.predict_proba(seen)[:, 1], dtype=np.float64)


def tree_kinds(n_rows: int) -> tuple[str, ...]:
    """Return the kinds of trees to try with so many rows."""
    randomised = (EXTRA_TREES, ALL_FEATURES, BALANCED) if n_rows <= MANY_ROWS else (EXTRA_TREES,)
    return (*randomised, BOOSTING) if n_rows >= BOOSTING_ROWS else randomised


def fit_trees(kind: str, rows: TrainingRows, n_trees: int, seed: int) -> TreesScore:
    """Fit one kind of trees in this thread alone: boosting's own threads wait for each other.

    Parameters
    ----------
    kind : str
        One of `tree_kinds`.
    rows : TrainingRows
        The rows.
    n_trees : int
        How many randomised trees; boosting stops by itself.
    seed : int
        Seed of the trees.
    """
    labels, scaler = rows.is_positive.astype(np.int64), StandardScaler.fit(rows.X, rows.weight)
    seen, trees = _seen(rows.X, scaler), _unfitted(kind, n_trees, seed)
    with threadpool_limits(1, "openmp"):
        return TreesScore(trees.fit(seen, labels, rows.weight), scaler)


def _seen(X: Matrix, scaler: StandardScaler) -> Matrix:
    return np.clip(scaler.transform(X), -FARTHEST, FARTHEST).astype(np.float32)


def _unfitted(kind: str, n_trees: int, seed: int) -> Any:
    from sklearn.ensemble import ExtraTreesClassifier, HistGradientBoostingClassifier

    if kind == BOOSTING:
        return HistGradientBoostingClassifier(
            learning_rate=0.06, max_iter=400, early_stopping=True, random_state=seed
        )
    options: dict[str, dict[str, Any]] = {
        EXTRA_TREES: {},
        ALL_FEATURES: {"max_features": None},
        BALANCED: {"max_features": None, "class_weight": "balanced", "min_samples_leaf": 2},
    }
    return ExtraTreesClassifier(
        n_trees, max_leaf_nodes=MOST_LEAVES, random_state=seed, **options[kind]
    )
