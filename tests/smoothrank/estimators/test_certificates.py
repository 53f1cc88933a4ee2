"""Every fit carries its KKT residual, which is wrong as soon as the weights or multipliers are."""

import math
from dataclasses import replace

import numpy as np
import pytest
from scipy.linalg import cho_solve

from smoothrank import (
    DictionaryRanking,
    L1Ranking,
    LInfRanking,
    RankingCGPrototype,
    SmoothRanking,
    SmoothRankingPrototype,
)
from smoothrank.estimators.kernel_ranking import KernelRanking
from smoothrank.estimators.norm_ranking import RankingSVM
from smoothrank.losses import pairwise_squares as squares
from smoothrank.losses.pairwise_hinge import Pairs, pairwise_hinge
from smoothrank.penalties import penalty
from smoothrank.persistence.model_file import load_model, save_model
from smoothrank.solvers.norms.ranking_problem import RankingProblem
from smoothrank.solvers.squared_hinge_path import squared_hinge_path

LIMIT = 1e-5

ESTIMATORS = [
    SmoothRankingPrototype(adam_steps=50, max_prototypes=4),
    RankingCGPrototype(adam_steps=50, max_prototypes=4),
    L1Ranking(),
    L1Ranking(solver="highs"),
    LInfRanking(),
    LInfRanking(solver="highs"),
    RankingSVM(),
    KernelRanking(),
    DictionaryRanking(max_columns=5),
    SmoothRanking(size=2),
    SmoothRanking(size="best"),
]


@pytest.fixture(scope="module")
def rows():
    random = np.random.default_rng(3)
    X = random.normal(size=(60, 3))
    return X, np.where(X[:, 0] + 0.7 * random.normal(size=60) > 0.7, 1, -1)


@pytest.mark.filterwarnings("ignore")
@pytest.mark.parametrize("estimator", ESTIMATORS, ids=lambda one: type(one).__name__)
def test_every_fit_has_a_small_residual_and_keeps_it(rows, estimator, tmp_path):
    model = estimator.fit(*rows)
    assert 0.0 <= model.kkt_residual_ < LIMIT
    saved = load_model(save_model(model, tmp_path / "model"))
    assert saved.kkt_residual_ == model.kkt_residual_


def test_a_model_of_an_earlier_version_has_none(rows, tmp_path):
    model = L1Ranking().fit(*rows)
    model.kkt_residual_ = math.nan
    saved = save_model(model, tmp_path / "model")
    assert "kkt_residual" not in (saved / "model.json").read_text()
    assert math.isnan(load_model(saved).kkt_residual_)


@pytest.mark.parametrize("solver", ["interior-point", "highs"])
@pytest.mark.parametrize("name", ["l1", "linf", "l2"])
def test_other_weights_or_multipliers_have_a_large_residual(rows, name, solver):
    X, y = rows
    pairs, strength = Pairs.from_labels(y == 1), 0.05
    solution = RankingProblem(X, pairs, penalty(name), solver).solve(strength, 1e-6)

    def residual(weights, dual):
        hinge = pairwise_hinge(X @ weights, pairs).value
        return dual.kkt_residual(weights, hinge, strength * penalty(name).value(weights))

    dual, weights = solution.dual, solution.weights
    assert residual(weights, dual) == pytest.approx(solution.kkt)
    assert solution.kkt < LIMIT
    assert residual(1.05 * weights, dual) > LIMIT
    assert residual(weights + np.array([0.0, 0.05, 0.0]), dual) > LIMIT
    assert residual(weights, replace(dual, gradient=1.01 * dual.gradient)) > LIMIT
    assert residual(weights, replace(dual, total=1.01 * dual.total)) > LIMIT
    assert residual(weights, replace(dual, bound=1.01 * dual.bound)) > LIMIT


def test_newtons_method_that_stops_early_has_a_large_residual(rows, monkeypatch):
    X, y = rows
    pairs = Pairs.from_labels(y == 1)
    (whole,) = squared_hinge_path(X, pairs, [100.0])
    monkeypatch.setattr("smoothrank.solvers.squared_hinge_path.MAX_STEPS", 1)
    (early,) = squared_hinge_path(X, pairs, [100.0])
    assert whole.kkt < LIMIT < early.kkt


def test_a_linear_system_that_is_solved_badly_has_a_large_residual(rows, monkeypatch):
    X, y = rows
    pairs = Pairs.from_labels(y == 1)
    assert squares.pairwise_squares(X, pairs, [1.0])[1].kkt < 1e-12
    monkeypatch.setattr(squares, "cho_solve", lambda *system: cho_solve(*system) * 1.001)
    assert squares.pairwise_squares(X, pairs, [1.0])[1].kkt > LIMIT
