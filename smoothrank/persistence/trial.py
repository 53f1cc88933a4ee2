"""A trial of a model that was loaded: one row is scored before anyone relies on it."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np
import pandas as pd

from smoothrank.arrays import Matrix
from smoothrank.persistence.encoder_content import ModelFileError

if TYPE_CHECKING:
    from smoothrank.estimators.ranking_classifier import RankingClassifier
    from smoothrank.tables.tabular_model import TabularModel


def try_model(model: RankingClassifier | TabularModel) -> None:
    """Score one row, so that parts that do not fit together are found out here.

    Raises
    ------
    ModelFileError
        If there is no score. Parts that do not fit raise whatever they do.
    """
    from smoothrank.tables.tabular_model import TabularModel

    if isinstance(model, TabularModel):
        _try_table(model)
    else:
        _try_classifier(model, np.zeros((1, model.n_features_in_)))


def _try_classifier(model: RankingClassifier, row: Matrix) -> None:
    if model.classes_.shape != (2,) or model.classes_[0] == model.classes_[1]:
        raise ModelFileError("its classes are not two.")
    typical = getattr(model, "typical_row_", row[0])
    if typical.shape != (model.n_features_in_,) or typical.dtype.kind != "f":
        raise ModelFileError("its typical row is not one of its features.")
    points = getattr(model, "prototypes_", row)
    if points.ndim != 2 or points.shape[1] != model.n_features_in_:
        raise ModelFileError("its prototypes have other features than its rows.")
    rows = row if not hasattr(model, "feature_names_in_") else _named(model, row)
    score, probability = model.decision_function(rows), model.predict_proba(rows)
    if score.shape != (1,) or probability.shape != (1, 2) or not np.isfinite(probability).all():
        raise ModelFileError("it gives no score for a row.")


def _named(model: RankingClassifier, row: Matrix) -> pd.DataFrame:
    return pd.DataFrame(row, columns=list(model.feature_names_in_))


def _try_table(model: TabularModel) -> None:
    """Score a row in which every value is missing."""
    from smoothrank.tables.profile import shifts

    names = [column.name for column in model.columns]
    if len(set(names)) < len(names) or not names:
        raise ModelFileError("its columns have not names of their own.")
    row = pd.DataFrame({name: [None] for name in names}, dtype=object)
    encoded = model.encode_rows(row, strict=False)
    features = encoded.features
    if features.shape != (1, model.classifier.n_features_in_) or not np.isfinite(features).all():
        raise ModelFileError("its encoder makes other features than its classifier takes.")
    _try_classifier(model.classifier, features)
    if model.has_prototypes:
        model.contributions(encoded)
    if model.profile is not None:
        shifts(model.profile, row)
