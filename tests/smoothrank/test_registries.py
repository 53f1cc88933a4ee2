"""A column family, a penalty and a solver of linear programs that are added from outside."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

import numpy as np
import pytest
from scipy.optimize import linprog
from scipy.spatial.distance import cdist

from smoothrank import DictionaryRanking, SmoothRankingPrototype, load_model, save_model
from smoothrank.arrays import Indices, Matrix, Vector
from smoothrank.columns import FAMILIES, ColumnFamily, register_family
from smoothrank.errors import SmoothrankError
from smoothrank.losses.pairwise_hinge import Pairs
from smoothrank.penalties import PENALTIES, Penalty, penalty, register_penalty
from smoothrank.solvers.lp import (
    BACKENDS,
    Backend,
    LinearProgram,
    Solution,
    register_backend,
)
from smoothrank.solvers.norms.ranking_problem import RankingProblem
from smoothrank.solvers.norms.rounds import CuttingPlaneRounds
from tests.support.registries import restored


class Manhattan(ColumnFamily):
    """φ(x; q) = Σ_j |x_j − q_j|."""

    name = "toy-manhattan"

    def values(self, X: Matrix, parameters: Matrix) -> Matrix:
        return np.asarray(cdist(X, parameters, "cityblock"))

    def tensor_price(self, X: Any, duals: Any, q: Any) -> tuple[Any, Any]:
        import tensorflow as tf

        difference = q[:, None] - X
        distance = tf.reduce_sum(tf.abs(difference), axis=0)
        return tf.reduce_sum(duals * distance), tf.linalg.matvec(tf.sign(difference), duals)

    def describe(self, parameters: Vector, names: Sequence[str]) -> str:
        return f"Manhattan distance to {dict(zip(names, parameters.tolist(), strict=True))}"


class Weighted(Penalty):
    """Ω(w) = Σ_j j |w_j|."""

    name = "toy-weighted"

    def value(self, weights: Vector) -> float:
        return float(np.abs(weights) @ np.arange(1, 1 + len(weights)))

    def subgradient(self, weights: Vector) -> Vector:
        return np.sign(weights) * np.arange(1, 1 + len(weights))

    def dual_norm(self, gradient: Vector) -> float:
        return float(np.max(np.abs(gradient) / np.arange(1, 1 + len(gradient))))


class Dense(LinearProgram):
    """SciPy's solver, from scratch each time."""

    name = "toy-scipy"

    def __init__(self) -> None:
        super().__init__()
        self._cost, self._low, self._high = np.empty(0), np.empty(0), np.empty(0)
        self._rows, self._right = np.empty((0, 0)), np.empty(0)

    def _add_columns(self, cost: Vector, lower: Vector, upper: Vector, entries: Matrix) -> None:
        self._cost = np.append(self._cost, cost)
        self._low, self._high = np.append(self._low, lower), np.append(self._high, upper)
        self._rows = np.column_stack((self._rows, entries))

    def _add_rows(self, entries: Matrix, lower: Vector) -> None:
        self._rows = np.vstack((self._rows, entries))
        self._right = np.append(self._right, lower)

    def _delete_rows(self, rows: Indices) -> None:
        self._rows, self._right = np.delete(self._rows, rows, 0), np.delete(self._right, rows)

    def _change_column(self, column: int, cost: float, lower: float, upper: float) -> None:
        self._cost[column], self._low[column], self._high[column] = cost, lower, upper

    def _change_rows(self, lower: Vector) -> None:
        self._right = lower

    def _solve(self) -> Solution:
        bounds = np.column_stack((self._low, self._high))
        rows = {"A_ub": -self._rows, "b_ub": -self._right} if len(self._right) else {}
        found = linprog(self._cost, **rows, bounds=bounds, method="highs-ds")
        duals = -found.ineqlin.marginals if rows else np.empty(0)
        return Solution(found.x, duals, float(found.fun))


@pytest.fixture(autouse=True)
def registered() -> Iterator[None]:
    """Register all three, and forget them at the end."""
    with restored(FAMILIES, PENALTIES, BACKENDS):
        register_family(Manhattan())
        register_penalty(Weighted())
        register_backend(Backend("toy-scipy", "SciPy", Dense))
        yield


@pytest.fixture
def data() -> tuple[Matrix, Indices]:
    rng = np.random.default_rng(0)
    X = rng.normal(size=(80, 3))
    return X, (np.abs(X).sum(axis=1) + 0.3 * rng.normal(size=80) < 1.6).astype(np.intp)


def test_an_estimator_fits_with_a_family_and_a_solver_from_outside(data, tmp_path):
    X, y = data
    model = SmoothRankingPrototype(
        columns="toy-manhattan", solver="toy-scipy", scale="standard", max_prototypes=3
    ).fit(X, y)
    assert model.solver_ == "toy-scipy"
    assert max(step.gap for step in model.history_) <= 1e-6
    scaled = model.model_.scaled(X)
    expected = np.abs(scaled[:, None, :] - model.model_.parameters[None]).sum(axis=2)
    by_hand = (expected - model.model_.means) / model.model_.spreads @ model.weights_
    assert model.decision_function(X) == pytest.approx(by_hand + model.intercept_)
    again = load_model(save_model(model, tmp_path / "model"))
    assert np.array_equal(again.decision_function(X), model.decision_function(X))
    highs = SmoothRankingPrototype(
        columns="toy-manhattan", solver="highs", scale="standard", max_prototypes=3
    ).fit(X, y)
    first = [step.objective for step in (model.history_[0], highs.history_[0])]
    assert first[0] == pytest.approx(first[1], rel=1e-5)


def test_a_family_from_outside_has_columns_in_a_dictionary(data):
    X, y = data
    model = DictionaryRanking(0.1, families=("toy-manhattan", "step"), max_columns=3).fit(X, y)
    assert model.history_[0].family == "toy-manhattan"
    assert "Manhattan distance to" in model.to_text()
    with pytest.raises(SmoothrankError, match="'toy-manhattan' cannot be split by feature"):
        model.explain(X)


def test_a_problem_is_solved_with_a_penalty_from_outside(data, monkeypatch):
    monkeypatch.setattr(CuttingPlaneRounds, "max_rounds", 100)
    X, y = data
    pairs = Pairs.from_labels(y == 1)
    found = RankingProblem(X, pairs, penalty("toy-weighted"), "toy-scipy").solve(0.02, 1e-5)
    assert found.gap <= 1e-5
    stretched = X / np.arange(1, 4)
    same = RankingProblem(stretched, pairs, penalty("l1")).solve(0.02, 1e-7)
    assert found.objective == pytest.approx(same.objective, rel=2e-5)


def test_a_name_that_is_taken_or_not_known_is_refused(data):
    with pytest.raises(SmoothrankError, match="already"):
        register_family(Manhattan())
    with pytest.raises(SmoothrankError, match="already"):
        register_penalty(Weighted())
    with pytest.raises(SmoothrankError, match="already"):
        register_backend(Backend("auto", "nobody", Dense))
    with pytest.raises(SmoothrankError, match=r"no penalty 'l7'\. Known are: l1, linf, l2"):
        penalty("l7")
    with pytest.raises(ValueError, match=r"'columns' parameter .* must be a str among"):
        SmoothRankingPrototype(columns="nope").fit(*data)
    with pytest.raises(ValueError, match=r"'solver' parameter .*'toy-scipy'"):
        SmoothRankingPrototype(solver="nope").fit(*data)
