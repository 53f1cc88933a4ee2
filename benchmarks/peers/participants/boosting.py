"""Boosted trees: XGBoost, LightGBM and the explainable boosting machine."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import product
from typing import Any

import numpy as np

from benchmarks.peers.participants.base import (
    RANDOM_STATE,
    Participant,
    Shape,
    path_over,
    register,
)
from smoothrank.arrays import Matrix, Vector

ROUNDS = (50, 200)
RATES = (0.05, 0.2)
DEPTHS = (2, 4)
LEAVES = (4, 15)


def _xgboost(_: Shape) -> Sequence[Any]:
    from xgboost import XGBClassifier

    return [
        XGBClassifier(
            n_estimators=rounds,
            max_depth=depth,
            learning_rate=rate,
            n_jobs=1,
            random_state=RANDOM_STATE,
        )
        for depth, rate, rounds in product(DEPTHS, RATES, ROUNDS)
    ]


def _xgboost_after(model: Any, rows: Matrix, rounds: int) -> Vector:
    margins = model.predict(rows, output_margin=True, iteration_range=(0, rounds))
    return np.asarray(margins, dtype=np.float64)


def _xgboost_leaves(model: Any) -> int:
    return sum(tree.count("leaf=") for tree in model.get_booster().get_dump())


def _lightgbm(_: Shape) -> Sequence[Any]:
    from lightgbm import LGBMClassifier

    return [
        LGBMClassifier(
            n_estimators=rounds,
            num_leaves=leaves,
            learning_rate=rate,
            min_child_samples=5,
            n_jobs=1,
            random_state=RANDOM_STATE,
            verbose=-1,
        )
        for leaves, rate, rounds in product(LEAVES, RATES, ROUNDS)
    ]


def _lightgbm_after(model: Any, rows: Matrix, rounds: int) -> Vector:
    margins = model.predict(rows, raw_score=True, num_iteration=rounds)
    return np.asarray(margins, dtype=np.float64)


def _lightgbm_leaves(model: Any) -> int:
    return sum(int(tree["num_leaves"]) for tree in model.booster_.dump_model()["tree_info"])


def _explainable(_: Shape) -> Sequence[Any]:
    from interpret.glassbox import ExplainableBoostingClassifier

    return [ExplainableBoostingClassifier(n_jobs=1, random_state=RANDOM_STATE)]


def _n_terms(model: Any) -> int:
    return len(model.term_features_)


register(
    Participant(
        "xgboost",
        "XGBoost",
        _xgboost,
        _xgboost_leaves,
        "leaves",
        needs=("xgboost",),
        has_probabilities=True,
        scores=path_over("n_estimators", _xgboost_after),
    )
)
register(
    Participant(
        "lightgbm",
        "LightGBM",
        _lightgbm,
        _lightgbm_leaves,
        "leaves",
        needs=("lightgbm",),
        has_probabilities=True,
        scores=path_over("n_estimators", _lightgbm_after),
    )
)
register(
    Participant(
        "explainable-boosting",
        "explainable boosting",
        _explainable,
        _n_terms,
        "terms",
        needs=("interpret",),
        has_probabilities=True,
    )
)
