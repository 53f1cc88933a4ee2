"""No number becomes a level in silence: a note names the cells that are in the way."""

from __future__ import annotations

import pandas as pd
import pytest

from smoothrank.datasets import load_file
from tests.support.trust.scoring import write_rows

NUMBERS = [str(n) for n in range(1, 31)]


def read(tmp_path, cells, sep=";"):
    rows = [f"{cell}{sep}{'yes' if n % 3 else 'no'}" for n, cell in enumerate(cells)]
    return load_file(write_rows(tmp_path, "\n".join([f"a{sep}y", *rows]) + "\n"), "y")


def one_bad(text, numbers=NUMBERS):
    return [*numbers[:-1], text]


COLUMNS = {
    "one bad cell": one_bad("oops"),
    "one bad cell of few": one_bad("oops", NUMBERS[:6]),
    "a unit": one_bad("12 kg"),
    "a letter for a digit": one_bad("1O"),
    "two points": one_bad("1.2.3"),
    "a currency": one_bad("€5"),
    "both marks": ["1,5", "2.5"] * 15,
    "mostly commas": ["1,5"] * 20 + ["2.5"] * 10,
    "units in a third": ["12 kg", *NUMBERS[:2]] * 10,
    "ranges": ["1-2", "3", "4", "5"] * 8,
    "a word that recurs": ["unset", "1", "2", "3"] * 8,
    "less than": [f"{n}.5" for n in range(25)] + ["<5"] * 5,
    "decimal commas": [f"{n},5" for n in range(30)],
    "thousands": [f"{n}.000,5" for n in range(1, 31)],
    "percent": [f"{n} %" for n in range(30)],
    "few numbers": ["low", "middle", "high", "5"] * 8,
    "one number": ["low", "middle"] * 14 + ["7"],
    "numbers with units, some without": ["12 kg", "13 kg", "14"] * 10,
}


@pytest.mark.parametrize("name", COLUMNS)
def test_numbers_are_numbers_or_it_is_said(tmp_path, name):
    cells = COLUMNS[name]
    data = read(tmp_path, cells)
    plain = sum(cell.lstrip("-").replace(".", "", 1).isdigit() for cell in cells)
    if pd.api.types.is_numeric_dtype(data.X["a"]):
        lost = int(data.X["a"].isna().sum())
        assert lost == 0 or any("taken as missing" in note for note in data.notes)
    elif plain:
        assert any("yet all are taken as levels" in note for note in data.notes)


def test_the_note_names_the_cells_and_their_lines(tmp_path):
    data = read(tmp_path, one_bad("oops", NUMBERS[:6]))
    assert (
        "column 'a': 5 of 6 cells are numbers, yet all are taken as levels, because others are "
        "not: 'oops' (line 7)"
    ) in data.notes


def test_where_numbers_are_few_the_note_names_them(tmp_path):
    data = read(tmp_path, COLUMNS["few numbers"])
    assert (
        "column 'a': 8 of 32 cells are numbers, yet all are taken as levels, such as '5' (line 5)"
    ) in data.notes


def test_levels_that_are_no_numbers_are_not_worth_a_note(tmp_path):
    assert not any("levels" in note for note in read(tmp_path, ["A1", "B2", "C3"] * 10).notes)
