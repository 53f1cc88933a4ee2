"""The file of results: lines come one by one, and a killed process costs the last one at most."""

from __future__ import annotations

import pytest

from benchmarks.peers.results import COLUMNS, Job, Line, appending, read_lines
from smoothrank.errors import SmoothrankError

FIRST = Line("glass0", 10, "svm", 0.867284, 0.86, None, 81, 0.15)
SECOND = Line("glass0", 10, "random-forest", 0.95, None, 0.08, 10171, 2.5)


@pytest.fixture
def path(tmp_path):
    place = tmp_path / "new folder" / "results.csv"
    with appending(place) as results:
        results.add(FIRST)
    return place


def test_lines_come_back_as_they_were_written(path):
    with appending(path) as results:
        assert results.lines == [FIRST]
        results.add(SECOND)
        assert read_lines(path) == [FIRST, SECOND]
    assert path.read_text().splitlines()[0] == ",".join(COLUMNS)
    assert path.read_text().count("dataset") == 1
    assert SECOND.job == Job("glass0", 10, "random-forest")


@pytest.mark.parametrize("rest", ["glass0,10,random-fo", "glass0,10,rf,0.95,,0.08,10171,2.5", "\0"])
def test_a_damaged_last_line_is_set_aside(path, rest):
    whole = path.read_bytes()
    path.write_bytes(whole + rest.encode())
    assert read_lines(path) == [FIRST]
    with appending(path) as results:
        assert results.lines == [FIRST]
        assert path.read_bytes() == whole
        results.add(SECOND)
    assert read_lines(path) == [FIRST, SECOND]
    assert path.with_name("results.csv.damaged").read_text() == f"{rest}\n"


def test_half_a_head_is_written_anew(path):
    path.write_bytes(b"dataset,see")
    with appending(path) as results:
        results.add(FIRST)
    assert read_lines(path) == [FIRST]


def test_a_damaged_line_in_the_middle_is_named(path):
    path.write_bytes(path.read_bytes() + b"nonsense\n" + b"glass0,10,a,1,1,1,1,1\n")
    with pytest.raises(SmoothrankError, match="line 3 is no result"):
        read_lines(path)


def test_another_file_is_left_alone(tmp_path):
    thesis = tmp_path / "thesis.csv"
    thesis.write_text("years,of,work\n")
    with pytest.raises(SmoothrankError, match="something else"), appending(thesis):
        pass
    assert thesis.read_text() == "years,of,work\n"


def test_two_at_once_are_refused(path):
    with (
        appending(path),
        pytest.raises(SmoothrankError, match="another process"),
        appending(path),
    ):
        pass


def test_without_a_file_there_are_no_lines(tmp_path):
    assert read_lines(tmp_path / "nothing.csv") == []
