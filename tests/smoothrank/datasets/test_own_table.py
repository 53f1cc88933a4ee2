from __future__ import annotations

import numpy as np
import pandas as pd
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from smoothrank.datasets import load_file, write_keel
from smoothrank.datasets.errors import DatasetError, TableFormatError
from smoothrank.datasets.keel.reader import parse_keel
from tests.support.generated import assert_equal

CSV = "age,city,income,bought\n30,Bonn,1.5,no\n41,Köln,,no\n?,Bonn,2.5,yes\n"


@pytest.fixture
def write(tmp_path):
    def write(contents: str | bytes, name: str = "shop.csv"):
        path = tmp_path / name
        path.write_bytes(contents.encode() if isinstance(contents, str) else contents)
        return path

    return write


def test_a_csv_file_is_a_data_set(write):
    shop = load_file(write(CSV))
    assert shop.name == "shop"
    assert shop.y.tolist() == [-1, -1, 1]
    assert shop.schema.positive == "yes"
    assert [(a.name, a.kind, a.nullable) for a in shop.schema.attributes] == [
        ("age", "real", True),
        ("city", "nominal", False),
        ("income", "real", True),
    ]
    assert shop.schema.attributes[1].levels == ("Bonn", "Köln")
    assert len(shop.checksum) == 64
    assert_equal(parse_keel(write_keel(shop).encode()), shop)


@pytest.mark.parametrize("separator", [";", "\t"])
def test_other_separators_marks_and_line_ends(write, separator):
    text = "\ufeff" + CSV.replace(",", separator).replace("\n", "\r\n")
    assert_equal(load_file(write(text)), load_file(write(CSV)))


def test_parquet_and_csv_give_the_same(write, tmp_path):
    frame = pd.DataFrame({"a": [1, 2, 3], "b": ["x", None, "y"], "y": [0.0, 1.0, 0.0]})
    frame.to_parquet(tmp_path / "t.parquet")
    frame.to_csv(tmp_path / "t.csv", index=False)
    from_parquet = load_file(tmp_path / "t.parquet")
    assert_equal(from_parquet, load_file(tmp_path / "t.csv"))
    assert from_parquet.X["a"].dtype == np.int64
    assert from_parquet.schema.target.levels == ("0", "1")


@pytest.mark.parametrize(
    "values",
    [
        ["9223372036854775809", "1"],
        ["9223372036854775809", "-1"],
        ["1000000000000000000000000000000", "5"],
        ["1000000000000000000000000000000", "1.5"],
        ["1000000000000000000000000000000", "?", "-2"],
        ["9223372036854775809", "?", "-2"],
    ],
)
def test_numbers_beyond_int64_are_reals(write, values):
    rows = [f"{value},{label}" for value, label in zip(values, "noo", strict=False)]
    column = load_file(write("\n".join(["a,y", *rows])), "y").X["a"]
    assert column.dtype == np.float64
    expected = [np.nan if value == "?" else float(value) for value in values]
    np.testing.assert_array_equal(column, expected)


def test_unsigned_numbers_that_fit_are_integers(tmp_path):
    frame = pd.DataFrame({"a": np.array([1, 2**63 - 1], dtype=np.uint64), "y": ["n", "o"]})
    frame.to_parquet(tmp_path / "t.parquet")
    column = load_file(tmp_path / "t.parquet", "y").X["a"]
    assert column.dtype == np.int64
    assert column.tolist() == [1, 2**63 - 1]


def test_target_and_positive_can_be_named(write):
    path = write("a,b,c\n0,x,1\n1,y,2\n0,x,3\n")
    named = load_file(path, target="a", positive=0)
    assert named.y.tolist() == [1, -1, 1]
    assert list(named.X.columns) == ["b", "c"]


@pytest.mark.parametrize(
    ("header", "target"),
    [
        ("a,b,c", "c"),
        ("Class,b,c", "Class"),
        ("y,b,class", None),
        ("a,target,c", "target"),
        ("a,y,label", None),
    ],
)
def test_the_target_is_inferred_or_asked_for(write, header, target):
    path = write(f"{header}\n0,x,1\n1,z,2\n0,x,2\n")
    if target is None:
        with pytest.raises(TableFormatError, match=r"which column is the target.*: one of 'y', '"):
            load_file(path)
    else:
        assert load_file(path).schema.target.name == target


def test_the_only_column_of_two_values_is_the_target(write):
    assert load_file(write("a,sick,b\n1,0,x\n2,1,y\n3,0,z\n")).schema.target.name == "sick"
    with pytest.raises(TableFormatError, match=r"which column is the target.*: one of 'sick'"):
        load_file(write("Class,sick,b\n1,0,x\n2,1,y\n3,0,z\n"))
    with pytest.raises(TableFormatError, match=r"which column is the target.*: one of 'a', 'b'"):
        load_file(write("a,b,c\n1,0,x\n2,1,y\n1,0,z\n"))


@pytest.mark.parametrize("header", ["flag,b,sick", "flag,sick,b", "b,flag,Class"])
def test_the_column_of_a_single_class_is_named_with_its_value(write, header):
    values = {"flag": ["0", "1", "0"], "b": ["1", "2", "3"]}
    names = header.split(",")
    columns = [values.get(name, ["no"] * 3) for name in names]
    path = write("\n".join([header, *map(",".join, zip(*columns, strict=True))]))
    if names[-1] == "b":  # nothing says that the constant column was to be the target
        assert load_file(path).schema.target.name == "flag"
        return
    with pytest.raises(TableFormatError, match=rf"every row has the value 'no' in '{names[-1]}'"):
        load_file(path)


@pytest.mark.parametrize(
    ("text", "arguments"),
    [
        ("a,b,c\n1,0,x\n2,1,y\n1,0,z\n", {}),
        ("a,y\n1,0\n2,0\n", {}),
        ("a,y\n1,0\n2,1\n3,2\n", {"target": "y"}),
        ("a,y\n1,0\n2,1\n", {"positive": 2}),
    ],
)
def test_the_advice_is_right_in_python_and_on_the_command_line(write, text, arguments):
    with pytest.raises(TableFormatError, match=r"target=… .*in Python, --target .*command line"):
        load_file(write(text), **arguments)


def test_blanks_around_texts_go(write):
    padded = CSV.replace("Bonn", "  Bonn ").replace("no\n", "no \n").replace("?", " ? ")
    assert_equal(load_file(write(padded)), load_file(write(CSV)))


def test_true_and_false_may_be_missing(write):
    column = load_file(write("a,y\nTrue,0\nFalse,1\n?,1\n"), "y").X["a"]
    assert column.fillna("missing").tolist() == ["True", "False", "missing"]


def test_tabs_separate_a_tsv_file(write):
    path = write("a,b;c\ty\n1\tn\n2\to\n", "t.tsv")
    assert list(load_file(path).X.columns) == ["a,b;c"]


@pytest.mark.parametrize("encoding", ["utf-16-le", "utf-16-be"])
@pytest.mark.parametrize("mark", ["", "\ufeff"])
def test_utf_16_is_read_and_said(write, encoding, mark):
    shop = load_file(write((mark + CSV).encode(encoding)))
    assert_equal(shop, load_file(write(CSV)))
    assert shop.notes == ("read with encoding UTF-16",)


@pytest.mark.parametrize(
    ("text", "arguments", "message"),
    [
        ("", {}, "is empty"),
        ("a,b\n", {}, "has no rows"),
        ("a\n1\n", {}, "has one column"),
        ("a,a,y\n1,2,0\n", {}, "line 1: there are two columns 'a'"),
        ("a,y\n1,0\n2,1\n3,2\n", {}, "which column is the target"),
        ("a,y\n1,0\n2,1\n3,2\n", {"target": "y"}, "has 3 classes"),
        ("a,y\n1,0\n2,1\n", {"target": "z"}, "has no column 'z'; it has 'a', 'y'"),
        ("a,y\n1,0\n2,1\n", {"positive": 2}, "no class '2' in target 'y': it has '0', '1'"),
        ("a,y\n1,\n2,\n", {"target": "y"}, "no row has a value in the target 'y'"),
        ("a,y\n1,0\n2,1,5\n", {}, "line 3: 3 values where the first line has 2 columns"),
        ("a,b,y\n1,0\n2,1,5\n", {}, "line 2: 2 values where the first line has 3 columns"),
        ("a,y\ninf,0\n2,1\n", {}, "column 'a' has an infinite value"),
        (f"a,y\n{10**400},0\n2,1\n", {}, "column 'a' has a"),
    ],
)
def test_what_is_wrong_is_named(write, text, arguments, message):
    with pytest.raises(TableFormatError, match=message):
        load_file(write(text), **arguments)


def test_other_files_are_named(write, tmp_path):
    with pytest.raises(DatasetError, match=r"there is no file .*no\.csv"):
        load_file(tmp_path / "no.csv")
    with pytest.raises(DatasetError, match=r"expected a \.csv, \.tsv, \.parquet, .* or \.dat"):
        load_file(write("a", "model.pkl"))
    with pytest.raises(DatasetError, match="as Parquet"):
        load_file(write("a", "a.parquet"))


def test_what_parquet_has_beyond_numbers_and_texts(tmp_path):
    days = pd.to_datetime(["2020-01-01", "2020-01-02"])
    frame = pd.DataFrame({"d": days, "z": days.tz_localize("Europe/Berlin"), "l": [[1], [1, 2]]})
    frame.assign(y=[0, 1]).to_parquet(tmp_path / "d.parquet")
    data = load_file(tmp_path / "d.parquet")
    assert data.X["d"].tolist() == days.tolist()
    assert data.X["z"][0] == pd.Timestamp("2019-12-31 23:00")
    assert data.X["l"].tolist() == ["[1]", "[1, 2]"]
    assert [attribute.kind for attribute in data.schema.attributes] == ["date", "date", "nominal"]
    assert "column 'l' holds list<element: int64>; its values are taken as texts" in data.notes


@given(st.binary(max_size=200) | st.text("ab01,;\n\"'?", max_size=80).map(str.encode))
@settings(max_examples=300, deadline=None)
@pytest.mark.parametrize("ending", [".csv", ".parquet"])
def test_any_bytes_give_a_data_set_or_the_named_error(tmp_path_factory, ending, contents):
    path = tmp_path_factory.getbasetemp() / f"fuzz{ending}"
    path.write_bytes(contents)
    try:
        dataset = load_file(path)
    except DatasetError:
        return
    assert set(dataset.y) <= {1, -1}
