"""The file that says which rows train, validate and test."""

import json
from dataclasses import replace

import pytest

from smoothrank.errors import SmoothrankError
from smoothrank.selection.splits import paper_parts
from tasks.benchmark.parts import make_parts, parts_of, read_parts, write_parts
from tasks.problem.problem import load_data, make_problem
from tasks.problem.source import fetch_source
from tasks.project.config import Params


@pytest.fixture
def problem():
    return make_problem(fetch_source("zoo-3", None, None), "smooth", "paper", Params())


def test_parts_are_the_papers_and_are_read_as_they_were_written(problem, tmp_path):
    parts = make_parts(problem)
    assert parts == paper_parts(load_data(problem).y)
    write_parts({"zoo-3": parts}, tmp_path / "splits.json")
    known = read_parts(tmp_path / "splits.json")
    assert known == {"zoo-3": parts}
    assert parts_of(problem, known) == parts
    assert parts_of(problem, None) == parts


def test_the_file_decides(problem, tmp_path):
    parts = make_parts(problem)
    other = {"zoo-3": {"train": parts.test, "test": parts.train, "folds": [[0], [1]]}}
    (tmp_path / "splits.json").write_text(json.dumps(other))
    assert parts_of(problem, read_parts(tmp_path / "splits.json")).train == parts.test


def test_wrong_files_are_named(problem, tmp_path):
    path = tmp_path / "splits.json"
    with pytest.raises(SmoothrankError, match=r"no .*splits.json; `smoothrank split` writes it"):
        read_parts(path)
    path.write_text('{"zoo-3": [1, 2]}')
    with pytest.raises(SmoothrankError, match="does not hold the parts"):
        read_parts(path)
    with pytest.raises(SmoothrankError, match="lacks zoo-3"):
        parts_of(problem, {})


def test_parts_of_other_rows_are_refused(problem):
    parts = make_parts(problem)
    one_less, one_twice = parts.train[1:], (parts.test[0], *parts.train[1:])
    for train in (one_less, one_twice):
        with pytest.raises(SmoothrankError, match="made for other rows"):
            parts_of(problem, {"zoo-3": replace(parts, train=train)})


def test_a_fold_of_rows_that_are_not_there_is_refused(problem):
    parts = make_parts(problem)
    beyond = replace(parts, folds=((0,), (len(parts.train),)))
    with pytest.raises(SmoothrankError, match="made for other rows"):
        parts_of(problem, {"zoo-3": beyond})
