"""Suites: what they hold, and that they are stored the same everywhere."""

import json
import math
from dataclasses import replace

import numpy as np
import pandas as pd
import pytest

from smoothrank.datasets.dataset import Attribute, Dataset, Kind, Schema
from smoothrank.errors import SmoothrankError
from tasks.validation.suites.expectations import (
    SuiteError,
    build_suite,
    read_suite,
    suite_text,
    write_suite,
)
from tasks.validation.suites.own_file import observed_schema

TARGET = Attribute("Class", "nominal", levels=("no", "yes"))


def dataset(**columns):
    attributes = []
    for name, values in columns.items():
        kind: Kind = "nominal" if isinstance(values[0], str) else "real"
        levels = tuple(sorted(set(values))) if kind == "nominal" else ()
        attributes.append(Attribute(name, kind, levels=levels))
    schema = Schema("own", tuple(attributes), TARGET, "yes")
    return Dataset("own", pd.DataFrame(columns), np.array([1, -1]), schema, "0" * 64)


def observed(values, **options):
    return observed_schema(dataset(a=values), **options).attributes[0]


def test_a_suite_says_all_that_the_schema_says():
    attributes = (
        Attribute("a", "real", low=0.5, high=1.5),
        Attribute("b", "integer", high=3.0, nullable=True),
        Attribute("c", "nominal", levels=("x", "y")),
    )
    suite = build_suite("toy", Schema("toy", attributes, TARGET, "yes"), ["Class", "a", "b", "c"])
    said = [
        (item["type"], *(value for key, value in item["kwargs"].items() if key != "regex"))
        for item in suite["expectations"]
    ]
    assert said == [
        ("expect_table_columns_to_match_ordered_list", ["Class", "a", "b", "c"]),
        ("expect_column_values_to_not_be_null", "a"),
        ("expect_column_values_to_match_regex", "a"),
        ("expect_column_values_to_be_between", "a", 0.5, 1.5),
        ("expect_column_values_to_match_regex", "b"),
        ("expect_column_values_to_be_between", "b", 3.0),
        ("expect_column_values_to_not_be_null", "c"),
        ("expect_column_values_to_be_in_set", "c", ["x", "y"]),
        ("expect_column_values_to_not_be_null", "Class"),
        ("expect_column_values_to_be_in_set", "Class", ["no", "yes"]),
        ("expect_column_values_to_be_between", "rows", 2),
    ]
    assert suite["meta"] == {"target": "Class", "positive": "yes"}


def test_a_stored_suite_reads_back_and_holds_nothing_that_changes(tmp_path):
    suite = build_suite("toy", Schema("toy", (Attribute("ä", "real"),), TARGET, "yes"))
    path = tmp_path / "deep" / "toy.json"
    write_suite(suite, path)
    assert read_suite(path) == suite
    assert path.read_bytes() == suite_text(suite).encode()
    assert set(json.loads(path.read_text(encoding="utf-8"))) == {"name", "meta", "expectations"}
    assert suite_text(dict(reversed(suite.items()))) == suite_text(suite)


NO_SUITES = [
    "",
    "{",
    "[]",
    "{}",
    '{"expectations": [], "meta": {}}',
    '{"expectations": [{"type": "x"}], "meta": {"target": "y"}}',
    '{"expectations": [{"type": "x", "kwargs": {}, "meta": null}], "meta": {"target": "y"}}',
]


@pytest.mark.parametrize("text", NO_SUITES)
def test_a_file_that_is_no_suite_is_named(tmp_path, text):
    path = tmp_path / "odd.json"
    path.write_text(text)
    with pytest.raises(SuiteError, match=r"odd\.json"):
        read_suite(path)


def test_a_suite_that_cannot_be_read_or_written_is_named(tmp_path):
    (tmp_path / "odd.json").mkdir()
    with pytest.raises(SuiteError, match=r"cannot read .*odd\.json"):
        read_suite(tmp_path / "odd.json")
    with pytest.raises(SuiteError, match=r"cannot write .*odd\.json"):
        write_suite({}, tmp_path / "odd.json")


@pytest.mark.parametrize(
    ("values", "margin", "low", "high"),
    [
        ([0.0, 10.0], 1.0, -10.0, 20.0),
        ([0.0, 10.0], 0.0, 0.0, 10.0),
        ([5.0, 5.0], 1.0, 0.0, 10.0),
        ([0.0, 0.0], 1.0, -1.0, 1.0),
        ([0.0, 10.0], math.inf, None, None),
        ([-1.5e308, 0.0], 1.0, None, 1.5e308),
        ([math.nan, 10.0], 0.0, 10.0, 10.0),
        ([math.nan, math.nan], 1.0, None, None),
    ],
)
def test_a_range_seen_is_widened_by_the_margin(values, margin, low, high):
    attribute = observed(values, range_margin=margin)
    assert (attribute.low, attribute.high) == (low, high)


@pytest.mark.parametrize("margin", [-0.1, math.nan])
def test_a_margin_below_zero_is_refused(margin):
    with pytest.raises(SmoothrankError, match="range margin"):
        observed([0.0, 1.0], range_margin=margin)


def test_a_column_with_very_many_levels_is_not_held_to_them():
    assert observed(["x", "y"], max_levels=2).levels == ("x", "y")
    assert observed(["x", "y"], max_levels=1).levels == ()


@pytest.mark.parametrize(
    ("values", "are_dates"),
    [
        (["2024-01-31", "2024-02-01"], True),
        (["2024-01-31 12:00:00", "2024-02-01T08:30:00Z"], True),
        (["2024-01-31", "never"], False),
        (["2024-13-31", "2024-14-31"], False),
    ],
)
def test_a_column_of_dates_is_not_held_to_those_seen(values, are_dates):
    assert (observed(values).levels == ()) == are_dates


def test_only_the_ranges_and_levels_of_the_inputs_are_loosened():
    own = dataset(a=[0.0, 1.0])
    loose = observed_schema(own)
    assert replace(loose, attributes=own.schema.attributes) == own.schema
