"""What every registered column family promises."""

from __future__ import annotations

import numpy as np
import pytest

from smoothrank.columns import family, family_names
from smoothrank.columns.families.step import ALL_THRESHOLDS, MOST_THRESHOLDS, thresholds
from smoothrank.columns.standardising import standardise


@pytest.fixture(params=family_names())
def some_family(request):
    return family(request.param)


@pytest.fixture
def problem(some_family):
    rng = np.random.default_rng(5)
    X = rng.normal(size=(40, 3)) * [3.0, 1.0, 0.2]
    return X, rng.normal(size=40), rng.normal(size=(4, 3 * some_family.n_parts))


def test_prices_are_dual_sums_of_the_values(some_family, problem):
    X, duals, parameters = problem
    values = some_family.values(X, parameters)
    assert values.shape == (40, 4)
    assert some_family.prices(X, duals, parameters) == pytest.approx(duals @ values)
    duals[::2] = 0.0
    assert some_family.prices(X, duals, parameters) == pytest.approx(duals @ values)


def test_the_tensor_price_and_its_gradient_are_those_of_the_price(some_family, problem):
    import tensorflow as tf

    X, duals, parameters = problem
    padded = np.zeros((5, 48))
    padded[:3, :40] = X.T
    for q in parameters:
        parts = np.pad(q.reshape(some_family.n_parts, 3), ((0, 0), (0, 2)))
        price, gradient = some_family.tensor_price(
            tf.constant(padded), tf.constant(np.pad(duals, (0, 8))), tf.constant(parts.ravel())
        )
        assert float(price) == pytest.approx(some_family.prices(X, duals, q[None])[0])
        numeric = [_slope(some_family, X, duals, q, place) for place in range(len(q))]
        found = gradient.numpy().reshape(some_family.n_parts, 5)
        assert found[:, :3].ravel() == pytest.approx(numeric, abs=1e-5)
        assert found[:, 3:].ravel() == pytest.approx([0.0, 0.0] * some_family.n_parts)


def _slope(some_family, X, duals, q, place, step=1e-6):
    ahead, behind = q.copy(), q.copy()
    ahead[place] += step
    behind[place] -= step
    high, low = some_family.prices(X, duals, np.vstack((ahead, behind)))
    return (high - low) / (2 * step)


def test_moving_rows_and_parameters_by_the_origin_changes_nothing(some_family, problem):
    X, _, parameters = problem
    origin = some_family.origin(X + 100.0)
    there, back = parameters.copy(), parameters.copy()
    there[:, :3] += 100.0
    back[:, :3] += 100.0 - origin
    moved = some_family.values(X + 100.0 - origin, back)
    assert moved == pytest.approx(some_family.values(X + 100.0, there), abs=1e-9)


def test_the_points_of_the_columns_begin_their_parameters(some_family, problem):
    X, _, parameters = problem
    assert np.array_equal(some_family.points(parameters), parameters[:, :3])
    assert np.array_equal(some_family.points(some_family.starts(X)), X)


def test_shuffling_a_feature_is_what_it_is_by_hand(some_family, problem):
    X, _, parameters = problem
    order = np.random.default_rng(0).permutation(len(X))
    shuffled = some_family.shuffled(X, parameters)
    for feature in range(3):
        changed = X.copy()
        changed[:, feature] = X[order, feature]
        expected = some_family.values(changed, parameters)
        assert shuffled(feature, order) == pytest.approx(expected, abs=1e-9)


def test_no_price_exceeds_the_extent(some_family, problem):
    X, duals, _ = problem
    duals = np.where(duals > 0, duals / duals[duals > 0].sum(), -duals / duals[duals < 0].sum())
    prices = some_family.prices(X, duals, some_family.starts(X))
    assert np.abs(prices).max() <= some_family.extent(X)


def test_a_column_is_said_with_the_names_of_its_features(some_family, problem):
    words = some_family.describe(some_family.starts(problem[0])[0], ["age", "income", "height"])
    assert "age" in words
    assert "\n" not in words


def test_the_parts_of_the_features_sum_to_the_change(some_family, problem):
    X, _, parameters = problem
    reference = np.array([0.5, -1.0, 0.1])
    rows = np.where(np.arange(3) == 1, reference, X)
    parts = some_family.feature_parts(rows, reference, parameters)
    values = some_family.values(np.vstack((reference, rows)), parameters)
    assert parts.shape == (40, 4, 3)
    assert parts.sum(axis=2) == pytest.approx(values[1:] - values[0], abs=1e-12)
    assert np.all(parts[:, :, 1] == 0.0)
    assert np.abs(parts).max() > 0.0


def test_the_columns_of_a_dictionary_are_all_different(some_family, problem):
    X, _, _ = problem
    atoms = some_family.atoms(X, X[:5])
    assert atoms.shape[1] == 3 * some_family.n_parts
    columns = standardise(some_family.values(X, atoms), np.ones(40)).columns
    assert len(np.unique(columns.round(9), axis=1).T) == len(atoms)


def test_a_single_feature_and_a_step_see_the_heaviest_feature_alone():
    X = np.array([[1.0, 5.0], [2.0, -3.0], [3.0, 4.0]])
    parameters = np.array([[9.0, 4.0, 0.1, 1.0], [2.0, 9.0, -1.0, 0.5]])
    assert family("feature").values(X, parameters).T.tolist() == [
        [1.0, -7.0, 0.0],
        [1.0, 0.0, -1.0],
    ]
    assert family("step").values(X, parameters).T.tolist() == [[1.0, 0.0, 0.0], [1.0, 0.0, 0.0]]
    parts = family("feature").feature_parts(X, X[0], parameters)
    assert parts[2].tolist() == [[0.0, -1.0], [-2.0, 0.0]]
    names = ["age", "income"]
    assert family("feature").describe(parameters[0], names) == "large income"
    assert family("feature").describe(parameters[1], names) == "small age"
    assert family("step").describe(parameters[0], names) == "income above 4"
    assert family("step").describe(parameters[1], names) == "age below 2"


def test_thresholds_lie_between_neighbours_and_there_are_not_too_many():
    assert thresholds(np.array([3.0, 1.0, 1.0, 2.0])).tolist() == [1.5, 2.5]
    assert thresholds(np.array([7.0, 7.0])).tolist() == []
    second = np.nextafter(1.0, 2.0)
    assert thresholds(np.array([1.0, second])).tolist() == [1.0]
    assert thresholds(np.array([second, np.nextafter(second, 2.0)])).tolist() == [second]
    many = thresholds(np.arange(1000.0))
    assert len(many) == MOST_THRESHOLDS
    assert (many[0], many[-1]) == (0.5, 998.5)
    wide = np.random.default_rng(0).random((60, 250))
    assert len(family("step").atoms(wide, wide)) == ALL_THRESHOLDS


def test_a_constant_column_is_zero_and_the_others_have_mean_0_and_spread_1():
    rng = np.random.default_rng(0)
    weight = rng.integers(1, 4, 30).astype(float)
    nearly = 7.0 + 1e-14 * rng.random(30)
    values = np.column_stack((rng.normal(5.0, 2.0, 30), nearly, np.zeros(30)))
    found = standardise(values, weight)
    assert np.array_equal(found.columns[:, 1:], np.zeros((30, 2)))
    assert np.array_equal(found.spreads[1:], [1.0, 1.0])
    assert np.average(found.columns[:, 0], weights=weight) == pytest.approx(0.0, abs=1e-12)
    assert np.average(found.columns[:, 0] ** 2, weights=weight) == pytest.approx(1.0)
