"""The score of any fitted classifier as a weighted sum of standardised columns."""

from __future__ import annotations

from typing import Any

from smoothrank.columns.weighted import WeightedColumns
from smoothrank.errors import SmoothrankError


def score_of(classifier: Any) -> WeightedColumns:
    """Return the score function of a fitted classifier of smoothrank.

    For the prototype methods its columns are the prototypes, for the norms the training rows whose
    weight is not zero.
    """
    model = getattr(classifier, "model_", None)
    if isinstance(model, WeightedColumns):
        return model
    raise SmoothrankError(
        f"{type(classifier).__name__} has no prototypes to show; take one of smoothrank's "
        "own classifiers."
    )
