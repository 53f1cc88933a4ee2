"""A row of weight k is k equal rows, and the order of rows says nothing, in every part of a fit."""

import numpy as np
import pytest

from smoothrank.columns.distinct_rows import Rows, distinct_rows
from smoothrank.columns.feature_scaling import fit_scaler
from smoothrank.solvers.column_generation import standardised_distances


@pytest.fixture
def weighted():
    rng = np.random.default_rng(0)
    X = rng.standard_normal((30, 3)).round(1)
    return X, rng.integers(1, 5, 30), np.arange(30) < 9


def test_a_weighted_column_is_that_of_repeated_rows(weighted):
    X, times, flags = weighted
    prototype = np.array([0.3, -0.2, 0.5])
    found = standardised_distances(Rows(X, flags, times.astype(float)), prototype)
    repeated = np.repeat(X, times, axis=0)
    expected = np.linalg.norm(repeated - prototype, axis=1)
    assert found[:2] == pytest.approx((expected.mean(), expected.std()))
    assert np.repeat(found[2], times) == pytest.approx(
        (expected - expected.mean()) / expected.std()
    )


@pytest.mark.parametrize("name", ["standard", "quantile"])
def test_a_scaler_of_weighted_rows_is_that_of_repeated_rows(weighted, name):
    X, times, _ = weighted
    repeated = np.repeat(X, times, axis=0)
    found = fit_scaler(name, X, times.astype(float)).transform(X)
    expected = fit_scaler(name, repeated, np.ones(len(repeated))).transform(X)
    assert found == pytest.approx(expected, abs=1e-12)


def test_a_quantile_is_the_share_below_and_half_of_that_at_a_value():
    X = np.array([[1.0], [2.0], [2.0], [5.0]])
    found = fit_scaler("quantile", X, np.ones(4)).transform(X)[:, 0]
    assert found == pytest.approx(np.sqrt(12) * (np.array([1 / 8, 1 / 2, 1 / 2, 7 / 8]) - 0.5))


def test_distinct_rows_are_the_same_whatever_the_order_with_ties_in_every_column(weighted):
    X, times, flags = weighted
    X = X.round()
    order = np.random.default_rng(1).permutation(len(X))
    first = distinct_rows(X, flags, times.astype(float), keep_order=False)
    other = distinct_rows(X[order], flags[order], times[order].astype(float), keep_order=False)
    assert len(first.X) < len(X)
    for mine, theirs in zip(vars(first).values(), vars(other).values(), strict=True):
        assert np.array_equal(mine, theirs)
