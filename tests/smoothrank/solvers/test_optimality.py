"""Answers of a solver are taken only if they are optimal, as anyone can verify."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy.optimize import linprog

from smoothrank import SmoothRankingPrototype
from smoothrank.solvers.lp import BACKENDS, Backend, SolverError, linear_program, register_backend
from smoothrank.solvers.lp.base import Solution
from smoothrank.solvers.lp.highs import HighsProgram
from smoothrank.solvers.lp.optimality import KKT_TOLERANCE, KeptProgram
from tests.support.registries import restored

SOLVERS = ["gurobi", "highs"]


def kept(cost, lower, upper, entries, right):
    program = KeptProgram()
    program.add_columns(cost, lower, upper, np.empty((0, len(cost))))
    program.add_rows(entries, right)
    return program


@st.composite
def programs(draw):
    """Programs with an optimum: the right side is below A x for some x within the bounds."""
    rng = np.random.default_rng(draw(st.integers(0, 10_000)))
    n_columns, n_rows = draw(st.integers(1, 6)), draw(st.integers(1, 8))
    entries = rng.normal(size=(n_rows, n_columns)).round(1)
    lower, upper = -rng.integers(0, 3, n_columns), rng.integers(0, 3, n_columns)
    inside = rng.uniform(lower, upper)
    right = entries @ inside - rng.integers(0, 2, n_rows)
    return rng.normal(size=n_columns).round(1), lower * 1.0, upper * 1.0, entries, right


@settings(max_examples=100, deadline=None)
@given(programs(), st.sampled_from(SOLVERS))
def test_optimal_answers_have_no_residual_and_others_have(program, solver):
    cost, lower, upper, entries, right = program
    lp = linear_program(solver, 6, 8)
    lp.add_columns(cost, lower, upper, np.empty((0, len(cost))))
    lp.add_rows(entries, right)
    solution = lp.solve()
    assert solution.kkt <= 1e-8
    bounds = np.column_stack((lower, upper))
    best = linprog(cost, A_ub=-entries, b_ub=-right, bounds=bounds).fun
    assert solution.objective == pytest.approx(best, abs=1e-7)
    worse = linprog(-cost, A_ub=-entries, b_ub=-right, bounds=bounds)
    if -worse.fun > best + 1e-3:
        assert kept(*program).kkt_residual(worse.x, solution.duals) > 1e-5


@pytest.mark.parametrize(
    ("cost", "x", "dual"),
    [
        pytest.param(0.0, 0.5, 0.0, id="primal"),
        pytest.param(0.0, 2.5, 0.0, id="upper bound"),
        pytest.param(-1.0, 1.0, -1.0, id="dual"),
        pytest.param(1.0, 1.0, 0.5, id="stationarity"),
        pytest.param(1.0, 1.5, 1.0, id="complementarity"),
        pytest.param(1.0, np.nan, 1.0, id="finite"),
    ],
)
def test_each_condition_is_looked_at(cost, x, dual):
    """Min c x, x ≥ 1, 0 ≤ x ≤ 2: one condition at a time is violated."""
    program = kept(np.array([cost]), np.zeros(1), np.full(1, 2.0), np.ones((1, 1)), np.ones(1))
    assert program.kkt_residual(np.array([x]), np.array([dual])) > 0.1


@pytest.mark.parametrize(("cost", "x", "dual"), [(1.0, 1.0, 1.0), (-1.0, 2.0, 0.0), (0, 1.5, 0)])
def test_optima_have_none(cost, x, dual):
    program = kept(np.array([cost]), np.zeros(1), np.full(1, 2.0), np.ones((1, 1)), np.ones(1))
    assert program.kkt_residual(np.array([x]), np.array([dual])) == 0.0


def test_what_is_added_changed_and_deleted_is_kept():
    rng = np.random.default_rng(1)
    lp = HighsProgram()
    lp.add_columns(np.ones(1), np.zeros(1), np.full(1, np.inf), np.empty((0, 1)))
    for number in range(40):
        lp.add_rows(rng.normal(size=(1, lp.n_columns)), np.zeros(1))
        lp.add_columns(np.ones(1), np.zeros(1), np.ones(1), rng.normal(size=(lp.n_rows, 1)))
        if number % 7 == 3:
            lp.delete_rows(np.array([1, 2]))
        lp.change_column(number, 2.0, 0.0, 0.5)
        lp.change_rows(np.full(lp.n_rows, -0.1))
        assert lp.solve().kkt <= 1e-8


class Wrong(HighsProgram):
    """A solver whose answers are off by a little."""

    name = "wrong"

    def _solve(self):
        right = super()._solve()
        return Solution(right.x * 1.01, right.duals, right.objective)


class WrongDuals(HighsProgram):
    """A solver whose multipliers are those of another program."""

    name = "wrong"

    def _solve(self):
        right = super()._solve()
        return Solution(right.x, right.duals[::-1] + 0.1, right.objective)


@pytest.mark.parametrize("program", [Wrong, WrongDuals])
def test_a_fit_with_a_solver_that_errs_is_no_model(program):
    rng = np.random.default_rng(0)
    X = rng.normal(size=(60, 2))
    y = X[:, 0] * X[:, 1] + 0.3 * rng.normal(size=60) > 0.2
    with restored(BACKENDS):
        register_backend(Backend("wrong", "Wrong", program))
        with pytest.raises(SolverError, match="not optimal: its KKT residual"):
            SmoothRankingPrototype(solver="wrong", max_prototypes=4).fit(X, y)


@pytest.mark.parametrize("solver", SOLVERS)
def test_every_iteration_carries_its_residual(solver):
    rng = np.random.default_rng(0)
    X = rng.normal(size=(60, 2))
    model = SmoothRankingPrototype(solver=solver, max_prototypes=4).fit(X, X[:, 0] * X[:, 1] > 0.2)
    assert all(0.0 <= step.kkt <= KKT_TOLERANCE for step in model.history_)
