import numpy as np
import pytest
from hypothesis import given

from smoothrank.losses.pairwise_hinge import Pairs, pairwise_hinge
from smoothrank.losses.squared_hinge import squared_hinge, squared_hinge_hessian
from tests.support.oracles.naive import naive_squared_hinge, pair_weights
from tests.support.problems import Problem, problems


@given(problems())
def test_value_and_gradient_are_those_of_the_sum_over_pairs(problem: Problem):
    pairs = Pairs.from_labels(problem.is_positive, problem.weight)
    scores = problem.D[:, 0]
    found = squared_hinge(scores, pairs)
    expected = naive_squared_hinge(scores, problem.is_positive, problem.weight)
    assert found.value == pytest.approx(expected, abs=1e-10)
    assert found.hinge == pytest.approx(pairwise_hinge(scores, pairs).value, abs=1e-10)
    step = 1e-6
    for row in range(len(scores)):
        moved = np.arange(len(scores)) == row
        ahead, behind = (
            naive_squared_hinge(scores + sign * step * moved, problem.is_positive, problem.weight)
            for sign in (1, -1)
        )
        assert found.gradient[row] == pytest.approx((ahead - behind) / (2 * step), abs=1e-5)


@given(problems(max_columns=3))
def test_the_hessian_is_that_of_the_sum_over_pairs(problem: Problem):
    pairs = Pairs.from_labels(problem.is_positive, problem.weight)
    scores = problem.D[:, 0]
    found = squared_hinge_hessian(scores, pairs, problem.D)
    positive, negative = problem.D[problem.is_positive], problem.D[~problem.is_positive]
    differences = positive[:, None] - negative[None]
    thresholds = scores[problem.is_positive] - 1.0
    counts = thresholds[:, None] < scores[~problem.is_positive][None]
    weights = pair_weights(problem.is_positive, problem.weight) * counts
    expected = np.einsum("pn,pni,pnj->ij", weights, differences, differences)
    assert found == pytest.approx(expected, abs=1e-9)
