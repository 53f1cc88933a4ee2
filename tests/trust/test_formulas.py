"""CSV files that a spreadsheet may open: texts are no formulas, numbers stay numbers."""

from __future__ import annotations

import pandas as pd
import pytest

from smoothrank.datasets.files.formulas import harmless
from tasks.steps.predict import ScoringOptions, score_file
from tests.support.trust.scoring import model_of_buyers, write_rows

FORMULAS = ["=1+1", "=cmd|' /C calc'!A0", "+SUM(A1)", "-A1", "@now", "\t=1", "-2+3", "+1a", "-1e5x"]
NUMBERS = ["-5", "+3", "-1.5e-3", "-1,5", "-1.234,5", "-1'000", "+.5", "-12 %", "-1 234", "-inf"]
OTHERS = ["", "a=1", "-", "--", "+", "?", "1-2", "a@b", "'=1"]


def test_only_texts_that_are_formulas_are_changed():
    frame = pd.DataFrame({"=f": [*FORMULAS, *NUMBERS, *OTHERS], "n": -1.5})
    found = harmless(frame)
    assert list(found.columns) == ["'=f", "n"]
    expected = [*(f"'{text}" for text in FORMULAS), *NUMBERS, *OTHERS]
    assert found["'=f"].tolist() == expected
    assert found["n"].tolist() == frame["n"].tolist()


def test_missing_values_and_other_objects_stay():
    frame = pd.DataFrame({"a": pd.Series(["=1", None, 5, -2.5], dtype=object), "b": ["x"] * 4})
    assert harmless(frame)["a"].tolist()[0] == "'=1"
    assert harmless(frame)["a"].isna().tolist() == [False, True, False, False]
    assert harmless(frame)["a"].tolist()[2:] == [5, -2.5]
    twice = pd.DataFrame([["=1", "=2"]], columns=["a", "a"])
    assert harmless(twice).to_numpy().tolist() == [["'=1", "'=2"]]


@pytest.mark.parametrize(("ending", "sep"), [("csv", ","), ("tsv", "\t")])
def test_scores_that_are_written(tmp_path, ending, sep):
    model = model_of_buyers()
    path = write_rows(tmp_path, "age,city,income,=who\n30,=1+1,-5,@me\n40,Bern,10,you\n")
    out = tmp_path / f"out.{ending}"
    score_file(model, path, out)
    found = pd.read_csv(out, sep=sep, dtype=str)
    assert found.iloc[0, :4].tolist() == ["30", "'=1+1", "-5", "'@me"]
    assert found.columns[3] == "'=who"
    assert found["score"].astype(float).notna().all()
    assert "=1+1" in found["note"][0]
    score_file(model, path, out, ScoringOptions(as_written=True))
    assert pd.read_csv(out, sep=sep, dtype=str).iloc[0, :4].tolist() == ["30", "=1+1", "-5", "@me"]
