"""One row at a time: the features and scores that a table of that row has, in microseconds."""

import time

import numpy as np
import pandas as pd
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from smoothrank import SmoothRankingPrototype, TabularModel
from smoothrank.tables.encoder import TableEncoder, encode_rows, in_feature_order
from smoothrank.tables.one_hot import Encoder, EncodingError
from smoothrank.tables.one_row import RowEncoder

LEAST_ROWS_A_SECOND = 5_000


def table_of(n=240):
    rng = np.random.default_rng(3)
    stamps = pd.Timestamp("2024-02-01") + pd.to_timedelta(rng.integers(0, 9_000, n), unit="h")
    frame = pd.DataFrame(
        {
            "amount": rng.normal(50, 20, n),
            "count": rng.integers(0, 9, n),
            "country": rng.choice(["DE", "FR", "PL", "1.0"], n),
            "rare": rng.choice(["usual", *(f"seldom {k}" for k in range(30))], n),
            "code": rng.choice(["1", "2", "17"], n),
            "when": stamps,
            "day": stamps.normalize(),
        }
    )
    frame.loc[rng.random(n) < 0.2, "amount"] = np.nan
    frame.loc[rng.random(n) < 0.2, "country"] = None
    frame.loc[rng.random(n) < 0.2, "day"] = None
    y = np.where(frame["count"] + rng.normal(0, 2, n) > 6, 1, -1)
    return frame, y


TABLE, LABELS = table_of()
ENCODER = TableEncoder().fit(TABLE)
ROWS = RowEncoder(in_feature_order(ENCODER.columns_), strict=False)

NUMBERS = st.one_of(
    st.none(),
    st.floats(),
    st.integers(-(10**6), 10**6),
    st.sampled_from(["3", " 4 ", "1e3", "1,5", "", "x", "inf", "nan", "-0", "0x10", "1_000"]),
)
LEVELS = st.one_of(
    st.none(),
    st.sampled_from([*TABLE["country"].dropna().unique(), "usual", "seldom 3", "?", "??", "new"]),
    st.sampled_from(["1", "2", "17", "17.0", "1.00"]),
    st.sampled_from([1, 2, 17, 1.0, 17.0, 2.5, float("nan")]),
)
DATES = st.one_of(
    st.none(),
    st.dates().map(str),
    st.datetimes(pd.Timestamp("1700-01-01"), pd.Timestamp("2200-01-01")).map(str),
    st.sampled_from(["2024-02-30", "2024-13-01", "0000-01-01", "٢٠٢٤-01-01", "soon", "", "2024"]),
    st.just(pd.Timestamp("2024-05-06 07:08:09")),
    st.just(pd.Timestamp("2024-05-06 23:08", tz="Europe/Berlin")),
)


def rows():
    values = {"amount": NUMBERS, "count": NUMBERS, "country": LEVELS, "rare": LEVELS}
    return st.fixed_dictionaries(values | {"code": LEVELS, "when": DATES, "day": DATES})


def test_the_table_has_every_kind_of_column():
    kinds = {column.name: column.kind for column in ENCODER.columns_}
    assert set(kinds.values()) == {"number", "levels", "date"}
    assert any(column.marks_missing and column.kind == "date" for column in ENCODER.columns_)
    assert any(column.has_other for column in ENCODER.columns_)
    assert any(column.parts for column in ENCODER.columns_)


@settings(max_examples=300, deadline=None)
@given(rows())
def test_the_features_are_those_of_a_table_of_one_row(row):
    found = ROWS.features(row)
    assert found is not None
    assert np.array_equal(found, encode_rows(ENCODER.columns_, pd.DataFrame([row])).features)


@pytest.mark.parametrize("odd", [[1], {"a": 1}, True, object(), 10**400, np.float32(0.1)])
def test_what_is_odd_is_left_to_the_encoder_of_tables(odd):
    row = TABLE.iloc[7].to_dict()
    assert ROWS.features(row) is not None
    assert ROWS.features(row | {"amount": odd}) is None


def test_a_column_that_is_absent_is_named():
    model = model_of(ENCODER)
    row = TABLE.iloc[7].to_dict()
    del row["count"]
    with pytest.raises(EncodingError, match="missing columns: 'count'"):
        model.score_row(row)


def model_of(encoder):
    classifier = SmoothRankingPrototype(solver="highs", scale="standard", max_prototypes=4)
    classifier.fit(encoder.transform(TABLE), LABELS)
    return TabularModel(encoder, classifier, "late", "no", "yes", threshold=0.3)


def test_scores_are_those_of_the_whole_table():
    model = model_of(ENCODER)
    whole = model.scored(TABLE)
    for number in range(0, len(TABLE), 12):
        of_one = model.scored(TABLE.iloc[[number]])
        pd.testing.assert_frame_equal(of_one, whole.iloc[[number]], rtol=1e-12)
        row = model.score_row(TABLE.iloc[number].to_dict())
        assert list(of_one.iloc[0]) == list(row)
    assert set(whole["class"]) == {"no", "yes"}


@pytest.mark.parametrize(("name", "value"), [("count", None), ("rare", "new"), ("count", "many")])
def test_an_encoder_that_refuses_still_does(name, value):
    table = TABLE[["count", "rare"]]
    encoder = Encoder().fit(table)
    classifier = SmoothRankingPrototype(solver="highs", max_prototypes=2)
    model = TabularModel(
        encoder, classifier.fit(encoder.transform(table), LABELS), "late", "no", "yes"
    )
    row = table.iloc[4].to_dict()
    assert model.score_row(row).score == pytest.approx(model.decision_function(table)[4])
    with pytest.raises(EncodingError, match=name):
        model.score_row(row | {name: value})
    with pytest.raises(EncodingError, match=name):
        model.scored(pd.DataFrame([row | {name: value}]))


def test_thousands_of_single_rows_are_scored_a_second():
    model = model_of(ENCODER)
    several = TABLE.iloc[:100].to_dict("records")
    rates = [_rows_a_second(model, several) for _ in range(5)]
    assert max(rates) >= LEAST_ROWS_A_SECOND


def _rows_a_second(model, several):
    began = time.process_time()
    for _ in range(5):
        for row in several:
            model.score_row(row)
    return 5 * len(several) / (time.process_time() - began)
