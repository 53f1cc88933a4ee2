"""Forests of 500 trees."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from benchmarks.peers.participants.base import RANDOM_STATE, Participant, Shape, register

N_TREES = 500


def _random_forest(_: Shape) -> Sequence[Any]:
    from sklearn.ensemble import RandomForestClassifier

    return [RandomForestClassifier(N_TREES, random_state=RANDOM_STATE, n_jobs=1)]


def _extra_trees(_: Shape) -> Sequence[Any]:
    from sklearn.ensemble import ExtraTreesClassifier

    return [ExtraTreesClassifier(N_TREES, random_state=RANDOM_STATE, n_jobs=1)]


def _isotonic(shape: Shape) -> Sequence[Any]:
    """Return one forest, calibrated by its out-of-fold scores."""
    from sklearn.calibration import CalibratedClassifierCV

    (forest,) = _random_forest(shape)
    return [CalibratedClassifierCV(forest, method="isotonic", cv=shape.n_folds, ensemble=False)]


def _n_leaves(model: Any) -> int:
    return sum(int(tree.get_n_leaves()) for tree in model.estimators_)


def _n_leaves_of_calibrated(model: Any) -> int:
    return sum(_n_leaves(one.estimator) for one in model.calibrated_classifiers_)


register(Participant("random-forest", "random forest", _random_forest, _n_leaves, "leaves"))
register(Participant("extra-trees", "extra trees", _extra_trees, _n_leaves, "leaves"))
register(
    Participant(
        "random-forest-isotonic",
        "random forest, isotonic",
        _isotonic,
        _n_leaves_of_calibrated,
        "leaves",
        has_probabilities=True,
    )
)
