import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy.optimize import minimize

from smoothrank.losses.pairwise_hinge import Pairs
from smoothrank.solvers.squared_hinge_path import squared_hinge_path
from tests.support.oracles.naive import naive_squared_hinge
from tests.support.problems import Problem, problems


@given(problems(max_columns=3), st.sampled_from([0.1, 10.0, 1000.0]))
def test_the_optimum_is_certified_and_that_of_a_general_solver(problem: Problem, strength: float):
    pairs = Pairs.from_labels(problem.is_positive, problem.weight)
    (found,) = squared_hinge_path(problem.D, pairs, [strength], tol=1e-9)

    def objective(b):
        loss = naive_squared_hinge(problem.D @ b, problem.is_positive, problem.weight)
        return 0.5 * float(b @ b) + strength * loss

    assert found.gap <= 1e-9
    assert found.objective == pytest.approx(objective(found.coefficients), rel=1e-9)
    general = minimize(objective, np.zeros(problem.D.shape[1]), method="BFGS")
    assert found.lower_bound <= general.fun + 1e-9
    assert found.objective <= general.fun + 1e-9 * max(1.0, general.fun)


def test_a_path_is_the_same_as_one_by_one():
    rng = np.random.default_rng(0)
    D, pairs = rng.normal(size=(60, 5)), Pairs.from_labels(rng.random(60) < 0.3)
    strengths = [0.1, 1.0, 10.0]
    path = squared_hinge_path(D, pairs, strengths, tol=1e-10)
    for strength, on_path in zip(strengths, path, strict=True):
        (alone,) = squared_hinge_path(D, pairs, [strength], tol=1e-10)
        assert on_path.coefficients == pytest.approx(alone.coefficients, abs=1e-6)
