"""Lines of the benchmark: written, read again, and as every machine writes them."""

import math
from dataclasses import replace

import pytest

from smoothrank.errors import SmoothrankError
from smoothrank.selection.experiment import ExperimentResult
from tasks.benchmark.experiment import Measured
from tasks.benchmark.lines import Line, make_line, read_lines, without_clock, write_lines
from tasks.problem.problem import make_problem
from tasks.problem.source import fetch_source
from tasks.project.config import Params

LINE = Line("b", "l1", "paper", 0.5, "none", 0.91, 0.875, 7, 1.2e-6, 9.3e-5, 3.5)


def test_lines_are_read_as_they_were_written_in_order(tmp_path):
    lines = [LINE, replace(LINE, dataset="a", seconds=None), replace(LINE, method="a")]
    write_lines(lines, tmp_path / "of" / "lines.csv")
    assert read_lines(tmp_path / "of" / "lines.csv") == [lines[2], lines[1], lines[0]]


def test_no_file_has_no_lines(tmp_path):
    assert read_lines(tmp_path / "none.csv") == []


@pytest.mark.parametrize("text", ["name,age\nada,36\n", "name,age\n", '{"split": 1}', ""])
def test_another_file_is_refused_and_left_alone(text, tmp_path):
    path = tmp_path / "other.csv"
    path.write_text(text)
    with pytest.raises(SmoothrankError, match="something other than benchmark results"):
        read_lines(path)
    assert path.read_text() == text


@pytest.mark.parametrize(
    ("gap", "expected"), [(0.0, 1e-6), (2e-16, 1e-6), (1e-6, 1e-6), (1.2e-6, 1e-5), (9e-5, 1e-4)]
)
def test_what_every_machine_writes(gap, expected):
    line = without_clock(replace(LINE, gap=gap, worst_gap=10 * gap))
    assert line.gap == expected
    assert line.worst_gap == without_clock(replace(LINE, gap=10 * gap)).gap
    assert line.seconds is None
    assert (line.test_auc, line.features_used) == (LINE.test_auc, LINE.features_used)


def test_a_gap_that_is_not_known_stays_so():
    assert math.isnan(without_clock(replace(LINE, gap=math.nan)).gap)


def test_the_line_of_a_result():
    problem = make_problem(fetch_source("zoo-3", None, None), "l1", "paper", Params())
    result = ExperimentResult(0.5, None, 0.91, 0.1, {}, 0.87500049, 7, 1.23e-6, 9.29e-5)
    assert make_line(problem, Measured(result, 3.46)) == replace(LINE, dataset="zoo-3")
