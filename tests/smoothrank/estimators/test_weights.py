"""A row of weight k is k equal rows, and the order of rows says nothing, in every part of a fit."""

import numpy as np
import pytest

from smoothrank.columns.distinct_rows import distinct_rows
from smoothrank.columns.feature_scaling import fit_scaler
from smoothrank.columns.standardising import standardise


@pytest.fixture
def weighted():
    rng = np.random.default_rng(0)
    X = rng.standard_normal((30, 3)).round(1)
    return X, rng.integers(1, 5, 30), np.arange(30) < 9


def test_a_weighted_column_is_that_of_repeated_rows(weighted):
    X, times, _ = weighted
    prototype = np.array([0.3, -0.2, 0.5])
    distances = np.linalg.norm(X - prototype, axis=1)
    found = standardise(distances[:, None], times.astype(float))
    repeated = np.repeat(X, times, axis=0)
    expected = np.linalg.norm(repeated - prototype, axis=1)
    assert (found.means[0], found.spreads[0]) == pytest.approx((expected.mean(), expected.std()))
    assert np.repeat(found.columns[:, 0], times) == pytest.approx(
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
    for name in ("X", "is_positive", "weight"):
        assert np.array_equal(getattr(first, name), getattr(other, name))
    assert np.array_equal(first.position[order], other.position)


@pytest.mark.parametrize("keep_order", [True, False])
def test_every_row_knows_the_distinct_row_that_it_became(weighted, keep_order):
    X, times, flags = weighted
    X, weight = X.round(), times.astype(float)
    weight[:5] = 0.0
    rows = distinct_rows(X, flags, weight, keep_order=keep_order)
    assert np.array_equal(rows.position < 0, weight == 0.0)
    used = rows.position >= 0
    assert np.array_equal(rows.X[rows.position[used]], X[used])
    assert np.array_equal(rows.is_positive[rows.position[used]], flags[used])
    assert rows.weight == pytest.approx(np.bincount(rows.position[used], weight[used]))
