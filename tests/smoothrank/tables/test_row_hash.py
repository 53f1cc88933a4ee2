"""Rows hash alike however their values are held, and never otherwise."""

import subprocess
import sys
from time import perf_counter

import numpy as np
import pandas as pd
import pytest

from smoothrank.tables.row_hash import content_columns, hash_rows, hash_values, positions

FRAME = pd.DataFrame(
    {
        "n": [1, 2, 3],
        "x": [0.5, np.nan, -0.0],
        "s": ["a", None, "ü b"],
        "d": pd.to_datetime(pd.Series(["2024-02-29", "2024-03-01 12:30", None]), format="ISO8601"),
    }
)
KNOWN = [1068361404319423856, 14625620705698109025, 13673640293563315076]


def hashes(frame):
    return hash_rows(frame, content_columns(frame.columns)).tolist()


def test_the_hash_of_a_row_never_changes():
    assert hashes(FRAME) == KNOWN


def test_another_process_finds_the_same():
    code = (
        "import pandas as pd; from smoothrank.tables.row_hash import hash_values;"
        "print(hash_values(pd.Series(['a', 'b'])).tolist())"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.strip() == str(hash_values(pd.Series(["a", "b"])).tolist())


@pytest.mark.parametrize(
    "same",
    [
        {"n": FRAME["n"].astype(float)},
        {"n": ["1", "2.0", "3"]},
        {"n": FRAME["n"].astype("Int64")},
        {"x": ["0.50", None, "0"]},
        {"d": ["2024-02-29", "2024-03-01 12:30:00", None]},
        {"d": FRAME["d"].astype("datetime64[s]")},
        {"s": pd.Series(["a", None, "ü b"], dtype="string")},
        {"s": pd.Categorical(["a", None, "ü b"])},
        {"Unnamed: 0": [7, 8, 9]},
        {"": [7, 8, 9]},
    ],
)
def test_the_way_a_value_is_held_does_not_matter(same):
    assert hashes(FRAME.assign(**same)) == hashes(FRAME)


def test_the_order_of_rows_and_columns_does_not_matter():
    mixed = FRAME.iloc[[2, 0, 1], [3, 1, 0, 2]]
    assert hashes(mixed) == [hashes(FRAME)[i] for i in (2, 0, 1)]


def test_a_value_in_another_column_is_another_row():
    frame = pd.DataFrame({"a": [1, 2, 1, 1], "b": [2, 1, np.nan, 1]})
    assert len(set(hashes(frame))) == 4
    assert hashes(frame)[:1] != hashes(frame.rename(columns={"a": "c"}))[:1]


def test_whole_numbers_beyond_those_of_floats_are_told_apart():
    large = 2**60 + np.arange(50)
    assert len(set(hash_values(pd.Series(large)).tolist())) == 50
    texts = pd.Series([str(number) for number in large])
    assert hash_values(texts).tolist() == hash_values(pd.Series(large)).tolist()


def test_a_text_that_is_almost_a_date_stays_a_text():
    values = pd.Series(["2023-02-30", "2023-02-28", "2023-02-31"])
    assert len(set(hash_values(values).tolist())) == 3


def test_places_are_spread_evenly_and_differ_by_seed():
    found = positions(hash_values(pd.Series(np.arange(20_000))), seed=10)
    assert np.abs(np.histogram(found, 10, (0, 1))[0] / 2000 - 1).max() < 0.1
    other = positions(hash_values(pd.Series(np.arange(20_000))), seed=11)
    assert abs(np.corrcoef(found, other)[0, 1]) < 0.03


def test_a_large_table_takes_a_moment():
    rng = np.random.default_rng(0)
    frame = pd.DataFrame(rng.normal(size=(100_000, 17)).round(3)).add_prefix("x")
    frame["level"] = rng.choice(["a", "b"], len(frame))
    frame["tail"] = [f"N{number}" for number in rng.integers(0, 3424, len(frame))]
    frame["name"] = [f"name {number}" for number in range(len(frame))]
    begin = perf_counter()
    assert len(set(hashes(frame))) == len(frame)
    assert perf_counter() - begin < 3.0
