"""Each kind of broken table is caught, and said in plain words."""

import json
import subprocess
import sys

import pandas as pd
import pytest

from smoothrank.datasets.dataset import Attribute, Schema
from tasks.validation.raw_table import RawTable
from tasks.validation.result import ValidationResult
from tasks.validation.suites.expectations import SuiteError, build_suite
from tasks.validation.validate_table import validate_table

COLUMNS = ("size", "count", "colour", "note", "Class")
SCHEMA = Schema(
    relation="toy",
    attributes=(
        Attribute("size", "real", low=0.0, high=10.0),
        Attribute("count", "integer", low=0.0, high=5.0),
        Attribute("colour", "nominal", levels=("red", "blue")),
        Attribute("note", "real", nullable=True),
    ),
    target=Attribute("Class", "nominal", levels=("negative", "positive")),
    positive="positive",
)
SUITE = build_suite("toy", SCHEMA)
GOOD: list[list[str | None]] = [
    ["0.0", "0", "red", None, "negative"],
    ["1e1", "5", "blue", "-3", "negative"],
    ["+.5", "2", "red", "7.", "negative"],
    ["2.5", "3.0", "blue", None, "positive"],
    ["10", "4", "red", "12", "positive"],
]


def table(rows, columns=COLUMNS):
    cells = pd.DataFrame(rows, columns=list(columns), dtype="str")
    return RawTable("toy", cells, "0" * 64, range(8, 8 + len(rows)))


def with_value(row, column, value):
    rows = [list(values) for values in GOOD]
    rows[row][COLUMNS.index(column)] = value
    return table(rows)


def only_failure(result: ValidationResult):
    assert not result.passed
    assert len(result.failures) == 1, result.failures
    return result.failures[0]


def test_a_good_table_passes():
    result = validate_table(table(GOOD), SUITE)
    assert result == ValidationResult(True, "toy", "0" * 64, len(SUITE["expectations"]), ())


BROKEN = {
    "null": ("size", None, "not_be_null", "'size' has 1 value missing; none may be"),
    "null class": ("Class", None, "not_be_null", "'Class' has 1 value missing; none may be"),
    "too high": ("size", "10.01", "be_between", "'size' must be between 0 and 10"),
    "too low": ("count", "-1", "be_between", "'count' must be between 0 and 5"),
    "unknown level": ("colour", "green", "be_in_set", "'colour' must be one of 'red', 'blue'"),
    "wrong class": (
        "Class",
        "maybe",
        "be_in_set",
        "The class 'Class' must be one of 'negative', 'positive'",
    ),
    "text in a numeric column": ("size", "big", "match_regex", "'size' must hold numbers"),
    "text in a nullable column": ("note", "1,5", "match_regex", "'note' must hold numbers"),
    "infinity": ("size", "inf", "match_regex", "'size' must hold numbers"),
    "real in an integer column": (
        "count",
        "2.5",
        "match_regex",
        "'count' must hold whole numbers",
    ),
}


@pytest.mark.parametrize(("column", "value", "kind", "rule"), BROKEN.values(), ids=BROKEN)
def test_a_broken_value_is_reported_with_its_row(column, value, kind, rule):
    failure = only_failure(validate_table(with_value(1, column, value), SUITE))
    assert failure.expectation == f"expect_column_values_to_{kind}"
    assert failure.column == column
    such_as = "" if value is None else f"; 1 value is not, such as {value!r}"
    assert failure.message == f"{rule}{such_as}."
    assert (failure.count, failure.row, failure.line) == (1, 2, 9)
    assert failure.example == dict(zip(COLUMNS, GOOD[1], strict=True)) | {column: value}


BROKEN_COLUMNS = {
    "missing": (["size", "colour", "note", "Class"], "missing: 'count'"),
    "added": ([*COLUMNS, "extra"], "not expected: 'extra'"),
    "duplicate": (["size", *COLUMNS], "more than once: 'size'"),
    "renamed": (
        ["size", "Count", "colour", "note", "Class"],
        "missing: 'count'; not expected: 'Count'",
    ),
    "another order": (
        ["count", "size", "colour", "note", "Class"],
        "in another order: column 1 is 'count', not 'size'",
    ),
}


@pytest.mark.parametrize(("columns", "fault"), BROKEN_COLUMNS.values(), ids=BROKEN_COLUMNS)
def test_broken_columns_are_reported_once(columns, fault):
    rows = [[dict(zip(COLUMNS, row, strict=True)).get(c, "1") for c in columns] for row in GOOD]
    failure = only_failure(validate_table(table(rows, columns), SUITE))
    assert failure.expectation == "expect_table_columns_to_match_ordered_list"
    assert failure.message == f"The columns differ from the 5 expected ones; {fault}."


def test_a_missing_column_does_not_hide_a_broken_value_elsewhere():
    rows = [row[1:] for row in with_value(0, "colour", "green").cells.to_numpy().tolist()]
    result = validate_table(table(rows, COLUMNS[1:]), SUITE)
    assert [failure.column for failure in result.failures] == [None, "colour"]


def test_a_missing_class_column_is_reported_once():
    failure = only_failure(validate_table(table([r[:-1] for r in GOOD], COLUMNS[:-1]), SUITE))
    assert "missing: 'Class'" in failure.message


def test_an_empty_file_is_said_to_be_empty():
    failure = only_failure(validate_table(table([], ()), SUITE))
    assert failure.message == "The file is empty: none of the 5 expected columns is there."


def test_a_header_without_rows_has_too_few_rows_of_each_class():
    failure = only_failure(validate_table(table([]), SUITE))
    assert failure.message == (
        "Each class needs at least 2 rows; 'negative' has 0, 'positive' has 0."
    )
    assert failure.example is None


@pytest.mark.parametrize(("kept", "row"), [(0, None), (1, 4)])
def test_a_class_needs_two_rows(kept, row):
    failure = only_failure(validate_table(table(GOOD[: 3 + kept]), SUITE))
    assert failure.column == "Class"
    assert failure.message == f"Each class needs at least 2 rows; 'positive' has {kept}."
    assert failure.row == row


def test_failures_come_in_the_order_of_the_suite_and_count_their_rows():
    rows = [["99", "2", "green", "x", "negative"], *GOOD, [None, "2.5", "red", "y", "negative"]]
    result = validate_table(table(rows), SUITE)
    assert [(failure.column, failure.count) for failure in result.failures] == [
        ("size", 1),
        ("size", 1),
        ("count", 1),
        ("colour", 1),
        ("note", 2),
    ]


def test_a_hand_written_expectation_of_a_number_is_run_on_numbers():
    mean = {
        "type": "expect_column_mean_to_be_between",
        "kwargs": {"column": "size", "min_value": 100},
    }
    suite = {**SUITE, "expectations": [*SUITE["expectations"], mean]}
    failure = only_failure(validate_table(table(GOOD), suite))
    assert failure.message.startswith("expect_column_mean_to_be_between (")
    assert failure.message.endswith("does not hold; seen: 4.6.")


def test_an_expectation_that_cannot_be_run_is_a_failure_with_the_reason():
    mean = {
        "type": "expect_column_mean_to_be_between",
        "kwargs": {"column": "colour", "min_value": 0},
    }
    suite = {**SUITE, "expectations": [*SUITE["expectations"], mean]}
    failure = only_failure(validate_table(table(GOOD), suite))
    assert failure.message.startswith("expect_column_mean_to_be_between could not be checked: ")
    assert len(failure.message.splitlines()) == 1


@pytest.mark.parametrize(
    "expectation",
    [
        {"type": "expect_the_moon", "kwargs": {}},
        {"type": "expect_column_values_to_be_between", "kwargs": {"colunm": "size"}},
    ],
)
def test_an_expectation_that_does_not_exist_is_an_error_and_not_passed_over(expectation):
    suite = {**SUITE, "expectations": [*SUITE["expectations"], expectation]}
    with pytest.raises(SuiteError, match=expectation["type"]):
        validate_table(table(GOOD), suite)


def test_a_result_turns_into_json_and_back():
    result = validate_table(with_value(0, "size", None), SUITE)
    stored = json.loads(json.dumps(result.to_dict(), allow_nan=False))
    assert stored["passed"] is False
    assert stored["dataset"] == "toy"
    assert stored["expectations"] == len(SUITE["expectations"])
    assert stored["failures"][0]["example"]["size"] is None


def test_validation_says_nothing_on_the_terminal(capfd):
    validate_table(with_value(0, "size", "big"), SUITE)
    assert capfd.readouterr() == ("", "")


def test_importing_the_modules_does_not_import_great_expectations():
    code = (
        "import sys, tasks.validation.validate_table, tasks.validation.raw_table\n"
        "import tasks.validation.suites.expectations\n"
        "sys.exit('great_expectations' in sys.modules)"
    )
    assert subprocess.run([sys.executable, "-c", code], check=False).returncode == 0
