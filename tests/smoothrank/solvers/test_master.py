import warnings
from itertools import pairwise

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy.spatial.distance import cdist
from sklearn.exceptions import ConvergenceWarning

from smoothrank.arrays import Vector
from smoothrank.losses.pairwise_hinge import Pairs
from smoothrank.solvers.master import Master, MasterSolution
from tests.support.oracles.naive import (
    naive_hinge,
    pair_program,
    solve_with_gurobi,
    solve_with_highs,
)
from tests.support.problems import Problem, problems

SOLVERS = ["gurobi", "highs"]
# Random problems may have columns that are nearly the same.
pytestmark = pytest.mark.filterwarnings("ignore:A weight reached the box")


def solve_column_by_column(problem: Problem, C: float, solver: str) -> list[MasterSolution]:
    pairs = Pairs.from_labels(problem.is_positive, problem.weight)
    master = Master(pairs, change_cost=C, solver=solver, max_columns=10)
    solutions = []
    for column in problem.D.T:
        master.add_column(column)
        solutions.append(master.solve())
    return solutions


def assert_optimal_duals(
    problem: Problem, T: int, C: float, old: Vector | None, solution: MasterSolution
) -> None:
    """γ is a feasible dual of the full pair program, and reaches its value."""
    pairs = Pairs.from_labels(problem.is_positive, problem.weight)
    alpha = solution.duals[pairs.positive]
    beta = -solution.duals[pairs.negative]
    assert alpha.sum() == pytest.approx(beta.sum(), abs=1e-9)
    assert np.all(alpha >= -1e-12)
    assert np.all(beta >= -1e-12)
    assert np.all(alpha <= pairs.positive_weight + 1e-9)
    assert np.all(beta <= pairs.negative_weight + 1e-9)
    gradient = solution.duals @ problem.D[:, :T]
    assert abs(gradient[-1]) <= 1e-7
    assert np.all(np.abs(gradient[:-1]) <= C + 1e-7)
    dual_objective = alpha.sum() - (0.0 if old is None else gradient[:-1] @ old)
    assert dual_objective == pytest.approx(solution.objective, abs=2e-6)


@pytest.mark.parametrize("solver", SOLVERS)
@settings(deadline=None, max_examples=60)
@given(problem=problems(), C=st.sampled_from([1e-6, 1e-3, 0.05, 1.0]))
def test_every_master_agrees_with_the_full_pair_program(solver: str, problem: Problem, C: float):
    solutions = solve_column_by_column(problem, C, solver)
    olds: list[Vector | None] = [None, *[solution.weights for solution in solutions[:-1]]]
    for T, (old, solution) in enumerate(zip(olds, solutions, strict=True), start=1):
        program = pair_program(problem.D[:, :T], problem.is_positive, problem.weight, C, old)
        expected, _ = solve_with_highs(program)
        assert solve_with_gurobi(program)[0] == pytest.approx(expected, abs=1e-7)
        assert solution.gap <= 1e-6
        assert solution.lower_bound - 1e-9 <= expected
        assert solution.objective == pytest.approx(expected, abs=1e-6)
        assert_optimal_duals(problem, T, C, old, solution)


@settings(deadline=None, max_examples=40)
@given(problem=problems(max_columns=1))
def test_both_solvers_agree_with_the_full_pair_program_in_gurobi(problem: Problem):
    found = [solve_column_by_column(problem, 1.0, solver)[0].objective for solver in SOLVERS]
    program = pair_program(problem.D, problem.is_positive, problem.weight, 1.0, None)
    expected, _ = solve_with_gurobi(program)
    assert found == pytest.approx([expected, expected], abs=1e-6)


@pytest.mark.parametrize("solver", SOLVERS)
@settings(deadline=None, max_examples=40)
@given(problem=problems())
def test_bounded_master_agrees_with_the_full_pair_program(solver: str, problem: Problem):
    pairs = Pairs.from_labels(problem.is_positive, problem.weight)
    master = Master(pairs, change_cost=0.0, bound=1.0, solver=solver)
    for T, column in enumerate(problem.D.T, start=1):
        master.add_column(column)
        solution = master.solve()
        program = pair_program(
            problem.D[:, :T], problem.is_positive, problem.weight, 0.0, None, bound=1.0
        )
        assert solution.objective == pytest.approx(solve_with_highs(program)[0], abs=1e-6)
        assert np.all(np.abs(solution.weights) <= 1 + 1e-9)


@pytest.mark.parametrize("name", ["glass-0-4_vs_5", "zoo-3", "glass-0-1-6_vs_2"])
def test_real_data_agree_with_the_full_pair_program_and_between_solvers(name: str, load_or_skip):
    data = load_or_skip(name)
    from smoothrank.tables.one_hot import Encoder

    X = Encoder().fit_transform(data.X)
    D = cdist(X, X[[0, 7, 21, 33, 50]])
    D = (D - D.mean(axis=0)) / D.std(axis=0)
    problem = Problem(D, data.y == 1, np.ones(len(D)))
    for C in (1e-4, 1e-2):
        by_solver = {solver: solve_column_by_column(problem, C, solver) for solver in SOLVERS}
        for solver, solutions in by_solver.items():
            olds = [None, *[s.weights for s in solutions[:-1]]]
            for T, (old, solution) in enumerate(zip(olds, solutions, strict=True), start=1):
                program = pair_program(D[:, :T], problem.is_positive, problem.weight, C, old)
                expected, _ = solve_with_highs(program)
                assert solution.objective == pytest.approx(expected, abs=1e-6), (solver, T)
                assert_optimal_duals(problem, T, C, old, solution)
        first = [by_solver[solver][0].objective for solver in SOLVERS]
        assert first[0] == pytest.approx(first[1], abs=1e-6)


def test_the_same_master_has_the_same_value_in_both_solvers(load_or_skip):
    from smoothrank.tables.one_hot import Encoder

    data = load_or_skip("glass1")
    X = Encoder().fit_transform(data.X)
    D = cdist(X, X[[0, 11, 42, 99]])
    D = (D - D.mean(axis=0)) / D.std(axis=0)
    values = []
    for solver in SOLVERS:
        master = Master(Pairs.from_labels(data.y == 1), change_cost=0.0, solver=solver)
        for column in D.T:
            master.add_column(column)
        values.append(master.solve().objective)
    assert values[0] == pytest.approx(values[1], abs=1e-6)


def test_objective_is_the_hinge_plus_the_penalty():
    rng = np.random.default_rng(3)
    problem = Problem(rng.standard_normal((30, 4)), np.arange(30) < 8, np.ones(30))
    solutions = solve_column_by_column(problem, 0.02, "highs")
    for before, after in pairwise(solutions):
        T = len(after.weights)
        change = np.abs(after.weights[:-1] - before.weights).sum()
        hinge = naive_hinge(problem.D[:, :T] @ after.weights, problem.is_positive, problem.weight)
        assert after.objective == pytest.approx(hinge + 0.02 * change, abs=1e-12)


def test_a_high_price_keeps_old_weights_exactly():
    rng = np.random.default_rng(5)
    problem = Problem(rng.standard_normal((40, 3)), np.arange(40) < 10, np.ones(40))
    solutions = solve_column_by_column(problem, 1e3, "highs")
    for before, after in pairwise(solutions):
        assert np.array_equal(after.weights[:-1], before.weights)


@pytest.mark.parametrize("seed", [1, 3, 4])
def test_at_a_loose_gap_too_weights_that_need_not_change_stay_exactly(seed: int):
    D = np.random.default_rng(seed).standard_normal((600, 6))
    D[:100] += 0.3
    pairs = Pairs.from_labels(np.arange(600) < 100)
    master = Master(pairs, change_cost=0.003, solver="highs", tol=1e-3)
    weights = []
    for column in D.T:
        master.add_column(column)
        weights.append(master.solve().weights)
    changes = np.concatenate([after[:-1] - before for before, after in pairwise(weights)])
    assert np.any(changes == 0.0)


def random_master(n_columns: int) -> tuple[Master, list[MasterSolution]]:
    rng = np.random.default_rng(0)
    columns = rng.standard_normal((300, n_columns))
    master = Master(Pairs.from_labels(np.arange(300) < 60), change_cost=1e-4, solver="highs")
    solutions = []
    for column in columns.T:
        master.add_column(column)
        solutions.append(master.solve())
    return master, solutions


def test_cuts_are_kept_across_columns():
    master, solutions = random_master(6)
    assert master.n_cuts == sum(solution.cuts for solution in solutions)


def test_many_cuts_are_forgotten_and_the_optimum_stays(monkeypatch: pytest.MonkeyPatch):
    _, expected = random_master(8)
    monkeypatch.setattr("smoothrank.solvers.master.MAX_CUTS", 30)
    master, found = random_master(8)
    assert master.n_cuts <= 30 + 3
    assert max(solution.gap for solution in found) <= 1e-6
    assert found[-1].objective == pytest.approx(expected[-1].objective, abs=1e-5)


@pytest.mark.parametrize("limit", [1, 3])
def test_stopping_early_is_said(monkeypatch: pytest.MonkeyPatch, limit: int):
    monkeypatch.setattr("smoothrank.solvers.master.MAX_ROUNDS", limit)
    rng = np.random.default_rng(0)
    problem = Problem(rng.standard_normal((60, 1)), np.arange(60) < 10, np.ones(60))
    with pytest.warns(ConvergenceWarning, match="relative gap"):
        assert solve_column_by_column(problem, 1.0, "highs")[0].gap > 1e-6


def test_touching_the_box_is_said():
    column = np.array([1e-9, 0.0])
    problem = Problem(column[:, None], np.array([True, False]), np.ones(2))
    with pytest.warns(ConvergenceWarning, match="box"):
        solve_column_by_column(problem, 1.0, "highs")


def test_nothing_is_said_when_all_is_well():
    rng = np.random.default_rng(1)
    problem = Problem(rng.standard_normal((60, 3)), np.arange(60) < 10, np.ones(60))
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        solve_column_by_column(problem, 1e-3, "highs")
