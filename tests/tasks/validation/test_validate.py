"""Data sets of the catalogue and files of a user's own, held against stored suites."""

import os
import subprocess
from typing import Any

import pandas as pd
import pytest

from smoothrank.datasets.catalogue.catalogue import catalogue
from smoothrank.datasets.errors import DatasetError, TableFormatError
from tasks.validation.raw_table import read_raw_table
from tasks.validation.suites.expectations import SuiteError, build_suite, read_suite, suite_text
from tasks.validation.suites.location import expectations_folder, suite_path_of
from tasks.validation.validate_catalogue import validate_dataset, write_suites
from tasks.validation.validate_file import OwnFile
from tasks.validation.validate_file import validate_file as validate_own
from tests.support.checkout.repository import ROOT

SUITES = ROOT / "expectations"
# Nominal and numeric columns, missing values, UCI files, most columns and most rows. With
# SMOOTHRANK_ALL_SUITES=1 all 73 are validated, which takes about 25 s.
SAMPLE = [
    "abalone9-18",
    "cleveland-0_vs_4",
    "lymphography-normal-fibrosis",
    "parkinsons",
    "shuttle-c2-vs-c4",
    "sonar",
    "votes",
    "winequality-red-4",
]
KEEL = b"""@relation toy
@attribute size real [0, 10]
@attribute colour {red, blue}
@attribute Class {positive, negative}
@data
1.5, red, positive
<null>, blue, positive
% a remark
9, red, negative
10.0, red, negative
"""
ROWS: dict[str, list[Any]] = {
    "age": [30, 40, 35, 36, 50],
    "income": [1000.5, 2000.0, 1500.0, 1400.0, 1800.25],
    "city": ["Bern", "Genf", None, "Bern", "Bern"],
    "churn": [0, 0, 1, 1, 0],
}


@pytest.fixture
def project(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    return tmp_path


def validate_file(path, **said):
    return validate_own(OwnFile(path, **said))


def write(path, rows):
    frame = pd.DataFrame(rows)
    if path.suffix == ".parquet":
        frame.to_parquet(path)
    else:
        frame.to_csv(path, index=False)
    return path


@pytest.mark.parametrize("name", catalogue())
def test_each_stored_suite_is_made_from_the_header(name, load_or_skip, data_folder):
    schema = load_or_skip(name).schema
    columns = read_raw_table(data_folder / f"{name}.dat").columns
    stored = (SUITES / f"{name}.json").read_bytes()
    assert stored == suite_text(build_suite(name, schema, columns)).encode()


@pytest.mark.parametrize("name", catalogue() if os.environ.get("SMOOTHRANK_ALL_SUITES") else SAMPLE)
def test_a_data_set_passes_its_suite(name, load_or_skip):
    columns = len(load_or_skip(name).schema.attributes) + 1
    result = validate_dataset(name, SUITES)
    assert result.passed, result.failures
    assert result.checksum == catalogue()[name].sha256
    assert result.expectations > 2 * columns


def test_there_is_no_suite_without_a_data_set():
    """Those that an earlier version left beside them for a user's own files are not tracked."""
    listed = subprocess.run(["git", "ls-files"], cwd=SUITES, capture_output=True, check=False)
    names = listed.stdout.decode().split() or [path.name for path in SUITES.iterdir()]
    assert sorted(names) == sorted(f"{name}.json" for name in catalogue())


def test_suites_are_written_as_they_are_stored(tmp_path):
    written, missing = write_suites(tmp_path)
    assert {path.stem for path in written} | set(missing) == set(catalogue())
    assert all(path.read_bytes() == (SUITES / path.name).read_bytes() for path in written)


@pytest.mark.parametrize(
    ("old", "new", "fault"),
    [
        ("\nM, 0.58", "\nX, 0.58", "'Sex' must be one of"),
        (", negative\n", ", neutral\n", "The class 'Class' must be one of"),
        (" Length real", " Long real", "missing: 'Length'; not expected: 'Long'"),
        (" Length real", " Diameter real", "two attributes 'Diameter'"),
    ],
)
def test_a_changed_file_of_the_catalogue_is_held_against_its_stored_suite(
    old, new, fault, load_or_skip, data_folder, tmp_path, monkeypatch
):
    load_or_skip("abalone9-18")
    text = (data_folder / "abalone9-18.dat").read_text()
    text = "\n".join(line for line in text.split("\n") if not line.startswith("@input"))
    assert old in text
    (tmp_path / "abalone9-18.dat").write_text(text.replace(old, new, 1))
    monkeypatch.setenv("SMOOTHRANK_DATA", str(tmp_path))
    result = validate_dataset("abalone9-18", SUITES)
    assert not result.passed
    assert fault in result.failures[0].message


def test_without_a_stored_suite_a_data_set_is_held_against_its_header(load_or_skip, tmp_path):
    load_or_skip("glass0")
    assert validate_dataset("glass0", tmp_path).passed
    assert not list(tmp_path.iterdir())


@pytest.mark.parametrize("ending", [".csv", ".parquet"])
def test_the_first_validation_writes_the_suite_and_later_ones_use_it(project, ending):
    path = write(project / f"customers{ending}", ROWS)
    assert validate_file(path).passed
    suite = read_suite(suite_path_of("customers"))
    assert suite["meta"] == {
        "target": "churn", "positive": "1", "positive_share": 0.4, "rows": 5,
    }  # fmt: skip
    tomorrow = {**ROWS, "income": [5.0, 2900.0, 1500.0, 1400.0, 1800.25]}
    assert validate_file(write(path, tomorrow)).passed
    broken = {**ROWS, "income": [1000.5, 2_000_000.0, 1500.0, 1400.0, 1800.25]}
    result = validate_file(write(path, broken))
    assert [(failure.column, failure.row) for failure in result.failures] == [("income", 2)]
    assert result.failures[0].line == (3 if ending == ".csv" else None)
    assert read_suite(suite_path_of("customers")) == suite


# What the model can live with is a warning, unless it befalls many rows.
BROKEN = {
    "null": ({"age": [30, None, 35, 36, 50]}, "warning"),
    "nulls": ({"age": [None, None, None, None, 50]}, "critical"),
    "out of range": ({"age": [30, 999, 35, 36, 50]}, "critical"),
    "text": ({"age": ["30", "old", "35", "36", "50"]}, "critical"),
    "fraction": ({"age": [30, 40.5, 35, 36, 50]}, "warning"),
    "unknown level": ({"city": ["Bern", "Oslo", None, "Bern", "Bern"]}, "warning"),
    "unknown levels": ({"city": ["Bern", "Oslo", "Oslo", "Rom", "Bern"]}, "critical"),
    "wrong class": ({"churn": [0, 2, 1, 1, 0]}, "critical"),
    "infinite": ({"income": [1000.5, float("inf"), 1500.0, 1400.0, 1800.25]}, "critical"),
}


@pytest.mark.parametrize("ending", [".csv", ".parquet"])
@pytest.mark.parametrize(("change", "severity"), BROKEN.values(), ids=BROKEN)
def test_each_broken_row_of_a_file_is_caught(project, ending, change, severity):
    path = write(project / f"customers{ending}", ROWS)
    validate_file(path)
    result = validate_file(write(path, {**ROWS, **change}))
    assert result.passed == (severity == "warning")
    ((column, values),) = change.items()
    row = 1 + next(i for i, value in enumerate(values) if str(value) != str(ROWS[column][i]))
    found = {(f.column, f.row, f.severity) for f in (*result.failures, *result.warnings)}
    assert found == {(column, row, severity)}


@pytest.mark.parametrize(
    ("text", "fault"),
    [
        ("", "The file is empty"),
        ("age,income,city,churn\n", "'0' has 0, '1' has 0"),
        ("age,income,churn\n1,2,0\n", "missing: 'city'"),
        ("age,age,income,city,churn\n1,1,2,Bern,0\n", "more than once: 'age'"),
        (
            "age,income,city,churn\n1,2,Bern,0,5\n",
            "line 2: 5 values where the first line has 4 columns",
        ),
    ],
)
def test_a_broken_csv_file_is_caught(project, text, fault):
    path = write(project / "customers.csv", ROWS)
    validate_file(path)
    path.write_text(text)
    result = validate_file(path)
    assert not result.passed
    assert fault in result.failures[0].message


def test_labels_and_levels_are_the_same_as_whole_numbers_and_with_a_point(project):
    first = {**ROWS, "flag": [True, False, True, True, False]}
    path = write(project / "customers.csv", first)
    validate_file(path, target="churn")
    as_floats = {**first, "churn": [0.0, 0.0, 1.0, 1.0, 0.0], "age": [30.0, 40.0, 35.0, 36.0, 50.0]}
    as_floats["flag"] = ["true", "FALSE", "True", "true", "false"]
    assert validate_file(write(path, as_floats)).passed


def test_ranges_are_as_wide_as_asked(project):
    path = write(project / "customers.csv", ROWS)
    validate_file(path, suite_path=project / "exact.json", range_margin=0.0)
    validate_file(path, suite_path=project / "free.json", range_margin=float("inf"))
    write(path, {**ROWS, "age": [30, 40, 35, 36, 51]})
    assert not validate_file(path, suite_path=project / "exact.json").passed
    write(path, {**ROWS, "age": [30, 40, 35, 36, 10**9]})
    assert validate_file(path, suite_path=project / "free.json").passed
    assert not suite_path_of("customers").exists()


def test_blanks_around_texts_are_no_fault(project):
    path = write(project / "customers.csv", ROWS)
    validate_file(path)
    path.write_text(path.read_text().replace("Bern", " Bern ").replace(",1\n", ", 1 \n"))
    assert validate_file(path).passed


def test_a_row_without_a_class_is_left_out(project):
    path = write(project / "customers.csv", ROWS)
    validate_file(path)
    assert validate_file(write(path, {**ROWS, "churn": [0, None, 1, 1, 0]})).passed
    broken = {"age": [30, 40, 35, 36, 999], "churn": [0, None, 1, 1, 0]}
    failure = validate_file(write(path, {**ROWS, **broken})).failures[0]
    assert (failure.column, failure.row, failure.line) == ("age", 5, 6)


def test_tsv_and_utf_16_are_read(project):
    path = project / "customers.tsv"
    pd.DataFrame(ROWS).to_csv(path, index=False, sep="\t")
    assert validate_file(path).passed
    path.write_bytes(path.read_text().encode("utf-16"))
    assert validate_file(path).passed


def test_tomorrows_date_is_no_fault(project):
    days = [f"2024-05-{day:02d}" for day in range(1, 6)]
    path = write(project / "customers.csv", {"day": days, **ROWS})
    validate_file(path)
    write(path, {"day": [day.replace("05-", "06-") for day in days], **ROWS})
    assert validate_file(path).passed


def test_a_first_file_that_fails_writes_no_suite(project):
    path = write(project / "customers.csv", {**ROWS, "churn": [0, 0, 0, 1, 0]})
    result = validate_file(path)
    assert result.failures[0].message == "Each class needs at least 2 rows; '1' has 1."
    assert result.failures[0].line == 5
    assert list(project.iterdir()) == [path]


def test_a_keel_file_of_the_users_own_is_held_to_its_header(project):
    path = project / "toy.dat"
    path.write_bytes(KEEL.replace(b"9, red", b"11, red"))
    failure = validate_file(path).failures[0]
    assert failure.message == "'size' must be between 0 and 10; 1 value is not, such as '11'."
    assert (failure.row, failure.line) == (3, 9)
    path.write_bytes(KEEL)
    assert validate_file(path).passed
    path.write_bytes(KEEL.replace(b"blue,", b"'light blue',"))
    assert validate_file(path).failures[0].example == {
        "size": None,
        "colour": "light blue",
        "Class": "positive",
    }


@pytest.mark.parametrize(
    ("data", "line"), [(b"", 1), (KEEL.replace(b"9, red,", b"9,"), 9), (KEEL[:102], 4)]
)
def test_a_keel_file_that_cannot_be_read_fails_with_its_line(project, data, line):
    path = project / "toy.dat"
    path.write_bytes(data)
    result = validate_file(path)
    assert not result.passed
    assert result.failures[0].expectation == "file_can_be_read"
    assert result.failures[0].line == line


def test_what_only_the_user_can_mend_is_an_error(project):
    path = write(project / "customers.csv", ROWS)
    with pytest.raises(DatasetError, match="there is no file"):
        validate_file(project / "customer.csv")
    with pytest.raises(DatasetError, match=r"expected a \.csv"):
        validate_file(write(project / "customers.txt", ROWS))
    with pytest.raises(TableFormatError, match="no column 'Churn'"):
        validate_file(path, target="Churn")
    validate_file(path)
    with pytest.raises(SuiteError, match=r"suite\.json was written for positive '1'"):
        validate_file(path, positive="0")


def test_a_row_over_several_lines_is_named_by_its_first(project):
    path = write(project / "customers.csv", {**ROWS, "note": ["a", "b\nb", "c", "d", "e"]})
    validate_file(path, target="churn")
    path.write_text(path.read_text().replace("Genf", "Oslo"))
    failure = validate_file(path).warnings[0]
    assert (failure.row, failure.line) == (2, 3)


def test_a_suite_of_an_earlier_version_is_moved_out_of_the_repository(project):
    path = write(project / "customers.csv", ROWS)
    old = project / "expectations" / "customers.json"
    validate_file(path, suite_path=old, range_margin=0.0)
    write(path, {**ROWS, "age": [30, 40, 35, 36, 51]})
    assert not validate_file(path).passed
    assert not old.exists()
    assert suite_path_of("customers").is_file()


def test_a_suite_of_the_catalogue_is_not_that_of_a_file_of_the_same_name(project):
    path = write(project / "glass0.csv", ROWS)
    kept = project / "expectations" / "glass0.json"
    kept.parent.mkdir()
    kept.write_bytes((SUITES / kept.name).read_bytes())
    assert validate_file(path).passed
    assert kept.read_bytes() == (SUITES / kept.name).read_bytes()


def test_suites_lie_next_to_data_dvc_or_in_the_working_folder(project, monkeypatch):
    assert expectations_folder() == project / "expectations"
    (project / "data.dvc").touch()
    (project / "deep").mkdir()
    monkeypatch.chdir(project / "deep")
    assert expectations_folder() == project / "expectations"
