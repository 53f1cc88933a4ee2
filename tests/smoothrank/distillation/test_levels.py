import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from smoothrank import SmoothRanking
from smoothrank.distillation.levels import MOST_LEVELS, few_levels, on_levels, two_levels
from tests.support.quick_teacher import quick_teacher


@settings(max_examples=60, deadline=None)
@given(st.lists(st.integers(1, MOST_LEVELS + 5), min_size=1, max_size=5), st.integers(0, 99))
def test_levels_are_the_different_values_of_features_that_have_few(numbers, seed):
    rng = np.random.default_rng(seed)
    columns = [rng.permutation(np.resize(rng.normal(size=n), 300)) for n in numbers]
    rows = np.column_stack(columns)
    few = {
        j: np.unique(column)
        for j, (n, column) in enumerate(zip(numbers, columns, strict=True))
        if 3 <= n <= MOST_LEVELS
    }
    found = few_levels(rows)
    assert found.keys() == few.keys()
    assert all(np.array_equal(found[j], few[j]) for j in few)
    assert set(two_levels(rows)) == {j for j, n in enumerate(numbers) if n == 2}


def test_a_point_moves_to_the_nearest_level_and_other_features_stay():
    points = np.array([[0.2, 7.4], [0.9, -1.0]])
    moved = on_levels(points, {1: np.array([1.0, 4.0, 6.0])})
    assert moved.tolist() == [[0.2, 6.0], [0.9, 1.0]]


@pytest.mark.parametrize("seed", [0, 1])
def test_the_columns_of_a_small_model_are_at_levels(seed):
    rng = np.random.default_rng(seed)
    X = np.column_stack((rng.normal(size=150), rng.integers(1, 7, 150), rng.integers(0, 2, 150)))
    y = X[:, 0] + 0.5 * X[:, 1] + X[:, 2] + rng.normal(size=150) > 3.5
    with quick_teacher():
        model = SmoothRanking(size=4).fit(X, y)
    nearest = np.round(model.columns_[:, 1:])
    assert model.columns_[:, 1:] == pytest.approx(nearest, abs=1e-9)
    assert set(nearest[:, 0]) <= set(range(1, 7))
    assert set(nearest[:, 1]) <= {0, 1}
