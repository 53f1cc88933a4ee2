import numpy as np
import pytest
from hypothesis import given

from smoothrank.losses.pairwise_hinge import Pairs
from smoothrank.losses.pairwise_squares import pairwise_squares, pairwise_squares_path
from tests.support.oracles.naive import pair_weights
from tests.support.problems import Problem, problems


@given(problems(max_columns=3))
def test_the_solution_is_that_of_least_squares_over_all_pairs(problem: Problem):
    pairs = Pairs.from_labels(problem.is_positive, problem.weight)
    strengths = (0.1, 10.0)
    found = pairwise_squares_path(problem.D, pairs, strengths)
    positive, negative = problem.D[problem.is_positive], problem.D[~problem.is_positive]
    differences = (positive[:, None] - negative[None]).reshape(-1, problem.D.shape[1])
    weights = pair_weights(problem.is_positive, problem.weight).ravel()
    gram = (differences * weights[:, None]).T @ differences
    for strength, b in zip(strengths, found, strict=True):
        system = gram + np.eye(len(gram)) / strength
        expected = np.linalg.solve(system, weights @ differences)
        assert b == pytest.approx(expected, abs=1e-8)
    one_by_one, certificate = pairwise_squares(problem.D, pairs, strengths)
    assert one_by_one == pytest.approx(found, abs=1e-8)
    assert certificate.gap < 1e-12
    assert certificate.kkt < 1e-10
