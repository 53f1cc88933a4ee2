"""How often a user's file is parsed: once for a retraining, once for a prediction."""

import pytest

from smoothrank.datasets.files import read_table
from smoothrank.persistence.model_file import load_tabular_model
from tasks.preflight.job_count import jobs_worth_starting
from tasks.preflight.refusals import check_readable
from tasks.problem.problem import load_data, make_problem
from tasks.problem.source import fetch_source
from tasks.project.config import Params
from tasks.steps.predict import score_file
from tasks.steps.refit import refit
from tasks.steps.split import split
from tasks.steps.validate import validate_source, with_known_target
from tests.support.chosen import chosen_by_hand
from tests.support.project import table, write


@pytest.fixture
def home(tmp_path, monkeypatch):
    monkeypatch.setenv("SMOOTHRANK_HOME", str(tmp_path))
    return tmp_path


@pytest.fixture
def parsed(monkeypatch):
    """The files that were parsed, in order."""
    found, original = [], read_table.read_written

    def read(path, *options):
        found.append(path.name)
        return original(path, *options)

    monkeypatch.setattr(read_table, "read_written", read)
    return found


def retrain(path):
    """Take the steps of a retraining that look at the file."""
    source = fetch_source(path, "y", "rare")
    check_readable(source)

    def problem():
        return make_problem(with_known_target(source), "l1", "honest", Params(), stable=True)

    jobs_worth_starting(problem(), 1)
    validate_source(source)
    known = problem()
    split(known)
    load_data(known)
    return known


def test_a_file_that_has_a_suite_is_parsed_once(home, parsed):
    retrain(write(home / "grows.csv", table()))
    parsed.clear()
    retrain(write(home / "grows.csv", table(200)))
    assert parsed == ["grows.csv"]


def test_a_first_file_is_parsed_once(home, parsed):
    retrain(write(home / "first.csv", table()))
    assert parsed == ["first.csv"]


def test_a_file_that_was_changed_is_parsed_again(home, parsed):
    from tasks.problem.user_file import read_user_table

    path = home / "changed.csv"
    write(path, table())
    first = read_user_table(path)
    assert read_user_table(path) is first
    write(path, table(80))
    assert read_user_table(path).n_rows == 80
    assert parsed == ["changed.csv"] * 2


def test_rows_to_score_are_parsed_once(home, parsed):

    problem = retrain(write(home / "scored.csv", table()))
    model = load_tabular_model(refit(problem, chosen_by_hand(0.1)))
    parsed.clear()
    score_file(model, home / "scored.csv", home / "out.csv")
    assert parsed == ["scored.csv"]
