"""Logistic regression with an L2 and with an L1 penalty, on standardised features."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from benchmarks.peers.participants.base import Participant, Shape, register, standardised


def _ridge(_: Shape) -> Sequence[Any]:
    from sklearn.linear_model import LogisticRegression

    return [standardised(LogisticRegression(C=C, max_iter=1000)) for C in np.logspace(-3, 3, 7)]


def _lasso(_: Shape) -> Sequence[Any]:
    from sklearn.linear_model import LogisticRegression

    return [
        standardised(LogisticRegression(C=C, l1_ratio=1.0, solver="liblinear", random_state=0))
        for C in np.logspace(-2, 2, 7)
    ]


def _n_coefficients(model: Any) -> int:
    return int(np.count_nonzero(model[-1].coef_))


register(
    Participant(
        "logistic-regression",
        "logistic regression",
        _ridge,
        _n_coefficients,
        "coefficients",
        has_probabilities=True,
    )
)
register(
    Participant(
        "l1-logistic",
        "L1 logistic regression",
        _lasso,
        _n_coefficients,
        "coefficients",
        has_probabilities=True,
    )
)
