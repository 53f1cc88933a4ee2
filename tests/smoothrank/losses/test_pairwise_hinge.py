import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from sklearn.metrics import roc_auc_score

from smoothrank.losses.pairwise_hinge import Pairs, auc, pairwise_hinge
from tests.support.oracles.naive import naive_auc, naive_hinge
from tests.support.problems import Problem, problems


@given(problems())
def test_hinge_equals_the_sum_over_pairs(problem: Problem):
    pairs = Pairs.from_labels(problem.is_positive, problem.weight)
    scores = problem.D[:, 0]
    expected = naive_hinge(scores, problem.is_positive, problem.weight)
    assert pairwise_hinge(scores, pairs).value == pytest.approx(expected, abs=1e-12)


@given(problems(max_columns=2))
def test_cut_supports_the_hinge_from_below(problem: Problem):
    pairs = Pairs.from_labels(problem.is_positive, problem.weight)
    here, there = problem.D[:, 0], problem.D[:, -1] * 1.7 + 0.1
    cut = pairwise_hinge(here, pairs)
    assert cut.constant - cut.coefficients @ here == pytest.approx(cut.value, abs=1e-12)
    elsewhere = naive_hinge(there, problem.is_positive, problem.weight)
    assert cut.constant - cut.coefficients @ there <= elsewhere + 1e-12


@given(problems())
def test_marks_of_the_two_classes_balance(problem: Problem):
    pairs = Pairs.from_labels(problem.is_positive, problem.weight)
    coefficients = pairwise_hinge(problem.D[:, 0], pairs).coefficients
    assert np.sum(coefficients) == pytest.approx(0.0, abs=1e-12)
    assert np.all(coefficients[problem.is_positive] >= 0)
    assert np.all(coefficients[problem.is_positive] <= pairs.positive_weight + 1e-15)
    assert np.all(-coefficients[~problem.is_positive] <= pairs.negative_weight + 1e-15)


@given(problems())
def test_auc_equals_the_sum_over_pairs_and_scikit_learn(problem: Problem):
    pairs = Pairs.from_labels(problem.is_positive, problem.weight)
    scores = problem.D[:, 0]
    found = auc(scores, pairs)
    assert found == pytest.approx(naive_auc(scores, problem.is_positive, problem.weight), abs=1e-12)
    assert found == pytest.approx(
        roc_auc_score(problem.is_positive, scores, sample_weight=problem.weight), abs=1e-12
    )


@given(problems(), st.integers(0, 5))
def test_a_weight_of_two_is_a_row_twice(problem: Problem, row: int):
    row %= len(problem.is_positive)
    weight = np.ones(len(problem.is_positive))
    weight[row] = 2.0
    scores = problem.D[:, 0]
    twice = np.append(np.arange(len(scores)), row)
    weighted = pairwise_hinge(scores, Pairs.from_labels(problem.is_positive, weight))
    repeated = pairwise_hinge(scores[twice], Pairs.from_labels(problem.is_positive[twice]))
    assert weighted.value == pytest.approx(repeated.value, abs=1e-12)


def test_a_margin_of_exactly_one_costs_nothing():
    pairs = Pairs.from_labels(np.array([True, False]))
    assert pairwise_hinge(np.array([1.0, 0.0]), pairs).value == 0.0
    assert pairwise_hinge(np.array([0.5, 0.0]), pairs).value == 0.5


def test_a_million_rows_take_no_pairs():
    rng = np.random.default_rng(0)
    is_positive = rng.random(1_000_000) < 0.05
    scores = rng.standard_normal(1_000_000) + is_positive
    pairs = Pairs.from_labels(is_positive)
    sample = pairwise_hinge(scores, pairs).value
    expected = np.mean(
        np.maximum(
            0,
            1 - (rng.choice(scores[is_positive], 10**6) - rng.choice(scores[~is_positive], 10**6)),
        )
    )
    assert sample == pytest.approx(expected, abs=0.01)
