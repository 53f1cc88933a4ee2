"""What drives a model: its prototypes, and the features that matter."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt

from smoothrank.columns.families.feature_weights import FeatureWeighted
from smoothrank.columns.weighted import WeightedColumns
from smoothrank.estimators.score import score_of
from smoothrank.evaluation.importance import Importance, importance
from smoothrank.tables.explained_table import can_be_explained
from smoothrank.tables.feature_words import feature_words
from smoothrank.tables.tabular_model import TabularModel
from tasks.problem.problem import Data

Matrix = npt.NDArray[np.float64]
Vector = npt.NDArray[np.float64]

MOST_PROTOTYPES = 20
NEAREST_SHARE = 0.1
MATTERS = 0.25
"""A feature is marked when its effect on score or AUC is this share of the largest."""

LEAST_LOSS = 0.005
"""A smaller loss of AUC is ignored."""


@dataclass(frozen=True, eq=False)
class Drivers:
    """What the section shows, heaviest prototype and most important feature first.

    Parameters
    ----------
    features : list of str
        Names of the encoded features, in the encoder's order; of a model that can be explained
        levels are said as people say them.
    prototypes : numpy.ndarray of shape (k, d)
        In the data's units; at most k of them.
    weights : numpy.ndarray of shape (k,)
        Their weights.
    repulsion : numpy.ndarray of shape (k,)
        By how much being far from each raises the score; negative where being near does.
    feature_weights : numpy.ndarray of shape (k, d) or None
        The share of each feature in being near; None where all features count the same.
    shares : numpy.ndarray of shape (k,)
        Each weight's share of the sum of all magnitudes.
    nearest : numpy.ndarray of shape (k,)
        The share of positives among the training rows nearest to each.
    total : int
        How many prototypes the model has.
    importance : Importance
        How much each feature matters.
    rows : numpy.ndarray of shape (n, d)
        The encoded training rows.
    is_positive : numpy.ndarray of bool of shape (n,)
        Their class.
    labels : tuple of str
        The negative label, and the positive one.
    """

    features: list[str]
    prototypes: Matrix
    weights: Vector
    repulsion: Vector
    feature_weights: Matrix | None
    shares: Vector
    nearest: Vector
    total: int
    importance: Importance
    rows: Matrix
    is_positive: npt.NDArray[np.bool_]
    labels: tuple[str, str]

    @property
    def order(self) -> npt.NDArray[np.intp]:
        """The features, those that matter most first."""
        return np.argsort(-self.importance.movement, kind="stable")

    @property
    def matters(self) -> npt.NDArray[np.bool_]:
        """Which features are marked."""
        movement, loss = self.importance.movement, self.importance.auc_loss
        moves = (movement > 0.0) & (movement >= MATTERS * float(movement.max(initial=0.0)))
        loses = loss >= max(LEAST_LOSS, MATTERS * float(loss.max(initial=0.0)))
        return np.asarray(moves | loses)


def find_drivers(model: TabularModel, data: Data) -> Drivers:
    """Look at the prototypes, and shuffle the features of the test rows."""
    score = score_of(model.classifier)
    heaviest = np.argsort(-np.abs(score.weights), kind="stable")[:MOST_PROTOTYPES]
    weights = score.weights[heaviest]
    total = float(np.abs(score.weights).sum()) or 1.0
    rows, is_positive = data.X[data.train], data.y[data.train] == 1
    return Drivers(
        features=_feature_names(model),
        prototypes=score.in_data_units()[heaviest],
        weights=weights,
        repulsion=score.repulsion[heaviest],
        feature_weights=_feature_weights(score, heaviest),
        shares=np.abs(weights) / total,
        nearest=_nearest(score, heaviest, rows, is_positive),
        total=len(score.weights),
        importance=importance(score, data.X[data.test], data.y[data.test] == 1),
        rows=rows,
        is_positive=is_positive,
        labels=(model.negative, model.positive),
    )


def _feature_names(model: TabularModel) -> list[str]:
    if not can_be_explained(model):
        return model.features
    words = feature_words(model.encoder)
    return [
        said.name if said.kind == "flag" else name
        for name, said in zip(model.features, words, strict=True)
    ]


def _nearest(score: WeightedColumns, heaviest: Any, rows: Matrix, is_positive: Any) -> Vector:
    values = score.family.values(score.scaled(rows), score.parameters[heaviest])
    distances = -score.family.nearness * values
    count = max(1, round(NEAREST_SHARE * len(rows)))
    near = np.argpartition(distances, count - 1, axis=0)[:count]
    return np.asarray(is_positive[near].mean(axis=0))


def _feature_weights(score: WeightedColumns, heaviest: Any) -> Matrix | None:
    if not isinstance(score.family, FeatureWeighted):
        return None
    weights = np.abs(score.family.feature_weights(score.parameters[heaviest]))
    return np.asarray(weights / np.maximum(weights.max(axis=1, keepdims=True), 1e-300))


def weight_in_words(repulsion: float, labels: tuple[str, str]) -> str:
    """Say what a prototype does: a positive repulsion raises the score of far rows.

    Parameters
    ----------
    repulsion : float
        By how much being far raises the score.
    labels : tuple of str
        The negative label, and the positive one.
    """
    negative, positive = labels
    if repulsion == 0.0:
        return "has no effect"
    if repulsion > 0.0:
        return "rows near it are negative" + _named(negative, "negative")
    return "rows near it are positive" + _named(positive, "positive")


def _named(label: str, usual: str) -> str:
    return "" if label == usual else f" ({label})"
