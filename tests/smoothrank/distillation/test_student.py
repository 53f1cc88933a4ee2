import numpy as np
import pytest

from smoothrank.columns.feature_scaling import fit_scaler
from smoothrank.distillation.learner import Learner
from smoothrank.distillation.levels import on_levels
from smoothrank.distillation.student import (
    Bumps,
    Lesson,
    fidelity,
    objective,
    refined,
    settled,
)


@pytest.fixture
def truth():
    rng = np.random.default_rng(3)
    return Bumps(
        rng.uniform(-1, 1, (3, 2)), rng.uniform(0.5, 1.5, (3, 2)), np.array([2.0, -1, 1]), 0.5
    )


@pytest.fixture
def lesson(truth):
    X = np.random.default_rng(4).uniform(-2, 2, (600, 2))
    return Lesson.of(X, truth.score(X), X)


def test_as_many_columns_as_the_truth_has_repeat_it(lesson):
    learner = Learner(lesson, np.random.default_rng(0))
    found = {size: fidelity(learner.grow(size), lesson) for size in (1, 3, 6)}
    assert found[1] < found[3] < found[6] + 1e-6
    assert found[6] > 0.99


def test_a_size_is_learnt_once_and_grows_from_the_next_smaller_one(lesson):
    learner = Learner(lesson, np.random.default_rng(0))
    large = learner.grow(4)
    small = learner.grow(2)
    assert len(small.weights) == 2
    assert learner.grow(4) is large
    alone = Learner(lesson, np.random.default_rng(0)).grow(2)
    assert np.array_equal(small.points, alone.points)


def test_the_gradient_is_that_of_the_objective(lesson):
    rng = np.random.default_rng(1)
    theta = rng.normal(size=2 * 2 * 2 + 2 + 1)
    _, gradient = objective(theta, lesson, 2)
    for place in range(len(theta)):
        ahead, behind = theta.copy(), theta.copy()
        ahead[place] += 1e-6
        behind[place] -= 1e-6
        slope = (objective(ahead, lesson, 2)[0] - objective(behind, lesson, 2)[0]) / 2e-6
        assert gradient[place] == pytest.approx(slope, abs=1e-7)


def test_points_stay_within_the_ranges_of_the_training_rows(lesson):
    narrow = Lesson(
        lesson.X, lesson.powers, lesson.scores, np.array([-0.3, -0.2]), np.array([0.3, 0.2])
    )
    student = refined(
        Bumps(np.zeros((2, 2)), np.ones((2, 2)), np.array([1.0, -1.0]), 0.0), narrow, 50
    )
    assert np.all(student.points >= narrow.low)
    assert np.all(student.points <= narrow.high)


def test_snapping_moves_points_to_levels_and_changes_no_score():
    rng = np.random.default_rng(0)
    rows = np.column_stack((rng.normal(size=50), rng.choice([-0.4, 2.5], 50)))
    student = Bumps(rng.uniform(-1, 2, (4, 2)), rng.normal(size=(4, 2)), rng.normal(size=4), 0.1)
    snapped = student.snapped(rows)
    assert set(snapped.points[:, 1]) <= {-0.4, 2.5}
    assert np.array_equal(snapped.points[:, 0], student.points[:, 0])
    assert snapped.score(rows) == pytest.approx(student.score(rows), abs=1e-12)


def test_columns_have_the_same_score_up_to_a_constant(truth):
    rng = np.random.default_rng(5)
    raw = rng.normal(size=(80, 2)) * [10.0, 0.1]
    weight = rng.uniform(0.5, 2.0, 80)
    scaler = fit_scaler("normal", raw, weight)
    scaled = scaler.transform(raw)
    model = truth.as_columns(scaled, weight, scaler)
    difference = model.score(raw) - truth.score(scaled)
    assert difference == pytest.approx(np.full(80, difference[0]), abs=1e-10)
    assert np.average(model.columns(raw), axis=0, weights=weight) == pytest.approx(
        np.zeros(3), abs=1e-10
    )


def test_points_settle_at_levels_and_the_rest_makes_up_for_it(lesson, truth):
    levels = {1: np.array([-1.0, 0.0, 1.0])}
    moved = Bumps(
        on_levels(truth.points, levels), truth.feature_weights, truth.weights, truth.constant
    )
    found = settled(truth, lesson, levels, 100)
    assert set(found.points[:, 1]) <= {-1.0, 0.0, 1.0}
    assert np.array_equal(found.points[:, 1], moved.points[:, 1])
    assert fidelity(found, lesson) > fidelity(moved, lesson) + 0.01
    assert settled(truth, lesson, {}, 100) is truth
