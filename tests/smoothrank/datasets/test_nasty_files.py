"""Files as users have them, and what is made of them."""

from __future__ import annotations

import numpy as np
import pandas as pd
import pytest

from smoothrank.datasets import load_file
from smoothrank.datasets.new_rows import load_rows
from smoothrank.datasets.options import ReadOptions
from smoothrank.tables.encoder import TableEncoder

ROWS = 500


@pytest.fixture
def write(tmp_path):
    def write(contents: str | bytes, name: str = "own.csv"):
        path = tmp_path / name
        path.write_bytes(contents.encode() if isinstance(contents, str) else contents)
        return path

    return write


def lines(*rows: str) -> str:
    return "\n".join(rows) + "\n"


GERMAN = lines(
    "Größe;Preis;Datum;kauft",
    "1,5;1.234,50;31.12.2024;ja",
    "2,25;12,00;01.02.2024;nein",
    "3,0;1.000.234,00;05.06.2024;nein",
).encode("latin-1")


def test_a_german_export(write):
    data = load_file(write(GERMAN))
    assert data.X["Größe"].tolist() == [1.5, 2.25, 3.0]
    assert data.X["Preis"].tolist() == [1234.5, 12.0, 1000234.0]
    assert data.X["Datum"].tolist()[2] == pd.Timestamp("2024-06-05")
    assert data.notes == (
        "read with separator ';', encoding Windows-1252 (Latin-1), decimal comma, "
        "thousands mark '.'",
        "dates (%d.%m.%Y): 'Datum'",
    )


@pytest.mark.parametrize(
    ("text", "values", "said"),
    [
        # What the coefficients mean follows from the column, then from the file's other columns.
        ("a;y\n1,5;0\n2,25;1\n", [1.5, 2.25], ["decimal comma"]),
        ('a,y\n"1,234.5",0\n"2,000.0",1\n', [1234.5, 2000.0], ["thousands mark ','"]),
        ("a;y\n1 234,5;0\n12,5;1\n", [1234.5, 12.5], ["decimal comma, thousands mark space"]),
        ("a;y\n1\u00a0234,5;0\n1\u202f000;1\n", [1234.5, 1000], ["thousands mark space"]),
        ("a;y\n1'234.5;0\n12.5;1\n", [1234.5, 12.5], ["thousands mark apostrophe"]),
        ("a;b;y\n1.234;1,5;0\n2.345;2,5;1\n", [1234, 2345], ["thousands mark '.'"]),
        ('a,b,y\n"1,234",1.5,0\n"2,345",2.5,1\n', [1234, 2345], ["thousands mark ','"]),
        ("a,b,y\n1.234,1.5,0\n2.345,2.5,1\n", [1.234, 2.345], []),
        # Where nothing decides, the choice is said, with the option that makes the other.
        ("a;y\n1,234;0\n2,345;1\n", [1.234, 2.345], ["--thousands , reads it as 1234"]),
        ('a,y\n"1,234",0\n"2,345",1\n', [1234, 2345], ["--decimal , reads it as 1.234"]),
        ("a,y\n1.234,0\n2.345,1\n", [1.234, 2.345], ["--thousands . reads it as 1234"]),
        ("a,y\n1.000,0\n2.000,1\n", [1, 2], ["--thousands . reads it as 1000"]),
        # A leading zero or another number of digits leaves no doubt.
        ("a,y\n0.234,0\n2.345,1\n", [0.234, 2.345], []),
        ("a;y\n0,234;0\n2,345;1\n", [0.234, 2.345], ["decimal comma"]),
        ("a,y\n1.5e-3,0\n2E+3,1\n", [0.0015, 2000], []),
        ("a;y\n1,5E-3;0\n2,5E+3;1\n", [0.0015, 2500], ["decimal comma"]),
    ],
)
def test_marks_of_numbers(write, text, values, said):
    data = load_file(write(text), "y")
    assert data.X["a"].tolist() == values
    assert bool(data.notes) == bool(said or ";" in text)
    for part in said:
        assert any(part in note for note in data.notes)


def test_options_override_what_is_recognised(write):
    doubtful = write("a;y\n1,234;0\n2,345;1\n")
    assert load_file(doubtful, read=ReadOptions(thousands=",")).X["a"].tolist() == [1234, 2345]
    assert load_file(doubtful, read=ReadOptions(decimal=",")).X["a"].tolist() == [1.234, 2.345]
    points = write("a;y\n1.234;0\n2.345;1\n")
    assert load_file(points, read=ReadOptions(thousands=".")).X["a"].tolist() == [1234, 2345]
    assert load_file(points, read=ReadOptions(decimal=",")).X["a"].tolist() == [1234, 2345]
    piped = write("a|b;y\n1;2|3;0\n")
    assert list(load_rows(piped, ["a", "b;y"], ReadOptions(sep="|")).columns) == ["a", "b;y"]
    days = write("a,y\n20240131,0\n20240201,1\n")
    read = load_file(days, read=ReadOptions(date_format="%Y%m%d"))
    assert read.X["a"].tolist() == [pd.Timestamp("2024-01-31"), pd.Timestamp("2024-02-01")]
    greek = write("α;y\n1;0\n2;1\n".encode("iso-8859-7"))
    assert list(load_file(greek, read=ReadOptions(encoding="iso-8859-7")).X.columns) == ["α"]


@pytest.mark.parametrize(
    ("cells", "form", "first"),
    [
        (["2024-01-31", "2024-02-01"], "ISO 8601", "2024-01-31"),
        (["2013-01-01 05:00:00", "2013-01-01T06:30"], "ISO 8601", "2013-01-01 05:00"),
        (["2024-01-31T10:00:00+02:00", "2024-01-31T10:00Z"], "ISO 8601", "2024-01-31 08:00"),
        (["31.12.2024 10:15", "1.2.2024 09:00"], "%d.%m.%Y %H:%M", "2024-12-31 10:15"),
        (["31/12/2024", "1/2/2024"], "%d/%m/%Y", "2024-12-31"),
        (["12/31/2024", "1/2/2024"], "%m/%d/%Y", "2024-12-31"),
        (["1/31/24", "2/1/24"], "%m/%d/%y", "2024-01-31"),
        (["1/31/2024 3:45 PM", "2/1/2024 11:00 AM"], "%m/%d/%Y %I:%M %p", "2024-01-31 15:45"),
        (["31-Jan-2024", "01-Feb-2024"], "%d-%b-%Y", "2024-01-31"),
        (["January 31, 2024", "February 1, 2024"], "%B %d, %Y", "2024-01-31"),
    ],
)
def test_dates(write, cells, form, first):
    rows = [f'"{cell}",{i % 2}' for i, cell in enumerate(cells)]
    data = load_file(write(lines("when,y", *rows)), "y")
    assert data.X["when"].dtype == np.dtype("datetime64[us]")
    assert data.X["when"][0] == pd.Timestamp(first)
    assert f"dates ({form}): 'when'" in data.notes


def test_dates_of_either_order_follow_the_others_or_are_said(write):
    alone = load_file(write("d,y\n1/2/2024,0\n3/4/2024,1\n"), "y")
    assert alone.X["d"][0] == pd.Timestamp("2024-01-02")
    assert '--date-format "%d/%m/%Y" takes the other' in alone.notes[-1]
    beside = load_file(write("d,e,y\n1/2/2024,31/1/2024,0\n3/4/2024,1/1/2024,1\n"), "y")
    assert beside.X["d"][0] == pd.Timestamp("2024-02-01")
    assert beside.notes == ("dates (%d/%m/%Y): 'd', 'e'",)


def numbers_with(*odd: str) -> str:
    cells = [*odd, *(f"{i * 1.37:.2f}" for i in range(ROWS - len(odd)))]
    return lines("a,y", *(f"{cell},{i % 2}" for i, cell in enumerate(cells)))


@pytest.mark.parametrize("odd", ["n.a.", "-", "#N/A", "none", "k.A.", "12x", "siehe oben"])
def test_one_odd_cell_does_not_make_a_column_of_numbers_text(write, odd):
    data = load_file(write(numbers_with("1.5", odd)), "y")
    assert data.X["a"].dtype == np.float64
    assert np.isnan(data.X["a"][1])
    assert data.notes == (f"column 'a': 1 cell is not numbers, taken as missing: {odd!r} (line 3)",)


def test_a_few_odd_cells_are_counted_and_named(write):
    data = load_file(write(numbers_with("many", "1.5", "few", "some", "n.a.", "many")), "y")
    assert int(data.X["a"].isna().sum()) == 5
    assert data.notes == (
        "column 'a': 5 cells are not numbers, taken as missing: "
        "'many' (line 2), 'few' (line 4), 'some' (line 5), …",
    )


def test_too_many_odd_cells_do(write):
    odd = [f"word {i}" for i in range(ROWS // 10)]
    assert load_file(write(numbers_with(*odd)), "y").X["a"].dtype == "str"


@pytest.mark.parametrize(
    ("cells", "kind"),
    [
        ([*(f"5363{i:02d}" for i in range(99)), "C536379"], "str"),  # invoices, one cancelled
        ([*(str(i % 3) for i in range(98)), "3+", "3+"], "str"),  # a level of its own
        ([*(str(i) for i in range(99)), "45k"], "float64"),
        ([*(str(i) for i in range(9)), "x"], "float64"),
        (["1", "2", "3", "x"], "str"),
    ],
)
def test_codes_and_levels_stay_texts(write, cells, kind):
    rows = [f"{cell},{i % 2}" for i, cell in enumerate(cells)]
    assert load_file(write(lines("a,y", *rows)), "y").X["a"].dtype == kind


def test_only_what_clearly_means_missing_is_missing_among_texts(write):
    text = lines("a,b,c,y", "red,none,+,0", "n.a.,NA,-,1", "blue,Yes,0,0", "-,No,+,1")
    data = load_file(write(text), "y")
    assert data.X["a"].isna().tolist() == [False, True, False, True]
    assert data.X["b"].isna().tolist() == [False, True, False, False]
    assert data.X["c"].tolist() == ["+", "-", "0", "+"]
    assert data.notes == (
        "column 'a': 2 cells are not values, taken as missing: 'n.a.' (line 3), '-' (line 5)",
        "column 'c': 1 of 3 cells are numbers, yet all are taken as levels, such as '0' (line 4)",
    )


@pytest.mark.parametrize(
    ("text", "names"),
    [
        (pd.DataFrame({"a": [5, 6], "y": [0, 1]}).to_csv(), ["Unnamed: 0", "a"]),
        (",Unnamed: 0,a,y\n0,0,5,0\n1,1,6,1\n", ["Unnamed: 0.1", "Unnamed: 0", "a"]),
        ("a,y,\n5,0,\n6,1,\n", ["a"]),
        ("sep=;\na;y\n5;0\n6;1\n", ["a"]),
        ('"a";"b, c";"y"\n5;6;0\n6;7;1\n', ["a", "b, c"]),
        ("\n\na,y\n\n5,0\n \n6,1\n\n", ["a"]),
        ("a,y\r5,0\r6,1\r", ["a"]),
    ],
)
def test_headers(write, text, names):
    data = load_file(write(text), "y")
    assert list(data.X.columns) == names
    assert data.X["a"].tolist() == [5, 6]


def test_the_index_of_several_frames_written_together_is_left_out(write):
    frame = pd.DataFrame({"a": np.arange(30) ** 2, "y": [0, 1] * 15})
    data = load_file(write(pd.concat([frame, frame]).to_csv()), "y")
    (left_out,) = TableEncoder().fit(data.X).left_out
    assert left_out.name == "Unnamed: 0"


def test_a_row_without_a_target_is_left_out_and_counted(write):
    data = load_file(write("a,y\n1,no\n2,\n3,yes\n4,n/a\n5,no\n"))
    assert data.X["a"].tolist() == [1, 3, 5]
    assert data.y.tolist() == [-1, 1, -1]
    assert data.notes == ("2 rows have no value in the target 'y', left out",)


def test_of_many_labels_one_is_positive_and_the_rest_negative(write):
    path = write("a,kind\n1,setosa\n2,virginica\n3,versicolor\n4,setosa\n")
    data = load_file(path, "kind", "setosa")
    assert data.y.tolist() == [1, -1, -1, 1]
    assert data.schema.target.levels == ("not setosa", "setosa")
    assert data.notes == (
        "target 'kind': 'setosa' is positive, all others are negative: 'versicolor', 'virginica'",
    )
    assert load_file(path, positive="setosa").schema.target.name == "kind"
    message = r"3 classes \('setosa', 'versicolor', 'virginica'\).* --target and --positive on"
    with pytest.raises(ValueError, match=message):
        load_file(path, "kind")
    two = write("a,kind\n1,setosa\n2,virginica\n")
    assert load_file(two, "kind", "setosa").schema.target.levels == ("setosa", "virginica")
    again = load_file(two, "kind", "setosa", negative="not setosa")
    assert again.schema.target.levels == ("not setosa", "setosa")


def test_rows_to_score_are_read_alike_and_other_columns_may_be_anything(write):
    load = load_rows(write("a;a;b;c\n1;2;1,5;01\n3;4;2,5;02\n"), ["b", "c", "z"], as_text=["c"])
    assert load.to_dict("list") == {"b": [1.5, 2.5], "c": ["01", "02"]}


def test_ten_thousand_columns_are_read_in_seconds(write):
    names = [f"c{i}" for i in range(10_000)]
    rng = np.random.default_rng(0)
    rows = [",".join(map(repr, rng.normal(size=10_000).tolist())) + f",{i % 2}" for i in range(40)]
    data = load_file(write(lines(",".join([*names, "y"]), *rows)), "y")
    assert data.X.shape == (40, 10_000)
    assert data.notes == ()
