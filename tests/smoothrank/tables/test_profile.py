"""Profiles of columns, and how far other rows are from them."""

import json

import numpy as np
import pandas as pd
import pytest

from smoothrank.tables.profile import Profile, profile_of, psi, shifts


def rows(n, seed=0, shift=0.0, share=0.5):
    rng = np.random.default_rng(seed)
    return pd.DataFrame(
        {
            "age": rng.normal(40.0 + 10.0 * shift, 10.0, n).round(),
            "flag": rng.integers(0, 2, n),
            "city": np.where(rng.random(n) < share, "Bern", "Genf"),
            "day": pd.Timestamp("2024-01-01") + pd.to_timedelta(np.arange(n), unit="D"),
        }
    )


def test_a_profile_is_plain_values_and_reads_back():
    frame = rows(100)
    frame.loc[:9, "city"] = None
    profile = profile_of(frame)
    assert Profile.from_dict(json.loads(json.dumps(profile.to_dict()))) == profile
    city = profile.columns[2]
    assert set(city.levels) == {"Bern", "Genf"}
    assert city.counts[2:] == (0, 10)
    assert [column.name for column in profile.columns] == ["age", "flag", "city"]
    assert all(sum(column.counts) == 100 for column in profile.columns)


def test_a_shifted_column_is_above_and_an_unshifted_below():
    profile = profile_of(rows(2000))
    found = psi(profile, rows(1000, seed=1, shift=1.0))
    assert found["age"] > 0.5
    assert found["flag"] < 0.05
    assert found["city"] < 0.05
    assert psi(profile, rows(1000, seed=1, share=0.9))["city"] > 0.5


def test_the_index_is_the_one_of_the_textbook():
    profile = profile_of(pd.DataFrame({"x": ["a"] * 500 + ["b"] * 500}))
    new = pd.DataFrame({"x": ["a"] * 800 + ["b"] * 200})
    wanted = 0.3 * np.log(0.8 / 0.5) - 0.3 * np.log(0.2 / 0.5)
    assert psi(profile, new)["x"] == pytest.approx(wanted, rel=0.01)


def test_few_rows_of_the_same_distribution_stay_below_the_noise():
    profile = profile_of(rows(500))
    above = [
        shift.psi > shift.noise
        for seed in range(1, 101)
        for shift in shifts(profile, rows(50, seed)).values()
    ]
    assert sum(above) == 0


def test_new_levels_missing_values_and_texts_for_numbers_are_counted():
    profile = profile_of(rows(500))
    assert psi(profile, pd.DataFrame({"city": ["Oslo"] * 50}))["city"] > 1.0
    assert psi(profile, pd.DataFrame({"age": [None] * 50}))["age"] > 1.0
    assert psi(profile, pd.DataFrame({"age": ["old"] * 50}))["age"] > 1.0
    assert psi(profile, pd.DataFrame({"other": [1]})) == {}


def test_levels_read_as_numbers_are_the_same_levels():
    profile = profile_of(pd.DataFrame({"code": ["1", "2"] * 50}))
    assert psi(profile, pd.DataFrame({"code": [1.0, 2.0] * 50}))["code"] == pytest.approx(0.0)
    assert psi(profile, pd.DataFrame({"code": [1, 2] * 50}))["code"] == pytest.approx(0.0)
