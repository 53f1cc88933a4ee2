from __future__ import annotations

import tracemalloc

import numpy as np
import pandas as pd
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from sklearn.base import clone

from smoothrank.tables.one_hot import Encoder, EncodingError

FRAME = pd.DataFrame(
    {"city": ["Bonn", "Aachen", "Köln"], "age": [1, 2, 4], "code": ["3", "1.5", "2"]}
)


def test_numbers_come_first_then_levels_without_the_first():
    encoder = Encoder()
    features = encoder.fit_transform(FRAME)
    assert encoder.get_feature_names_out().tolist() == ["age", "code", "city_Bonn", "city_Köln"]
    assert features.dtype == np.float64
    assert features.tolist() == [[1, 3, 1, 0], [2, 1.5, 0, 0], [4, 2, 0, 1]]


columns = st.one_of(
    st.lists(st.integers(-5, 5), min_size=4, max_size=4),
    st.lists(st.floats(-1e6, 1e6), min_size=4, max_size=4),
    st.lists(st.sampled_from(["a", "b", "C", "ß", "a b"]), min_size=4, max_size=4),
    st.lists(st.booleans(), min_size=4, max_size=4),
)


@given(st.lists(columns, min_size=1, max_size=5))
@settings(max_examples=100, deadline=None)
def test_features_are_those_of_get_dummies(values):
    frame = pd.DataFrame({f"c{i}": column for i, column in enumerate(values)})
    oracle = pd.get_dummies(frame, drop_first=True)
    encoder = Encoder().fit(frame)
    np.testing.assert_array_equal(encoder.transform(frame), oracle.to_numpy(dtype=float))
    assert encoder.get_feature_names_out().tolist() == oracle.columns.tolist()


def test_levels_are_those_seen_when_fitted():
    encoder = Encoder().fit(FRAME)
    assert encoder.transform(FRAME.iloc[[2]]).tolist() == [[4, 2, 0, 1]]
    assert encoder.transform(FRAME[["code", "city", "age"]]).shape == (3, 4)


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({"city": ["Bonn", "Ulm", "Bonn"]}, r"'city', row 2: unknown level 'Ulm'; known are 'Aach"),
        ({"code": ["1", "1", "x"]}, "'code', row 3: 'x' is not a number"),
        ({"age": [1, np.nan, 1]}, "'age', row 2: the value is missing"),
        ({"age": [1, np.inf, 1]}, "'age', row 2: the value is infinite"),
        ({"city": ["Bonn", None, "Bonn"]}, "'city', row 2: the value is missing"),
        ({"more": [1, 2, 3]}, "unknown columns: 'more'; fitted were 'city', 'age', 'code'"),
    ],
)
def test_what_does_not_fit_is_named(change, message):
    encoder = Encoder().fit(FRAME)
    with pytest.raises(EncodingError, match=message):
        encoder.transform(FRAME.assign(**change))


def test_what_cannot_be_fitted_is_named():
    with pytest.raises(EncodingError, match="missing columns: 'age'"):
        Encoder().fit(FRAME).transform(FRAME.drop(columns="age"))
    with pytest.raises(EncodingError, match="column 'age' has no values"):
        Encoder("impute").fit(FRAME.assign(age=np.nan))
    with pytest.raises(EncodingError, match="no rows or no columns"):
        Encoder().fit(FRAME.iloc[:0])
    with pytest.raises(EncodingError, match="two columns 'a'"):
        Encoder().fit(pd.DataFrame([[1, 2]], columns=["a", "a"]))
    with pytest.raises(EncodingError, match="not 'mean'"):
        Encoder("mean").fit(FRAME)  # type: ignore[arg-type]


MANY = 150


@pytest.mark.parametrize("text", ["id-{:04d}", "1{:04d},5"], ids=["ids", "decimal commas"])
def test_texts_of_their_own_in_nearly_every_row_are_refused(text):
    values = [text.format(i) for i in range(MANY)]
    with pytest.raises(EncodingError, match=r"column 'a': 150 different .*leave the column out"):
        Encoder().fit(pd.DataFrame({"a": values}))
    assert Encoder().fit_transform(pd.DataFrame({"a": values * 2})).shape == (300, 149)
    assert Encoder().fit_transform(pd.DataFrame({"a": values[:100]})).shape == (100, 99)


@pytest.mark.parametrize("zone", [None, "UTC"])
def test_dates_are_refused_kindly(zone):
    dates = pd.DataFrame({"day": pd.date_range("2020-01-01", periods=3, tz=zone)})
    with pytest.raises(EncodingError, match=r"column 'day' holds dates.*days since"):
        Encoder().fit(dates)
    with pytest.raises(EncodingError, match=r"column 'day' holds dates.*days since"):
        Encoder().fit(pd.DataFrame({"day": [1, 2]})).transform(dates)
    with pytest.raises(EncodingError, match=r"column 'day' holds dates.*days since"):
        Encoder().fit(dates - dates.iloc[0])


def test_levels_take_no_more_memory_than_the_features():
    levels = [f"level {i}" for i in range(3000)]
    frame = pd.DataFrame({"a": levels * 2})
    encoder = Encoder().fit(frame)
    few = frame.iloc[:10]
    tracemalloc.start()
    features = encoder.transform(few)
    _, peak = tracemalloc.get_traced_memory()
    tracemalloc.stop()
    assert features.shape == (10, 2999)
    assert peak < 10 * features.nbytes


def test_missing_values_become_median_and_most_frequent_level():
    frame = pd.DataFrame({"a": [1.0, 2, 9, np.nan], "b": ["x", "y", "y", None]})
    encoder = Encoder(missing="impute")
    assert encoder.fit_transform(frame).tolist() == [[1, 0], [2, 1], [9, 1], [2, 1]]
    assert encoder.transform(pd.DataFrame({"a": [np.nan], "b": [None]})).tolist() == [[2, 1]]


def test_arrays_and_clones_work():
    features = np.arange(6.0).reshape(3, 2)
    encoder = clone(Encoder(missing="impute")).fit(features)
    assert encoder.missing == "impute"
    np.testing.assert_array_equal(encoder.transform(features), features)
