"""Models of every kind that can be saved, made by hand rather than learnt."""

from __future__ import annotations

from pathlib import Path

import numpy as np
from sklearn.ensemble import ExtraTreesClassifier
from sklearn.linear_model import LogisticRegression

from smoothrank import SmoothRanking, TabularModel
from smoothrank.columns import family
from smoothrank.columns.feature_scaling import StandardScaler, fit_scaler
from smoothrank.columns.weighted import WeightedColumns
from smoothrank.distillation.average import Average, Member
from smoothrank.distillation.placement import Placement
from smoothrank.distillation.trees import TreesScore
from smoothrank.estimators.foreign import ForeignRanking
from smoothrank.losses.certificate import Certificate
from smoothrank.persistence.model_file import save_model
from smoothrank.tables.encoder import TableEncoder
from smoothrank.tables.profile import profile_of
from tests.support.trust.scoring import buyers, model_of_buyers

KINDS = ("prototypes", "small", "average", "foreign")


def saved_models(folder: Path) -> dict[str, Path]:
    """Save one model of each kind, all of the same table."""
    models = {
        "prototypes": model_of_buyers(),
        "small": _table(_small),
        "average": _table(_average),
        "foreign": model_of_buyers(ForeignRanking(LogisticRegression())),
    }
    return {kind: save_model(model, folder / kind) for kind, model in models.items()}


def _table(make) -> TabularModel:
    frame = buyers()
    rows = frame.drop(columns="buys")
    encoder = TableEncoder().fit(rows)
    X, y = encoder.transform(rows), (frame["buys"] == "yes").to_numpy()
    model = SmoothRanking()
    make(model, X, y)
    model.classes_, model.n_features_in_ = np.array([-1, 1]), X.shape[1]
    model.intercept_, model.calibration_ = -0.1, (1.5, -0.2)
    model.cv_results_, model.typical_row_ = {"auc": (0.7, 0.8)}, np.median(X, axis=0)
    return TabularModel(encoder, model, "buys", "no", "yes", profile=profile_of(rows))


def _bumps(X: np.ndarray) -> WeightedColumns:
    scaler = fit_scaler("standard", X, np.ones(len(X)))
    points = scaler.transform(X)[:4]
    parameters = np.hstack((points, np.full(points.shape, 0.5)))
    weights = np.array([1.0, -1.0, 0.5, -0.5])
    return WeightedColumns(family("gaussian"), parameters, np.zeros(4), np.ones(4), weights, scaler)


def _small(model: SmoothRanking, X: np.ndarray, y: np.ndarray) -> None:
    del y
    model.model_ = _bumps(X)
    model.view_, model.fidelity_ = "standard", 0.99
    model.gap_ = model.kkt_residual_ = 1e-9


def _average(model: SmoothRanking, X: np.ndarray, y: np.ndarray) -> None:
    scaler = StandardScaler.fit(X, np.ones(len(X)))
    forest = ExtraTreesClassifier(3, random_state=0).fit(scaler.transform(X), y)
    trees = TreesScore(forest, scaler)
    place = Placement(np.array([-1.0, 0.0, 1.0]), np.array([0.1, 0.5, 0.9]), 1.0)
    members = Member(_bumps(X), place, 0.6), Member(trees, place, 0.4)
    model.model_ = Average(members, Certificate(1e-9, 1e-9))
    model.gap_ = model.kkt_residual_ = 1e-9
