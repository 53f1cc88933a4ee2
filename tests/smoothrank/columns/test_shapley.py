from itertools import permutations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from smoothrank.columns.families.gaussian import Gaussian
from smoothrank.columns.shapley import bump_shapley


def by_orders(x, reference, point, weight, players=None):
    """The definition: the mean over all orders of what a player adds when it arrives."""
    bump = Gaussian()
    players = [slice(j, j + 1) for j in range(len(x))] if players is None else players
    parameters = np.concatenate((point, weight))[None]
    found = np.zeros(len(players))
    orders = list(permutations(range(len(players))))
    for order in orders:
        row = reference.copy()
        before = bump.values(row[None], parameters)[0, 0]
        for player in order:
            row[players[player]] = x[players[player]]
            after = bump.values(row[None], parameters)[0, 0]
            found[player] += (after - before) / len(orders)
            before = after
    return found


@given(st.integers(1, 5), st.integers(0, 100))
def test_values_are_those_of_the_definition(d: int, seed: int):
    rng = np.random.default_rng(seed)
    X, reference = rng.normal(size=(3, d)), rng.normal(size=d)
    points, weights = rng.normal(size=(2, d)), rng.normal(size=(2, d))
    found = bump_shapley(X, reference, points, weights)
    for i, x in enumerate(X):
        for t in range(2):
            expected = by_orders(x, reference, points[t], weights[t])
            assert found[i, t] == pytest.approx(expected, abs=1e-12)


def test_a_run_of_features_can_be_one_player():
    rng = np.random.default_rng(5)
    X, reference = rng.normal(size=(3, 6)), rng.normal(size=6)
    points, weights = rng.normal(size=(2, 6)), rng.normal(size=(2, 6))
    players = [slice(0, 1), slice(1, 4), slice(4, 6)]
    found = bump_shapley(X, reference, points, weights, np.array([0, 1, 4]))
    for i, x in enumerate(X):
        for t in range(2):
            expected = by_orders(x, reference, points[t], weights[t], players)
            assert found[i, t] == pytest.approx(expected, abs=1e-12)


def test_values_sum_to_the_difference_from_the_reference_with_many_features():
    rng = np.random.default_rng(0)
    X, reference = rng.normal(size=(4, 100)), rng.normal(size=100)
    points, weights = rng.normal(size=(3, 100)), 0.1 * rng.normal(size=(3, 100))
    bumps = Gaussian()
    parameters = np.hstack((points, weights))
    difference = bumps.values(X, parameters) - bumps.values(reference[None], parameters)
    found = bump_shapley(X, reference, points, weights)
    assert found.sum(axis=2) == pytest.approx(difference, abs=1e-12)
