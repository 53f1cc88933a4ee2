"""Scaled rows come back in the data's units."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy.spatial.distance import pdist

from smoothrank.columns.feature_scaling import SCALE_NAMES, fit_scaler


@pytest.mark.parametrize("name", [*sorted(SCALE_NAMES), "whitened"])
def test_rows_that_were_seen_come_back(name):
    rows = np.random.default_rng(0).lognormal(size=(40, 3))
    scaler = fit_scaler(name, rows, np.ones(40))
    assert scaler.inverse_transform(scaler.transform(rows)) == pytest.approx(rows, rel=1e-9)


@settings(max_examples=50, deadline=None)
@given(st.integers(0, 2**16))
def test_a_zero_comes_back_as_zero_and_not_as_what_rounding_left_of_it(seed):
    rng = np.random.default_rng(seed)
    rows = np.vstack((np.zeros(2), rng.lognormal(sigma=3.0, size=(30, 2))))
    scaler = fit_scaler("standard", rows, rng.uniform(0.5, 2.0, 31))
    assert np.array_equal(scaler.inverse_transform(scaler.transform(rows[:1])), rows[:1])


@settings(max_examples=50, deadline=None)
@given(st.integers(0, 2**16))
def test_whitened_distances_do_not_depend_on_the_units_of_a_feature(seed):
    rng = np.random.default_rng(seed)
    rows, weight = rng.normal(size=(30, 3)) @ rng.normal(size=(3, 3)), rng.uniform(0.5, 2.0, 30)
    other_units = rows * rng.uniform(0.1, 10.0, 3) + rng.normal(size=3)
    here, there = (
        pdist(fit_scaler("whitened", X, weight).transform(X)) for X in (rows, other_units)
    )
    assert here == pytest.approx(there, rel=1e-6)


def test_whitened_directions_are_uncorrelated_with_variances_near_one():
    """With variances λ along the axes of the correlation they are λ / (0.9 λ + 0.1)."""
    rng = np.random.default_rng(0)
    rows, weight = rng.normal(size=(50, 3)) @ rng.normal(size=(3, 3)), rng.uniform(0.5, 2.0, 50)
    whitened = fit_scaler("whitened", rows, weight).transform(rows)
    variances = np.linalg.eigvalsh(
        np.cov(rows.T, aweights=weight, ddof=0) / _deviations(rows, weight)
    )
    expected = np.diag(variances / (0.9 * variances + 0.1))
    assert np.cov(whitened.T, aweights=weight, ddof=0) == pytest.approx(expected, abs=1e-9)


def _deviations(rows, weight):
    variances = np.diag(np.cov(rows.T, aweights=weight, ddof=0))
    return np.sqrt(np.outer(variances, variances))


def test_a_constant_feature_is_zero_in_every_direction():
    rows = np.column_stack((np.full(20, 3.0), np.random.default_rng(0).normal(size=20)))
    whitened = fit_scaler("whitened", rows, np.ones(20)).transform(rows)
    assert np.isfinite(whitened).all()
