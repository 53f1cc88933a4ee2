"""Support vector machines with the Gaussian kernel; the score is the decision function."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from benchmarks.peers.participants.base import (
    RANDOM_STATE,
    Participant,
    Shape,
    register,
    standardised,
)

COSTS = (0.1, 1.0, 10.0, 100.0)
WIDTHS = (0.2, 1.0, 5.0)
"""γ times the number of features."""


def _grid(shape: Shape, scaled: Callable[[Any], Any]) -> Sequence[Any]:
    from sklearn.svm import SVC

    widths = [width / shape.n_features for width in WIDTHS]
    return [scaled(SVC(C=C, gamma=gamma)) for C in COSTS for gamma in widths]


def _standard(shape: Shape) -> Sequence[Any]:
    return _grid(shape, standardised)


def _quantile(shape: Shape) -> Sequence[Any]:
    from sklearn.pipeline import make_pipeline
    from sklearn.preprocessing import QuantileTransformer

    def scaled(estimator: Any) -> Any:
        transformer = QuantileTransformer(
            n_quantiles=min(1000, shape.n_rows_of_fold),
            output_distribution="normal",
            random_state=RANDOM_STATE,
        )
        return make_pipeline(transformer, estimator)

    return _grid(shape, scaled)


def _n_support_vectors(model: Any) -> int:
    return int(model[-1].n_support_.sum())


register(Participant("svm", "RBF SVM", _standard, _n_support_vectors, "support vectors"))
register(
    Participant(
        "svm-quantile", "RBF SVM, quantiles", _quantile, _n_support_vectors, "support vectors"
    )
)
