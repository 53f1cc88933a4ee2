"""What new data may change, which of it is a warning, and how it is accepted."""

from dataclasses import replace

import numpy as np
import pandas as pd
import pytest

from smoothrank.datasets.options import ColumnOptions
from tasks.validation.suites.accept import accept_file
from tasks.validation.suites.expectations import SuiteError, read_suite
from tasks.validation.validate_file import OwnFile, validate_file


def customers(n=200, seed=0, share=0.12):
    rng = np.random.default_rng(seed)
    return pd.DataFrame(
        {
            "customer": np.arange(1000, 1000 + n),
            "day": pd.date_range("2024-01-01", periods=n).strftime("%Y-%m-%d"),
            "age": rng.integers(20, 60, n),
            "city": rng.choice(["Bern", "Genf", "Basel"], n),
            "note": [f"called at {i}" for i in range(n)],
            "churn": np.where(np.arange(n) < share * n, "yes", "no"),
        }
    )


@pytest.fixture
def file(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    own = OwnFile(tmp_path / "customers.csv", "churn", "yes")
    assert validate(own, customers()).passed
    return own


def validate(file, frame):
    frame.to_csv(file.path, index=False)
    return validate_file(file)


def said(result):
    return [(f.severity, f.column) for f in (*result.failures, *result.warnings)]


def test_tomorrow_s_file_is_no_surprise(file):
    """Ids and dates grow, free text is always new, and other rows have about as many positives."""
    tomorrow = customers(220, seed=1)
    tomorrow["customer"] += 10**6
    tomorrow["day"] = pd.date_range("2027-01-01", periods=220).strftime("%Y-%m-%d")
    tomorrow["note"] = [f"wrote at {i}" for i in range(220)]
    assert said(validate(file, tomorrow)) == []


def few(frame, column, value, n=3):
    frame = frame.astype({column: object})
    frame.loc[: n - 1, column] = value
    return frame


CHANGES = {
    "a new level": (lambda f: few(f, "city", "Oslo"), "warning"),
    "new levels everywhere": (lambda f: f.assign(city="Oslo"), "critical"),
    "a few out of range": (lambda f: few(f, "age", 999), "warning"),
    "many out of range": (lambda f: few(f, "age", 999, 20), "critical"),
    "a few that are no numbers": (lambda f: few(f, "age", "old"), "warning"),
    "a few missing": (lambda f: few(f, "age", None), "warning"),
    "most missing": (lambda f: few(f, "age", None, 150), "critical"),
}


@pytest.mark.parametrize(("change", "severity"), CHANGES.values(), ids=CHANGES)
def test_few_rows_warn_and_many_stop(file, change, severity):
    found = said(validate(file, change(customers(seed=1))))
    assert [one for one, _ in found] == [severity]


def test_columns_in_another_order_or_added_warn_and_missing_ones_stop(file):
    frame = customers(seed=1)
    turned = validate(file, frame[frame.columns[::-1]])
    assert turned.passed
    assert "in another order: column 1 is 'churn'" in turned.warnings[0].message
    more = validate(file, frame.assign(colour="red"))
    assert more.passed
    assert "not expected: 'colour'" in more.warnings[0].message
    less = validate(file, frame.drop(columns="age"))
    assert [f.message for f in less.failures] == [
        "The columns differ from the 6 expected ones; missing: 'age'."
    ]
    assert less.warnings == ()
    without_id = validate(file, frame.drop(columns="customer"))
    assert without_id.passed
    assert "missing: 'customer'" in without_id.warnings[0].message


def test_another_share_of_positives_is_noticed(file):
    (warning,) = validate(file, customers(seed=1, share=0.49)).warnings
    assert warning.message.startswith(
        "The share of the positive class 'yes' is 49 %; it was 12 % (expected would be "
    )
    assert validate(file, customers(seed=1, share=0.15)).warnings == ()
    assert validate(file, customers(20, seed=1, share=0.2)).warnings == ()


def test_an_accepted_file_passes_and_so_do_older_ones(file):
    new = few(few(customers(seed=1, share=0.49), "city", "Oslo", 150), "age", 999, 100)
    new = new.assign(colour="red").drop(columns="note")
    assert not validate(file, new).passed
    found = accept_file(file)
    assert validate_file(file).warnings == ()
    assert validate_file(file).passed
    assert found.previous is not None
    assert found.previous.name == "suite.1.json"
    assert len(found.changes) == 5
    assert found.changes[0].startswith("positive share: 49 % instead of 12 %; ")
    assert found.changes[1] == "new columns: 'colour'"
    assert found.changes[2] == "columns that need not be there any more: 'note'"
    assert found.changes[3].startswith("age: range -")
    assert found.changes[4] == "city: new levels 'Oslo'"
    old = validate(file, customers())
    assert old.passed
    assert [w.column for w in old.warnings] == [None]
    assert accept_file(file).previous == found.previous.with_name("suite.2.json")


def test_accepting_what_is_known_changes_nothing(file):
    validate(file, customers(seed=0))
    before = read_suite(file.suite)
    assert accept_file(file).changes == ()
    assert read_suite(file.suite) == before
    assert not file.suite.with_name("suite.1.json").exists()


def test_missing_values_and_fractions_can_be_accepted(file):
    frame = customers(seed=1).astype({"age": float})
    frame.loc[0, "age"], frame.loc[1, "age"] = None, 33.3
    validate(file, frame)
    assert list(accept_file(file).changes) == [
        "age: values may be missing",
        "age: numbers instead of whole numbers",
    ]
    assert validate_file(file).warnings == ()
    assert validate(file, customers(seed=2)).warnings == ()


def test_what_no_suite_can_let_pass_is_refused(file):
    before = read_suite(file.suite)
    customers(share=0.004).to_csv(file.path, index=False)
    with pytest.raises(SuiteError, match=r"cannot be accepted: .*'yes' has 1"):
        accept_file(file)
    assert read_suite(file.suite) == before


def test_another_positive_label_is_accepted_if_it_is_named(file):
    other = replace(file, positive="no")
    with pytest.raises(SuiteError, match=r"data accept .* --positive no` changes it"):
        validate_file(other)
    assert "positive label: 'no' instead of 'yes'" in accept_file(other).changes
    assert validate_file(other).passed


def test_columns_that_are_left_out_may_come_and_go(file):
    dropping = replace(file, columns=ColumnOptions(drop=("city",)))
    assert said(validate(dropping, customers(seed=1).drop(columns="city"))) == []
    assert said(validate(dropping, customers(seed=1).assign(city="Oslo"))) == []
    keeping = replace(file, columns=ColumnOptions(keep_only=("age",)))
    assert said(validate(keeping, customers(seed=1)[["age", "churn"]])) == []


def test_a_column_named_as_id_is_not_held_to_anything(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    own = OwnFile(tmp_path / "c.csv", "churn", "yes", columns=ColumnOptions(id="city"))
    validate(own, customers())
    assert said(validate(own, customers(seed=1).assign(city="Oslo"))) == []


def test_a_suite_of_an_earlier_version_is_as_strict_as_it_was_until_it_is_widened(file):
    from tasks.validation.suites.expectations import CRITICAL, write_suite

    suite = read_suite(file.suite)
    strict = [e for e in suite["expectations"] if "mostly" not in e["kwargs"]]
    strict = [{**e, "severity": CRITICAL} for e in strict if "set" not in e["type"].split("_")]
    meta = {"target": "churn", "positive": "yes"}
    write_suite({**suite, "meta": meta, "expectations": strict[:-1]}, file.suite)
    assert not validate(file, few(customers(seed=1), "age", 999)).passed
    accept_file(file)
    assert said(validate_file(file)) == []
