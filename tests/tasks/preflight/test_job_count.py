"""How many processes a retraining is worth."""

from tasks.preflight.job_count import jobs_worth_starting
from tasks.problem.problem import make_problem
from tasks.problem.source import fetch_source
from tasks.project.config import Params
from tests.support.project import table, write


def test_a_short_search_is_worth_one_process(tmp_path, monkeypatch):
    monkeypatch.setenv("SMOOTHRANK_HOME", str(tmp_path))
    for rows, jobs in ((120, 1), (1200, 2)):
        source = fetch_source(write(tmp_path / f"t{rows}.csv", table(rows)), "y", "rare")
        assert jobs_worth_starting(make_problem(source, "smooth", "honest", Params()), 2) == jobs
