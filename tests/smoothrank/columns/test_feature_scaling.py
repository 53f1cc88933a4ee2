"""Scaled rows come back in the data's units."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from smoothrank.columns.feature_scaling import SCALE_NAMES, fit_scaler


@pytest.mark.parametrize("name", sorted(SCALE_NAMES))
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
