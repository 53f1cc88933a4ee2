"""The score of any fitted classifier as a weighted sum of standardised distances."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from smoothrank.arrays import Matrix
from smoothrank.errors import SmoothrankError

if TYPE_CHECKING:
    from smoothrank.solvers.column_generation import PrototypeModel


def distance_score(classifier: Any) -> PrototypeModel:
    """The score function Σ_t w_t (‖x − q_t‖ − μ_t) / σ_t of a fitted classifier.

    For the prototype methods q_t are the prototypes, for the norms the training rows whose
    weight is not zero.
    """
    from smoothrank.estimators.norm_ranking import BaseDissimilarityClassifier
    from smoothrank.estimators.prototype_base import BasePrototypeClassifier
    from smoothrank.solvers.column_generation import PrototypeModel

    if isinstance(classifier, BasePrototypeClassifier):
        return classifier.model_
    if isinstance(classifier, BaseDissimilarityClassifier):
        columns, weights = classifier.columns_, classifier.column_weights_
        used = np.flatnonzero(weights)
        return PrototypeModel(
            columns.rows[used],
            columns.means[used],
            columns.spreads[used],
            weights[used],
            columns.scaler,
        )
    raise SmoothrankError(
        f"{type(classifier).__name__} has no prototypes to show; take one of smoothrank's "
        "own classifiers."
    )


def in_data_units(score: PrototypeModel) -> Matrix:
    """The prototypes, or training rows, in the units of the data."""
    if score.scaler is None:
        return score.prototypes
    return score.scaler.inverse_transform(score.prototypes)
