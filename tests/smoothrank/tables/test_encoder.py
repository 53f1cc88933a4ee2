"""The table encoder: what is left out, what becomes of the rest, and that nothing else matters."""

import numpy as np
import pandas as pd
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from smoothrank.datasets.options import ColumnOptions
from smoothrank.persistence.encoder_content import describe_encoder, rebuild_encoder
from smoothrank.persistence.model_file import canonical_json
from smoothrank.tables.encoder import TableEncoder
from smoothrank.tables.left_out import looks_like_an_id_name
from smoothrank.tables.memory import available_memory, check_memory
from smoothrank.tables.one_hot import Encoder, EncodingError

N = 400
RNG = np.random.default_rng(0)


def table(**columns):
    """A table with a column that is always learnt from, and others."""
    return pd.DataFrame({"x": RNG.normal(size=N).round(2), **columns})


def left_out(frame, **options):
    encoder = TableEncoder(ColumnOptions(**options)).fit(frame)
    return {one.name: one.reason for one in encoder.left_out}


def features(frame):
    return TableEncoder().fit(frame).get_feature_names_out().tolist()


@pytest.mark.parametrize(
    ("name", "values", "reason"),
    [
        ("customer", [f"c{i}" for i in range(N)], "a different text in every row"),
        ("mail", [f"c{i // 2 if i < 40 else i}" for i in range(N)], "nearly every row"),
        ("tail", [f"N{i % 150}" for i in range(N)], "150 different texts, none of them frequent"),
        ("const", ["k"] * N, "the same value in every row, 'k'"),
        ("one", [1.0] * N, "the same value in every row, '1'"),
        ("none", [None] * N, "no values"),
        ("when", [pd.Timestamp("2024-01-01")] * N, "the same date in every row"),
        ("Unnamed: 0", range(N), "the name of an id"),
        ("", range(N), "the name of an id"),
        ("PassengerId", RNG.permutation(10 * N)[:N], "the name of an id"),
        ("order_id", [*RNG.permutation(10 * N)[: N - 10], *range(10)], "the name of an id"),
        ("counter", RNG.permutation(N) + 1, "a running number"),
        ("counter", RNG.permutation(N)[: N * 3 // 4].tolist() * 1, "a running number"),
    ],
)
def test_what_names_its_rows_or_never_varies_is_left_out(name, values, reason):
    frame = table().head(len(values)).copy()
    frame[name] = list(values)
    found = left_out(frame)
    assert list(found) == [name]
    assert reason in found[name]


@pytest.mark.parametrize(
    ("name", "values"),
    [
        ("measured", RNG.normal(size=N)),
        ("id", RNG.normal(size=N)),
        ("income", RNG.permutation(100 * N)[:N]),
        ("birth year", RNG.permutation(N)),
        ("paid", RNG.permutation(10 * N)[:N]),
        ("store_id", RNG.integers(0, 20, N)),
        ("age", RNG.integers(18, 90, N)),
        ("row", RNG.integers(0, 30, N)),
    ],
)
def test_a_measurement_is_never_taken_for_an_id(name, values):
    assert left_out(table(**{name: values})) == {}


@pytest.mark.parametrize(
    ("name", "expected"),
    [("id", True), ("ID", True), ("customer id", True), ("customerId", True), ("CustomerID", True),
     ("row_names", True), ("Unnamed: 3", True), ("uuid", True), ("user-uuid", True), ("nr", True),
     ("PAID", False), ("covid", False), ("grid", False), ("index_price", False), ("width", False),
     ("bid", False), ("monkey", False), ("narrow", False), ("turkey", False)],
)  # fmt: skip
def test_names_of_ids(name, expected):
    assert looks_like_an_id_name(name) is expected


def test_the_user_has_the_last_word():
    frame = table(counter=range(N), a=RNG.choice(["u", "v"], N), b=RNG.normal(size=N))
    assert set(left_out(frame)) == {"counter"}
    assert left_out(frame, drop=("a",), id="counter") == {
        "counter": "as --id says",
        "a": "as --drop says",
    }
    assert set(left_out(frame, keep_only=("x", "counter"))) == {"a", "b"}
    for options in ({"drop": ("nobody",)}, {"id": "nobody"}, {"keep_only": ("x", "nobody")}):
        with pytest.raises(EncodingError, match="no input column 'nobody'; there are 'x'"):
            left_out(frame, **options)
    with pytest.raises(EncodingError, match="no column is left to learn from: left out: "):
        left_out(frame[["counter"]])


def test_rare_levels_go_together_up_to_a_limit():
    counts = {f"L{i:02}": 60 - i for i in range(50)} | {f"rare {i}": 1 for i in range(60)}
    frame = pd.DataFrame({"city": np.repeat(list(counts), list(counts.values()))})
    encoder = TableEncoder().fit(frame)
    (column,) = encoder.columns_
    assert column.levels == tuple(f"L{i:02}" for i in range(30))
    assert encoder.notes == ("rare levels put together: city (30 kept, 80 as one)",)
    names = encoder.get_feature_names_out().tolist()
    assert names == [*(f"city_L{i:02}" for i in range(1, 30)), "city (other)"]
    rows = encoder.encode(pd.DataFrame({"city": ["L00", "L01", "rare 7", "L40", "never"]}))
    assert rows.features.argmax(axis=1).tolist() == [0, 0, 29, 29, 29]
    assert rows.features.sum(axis=1).tolist() == [0, 1, 1, 1, 1]
    assert rows.counts() == {"unseen": 1}


def test_many_columns_of_levels_get_fewer_each():
    frame = pd.DataFrame({f"c{i}": RNG.integers(0, 25, 3000).astype(str) for i in range(40)})
    frame = frame.map(lambda text: f"level {text}")
    assert len(features(frame)) == 40 * 10
    assert len(features(frame.iloc[:, :20])) == 20 * 24


def test_a_level_never_seen_is_the_most_frequent_where_there_is_no_other():
    frame = pd.DataFrame({"city": ["a"] * 20 + ["b"] * 50 + ["c"] * 30})
    encoder = TableEncoder().fit(frame)
    rows = encoder.encode(pd.DataFrame({"city": ["b", "zz", None]}))
    assert rows.features.tolist() == [[1, 0]] * 3
    assert rows.remarks() == ["", "city: 'zz' never seen", "city is missing"]


def test_levels_are_told_apart_as_they_were_written():
    frame = pd.DataFrame({"code": ["1", "2", "3", "v2.0", "7.0"] * 20})
    encoder = TableEncoder().fit(frame)
    assert encoder.columns_[0].levels == ("1", "2", "3", "7.0", "v2.0")
    rows = encoder.encode(pd.DataFrame({"code": ["1.0", 2.0, 3, "v2.0", "7.0", "7", "v2"]}))
    assert rows.remarks() == [""] * 5 + ["code: '7' never seen", "code: 'v2' never seen"]


def test_dates_become_days_and_points_on_a_circle():
    days = pd.Series(pd.date_range("2023-11-20", periods=N, freq="D"))
    frame = pd.DataFrame({"when": days})
    encoder = TableEncoder().fit(frame)
    assert encoder.notes == ("dates as numbers: when (days, month, weekday)",)
    names = encoder.get_feature_names_out().tolist()
    assert names == ["when (days since 1970-01-01)", *(
        f"when ({part}, {f})" for part in ("month", "weekday") for f in ("cos", "sin")
    )]  # fmt: skip
    X = encoder.transform(frame)
    assert np.array_equal(np.diff(X[:, 0]), np.ones(N - 1))
    of_month = pd.DataFrame(X[:, 1:3]).groupby(days.dt.month).nunique()
    assert (of_month == 1).all(axis=None)
    december, january, june = (X[days.dt.month == month, 1:3][0] for month in (12, 1, 6))
    assert np.linalg.norm(december - january) < 0.6 < np.linalg.norm(december - june)
    hours = pd.DataFrame({"when": pd.date_range("2024-01-01", periods=20, freq="h")})
    assert TableEncoder().fit(hours).columns_[0].parts == ("hour",)


def test_dates_however_they_were_read_are_the_same():
    stamps = pd.Series(pd.date_range("2024-01-01 10:30", periods=N, freq="7h"))
    encoder = TableEncoder().fit(pd.DataFrame({"when": stamps}))
    expected = encoder.transform(pd.DataFrame({"when": stamps}))
    texts = stamps.dt.strftime("%Y-%m-%d %H:%M")
    for other in (texts, texts.astype(object), stamps.dt.tz_localize("UTC"), stamps.astype(object)):
        assert np.array_equal(encoder.transform(pd.DataFrame({"when": other})), expected)
    odd = encoder.encode(pd.DataFrame({"when": ["soon", None, "2024-01-01"]}))
    assert odd.counts() == {"missing": 1, "unreadable": 1}
    assert np.isfinite(odd.features).all()


def test_frequent_gaps_are_a_feature_and_rare_ones_are_filled():
    frame = table(
        rare=np.where(np.arange(N) < 4, np.nan, np.arange(N) % 7),
        often=[None if i < 92 * N // 100 else "uv"[i % 2] for i in range(N)],
        half=np.where(np.arange(N) < N // 2, np.nan, np.arange(N) % 5),
        only=[None if i < N // 2 else "yes" for i in range(N)],
    )
    encoder = TableEncoder().fit(frame)
    assert encoder.notes == (
        "often missing, which a 0/1 feature says: often (92 %), half (50 %), only (50 %)",
        "sometimes missing, and then taken as the median or the most frequent level: rare (1 %)",
    )
    names = encoder.get_feature_names_out().tolist()
    assert names[1:] == [
        "rare", "half", "half is missing", "often_v", "often is missing", "only is missing",
    ]  # fmt: skip
    X = pd.DataFrame(encoder.transform(frame), columns=names)
    assert X["rare"][0] == frame["rare"].median()
    assert X["half"][0] == frame["half"].median()
    assert X["half is missing"].tolist() == frame["half"].isna().tolist()
    assert X[["often_v", "often is missing"]].iloc[0].tolist() == [0, 1]
    assert X["only is missing"].tolist() == frame["only"].isna().tolist()


def test_strict_refuses_what_was_never_there():
    frame = table(city=RNG.choice(["a", "b"], N), gap=np.where(np.arange(N) < 9, np.nan, 1.0 * N))
    frame["gap"] += np.arange(N) / 2
    encoder = TableEncoder().fit(frame)
    good = frame.iloc[[0, 20]]
    assert np.array_equal(encoder.transform(good, strict=True), encoder.transform(good))
    for column, value, message in (
        ("city", "zz", "column 'city', row 1: unknown level 'zz'; known are 'a', 'b'"),
        ("city", None, "column 'city', row 1: the value is missing, as none was"),
        ("x", "old", "column 'x', row 1: 'old' is not a number"),
        ("x", np.inf, "column 'x', row 1: inf is not a number"),
    ):
        wrong = good.astype(object)
        wrong.iloc[0, wrong.columns.get_loc(column)] = value
        assert encoder.encode(wrong).counts()
        with pytest.raises(EncodingError, match=message):
            encoder.transform(wrong, strict=True)
    for strict in (True, False):
        with pytest.raises(EncodingError, match="missing columns: 'city'"):
            encoder.transform(good.drop(columns="city"), strict=strict)


def test_features_of_the_same_name_are_told_apart():
    frame = pd.DataFrame({"a_b": RNG.choice(["c", "d"], N), "a": RNG.choice(["a", "b_d"], N)})
    assert features(frame) == ["a_b_d", "a_b_d (2)"]
    numbered = pd.DataFrame({7: RNG.normal(size=N), "8": RNG.normal(size=N)})
    assert features(numbered) == ["7", "8"]
    assert features(pd.DataFrame({"a\nb": RNG.normal(size=N), "a b": RNG.normal(size=N)})) == [
        "a b",
        "a b (2)",
    ]
    with pytest.raises(EncodingError, match="two columns '7'"):
        features(pd.DataFrame({7: [1, 2], "7": [1, 2]}))


def test_a_plain_table_is_encoded_as_ever():
    frame = table(city=RNG.choice(["a", "b", "c"], N), n=RNG.integers(0, 9, N))
    plain, new = Encoder().fit(frame), TableEncoder().fit(frame)
    assert np.array_equal(plain.transform(frame), new.transform(frame))
    assert list(plain.get_feature_names_out()) == list(new.get_feature_names_out())
    assert new.notes == ()


def test_a_table_that_does_not_fit_into_memory_is_refused_with_its_widest_columns():
    frame = table(city=RNG.choice(["a", "b", "c"], N))
    encoder = TableEncoder().fit(frame)
    check_memory(encoder, N)
    message = r"1,000,000 rows of 3 features need about 0.1 GB.*'city' \(2\).*--drop or --keep-only"
    with pytest.raises(EncodingError, match=message):
        check_memory(encoder, 1_000_000, available=100_000_000)
    assert (available_memory() or 0) > 10_000_000


CELLS = {
    "numbers": st.one_of(st.none(), st.floats(-1e9, 1e9), st.integers(-1000, 1000)),
    "levels": st.one_of(st.none(), st.sampled_from(["a", "b", "ß", "", "1", "1.0", "a,b\n"])),
    "texts": st.text(max_size=4),
    "dates": st.one_of(st.none(), st.datetimes()),
}


@st.composite
def any_table(draw):
    """Tables of any columns, each of one kind, with any names."""
    names = draw(st.lists(st.text(max_size=5), min_size=1, max_size=5, unique=True))
    rows = draw(st.integers(1, 40))
    frame = pd.DataFrame(index=range(rows))
    for name in names:
        kind = draw(st.sampled_from(sorted(CELLS)))
        cells = draw(st.lists(CELLS[kind], min_size=rows, max_size=rows))
        dtype = {"numbers": "float64", "dates": "datetime64[us]"}.get(kind, "object")
        frame[name] = pd.Series(cells, dtype=dtype)
    return frame


@settings(max_examples=60)
@given(any_table(), any_table(), st.randoms())
def test_only_the_values_of_the_columns_learnt_matter(frame, other, random):
    try:
        encoder = TableEncoder().fit(frame)
    except EncodingError:
        with pytest.raises(EncodingError, match="no column is left"):
            TableEncoder().fit(frame)
        return
    X = encoder.transform(frame)
    names = encoder.get_feature_names_out().tolist()
    assert X.shape == (len(frame), len(names))
    assert np.isfinite(X).all()
    assert len(set(names)) == len(names)
    kept = [column.name for column in encoder.columns_]
    assert sorted(kept + [one.name for one in encoder.left_out]) == sorted(frame.columns)

    shuffled = random.sample(kept, len(kept))
    assert np.array_equal(encoder.transform(frame[shuffled]), X)
    assert np.array_equal(encoder.transform(frame.iloc[::-1]), X[::-1])

    described = describe_encoder(encoder)
    again = rebuild_encoder(_loads(described))
    assert np.array_equal(again.transform(frame), X)
    assert again.get_feature_names_out().tolist() == names
    assert (again.notes, again.left_out) == (encoder.notes, encoder.left_out)
    assert again.columns == encoder.columns

    strange = pd.DataFrame({name: other.iloc[:, i % other.shape[1]] for i, name in enumerate(kept)})
    rows = encoder.encode(strange)
    assert np.isfinite(rows.features).all()
    assert len(rows.remarks()) == len(strange)


def _loads(described):
    import json

    return json.loads(canonical_json(described))
