"""PostgreSQL instead of SQLite: named for MLflow, and for the project's own Prefect server."""

from __future__ import annotations

import json
import subprocess
from pathlib import Path

import pytest

from tests.support.team.colleague import Colleague
from tests.support.team.postgresql import postgresql

pytestmark = pytest.mark.services

PASSWORD = "of-postgresql-4711"  # noqa: S105


@pytest.fixture(scope="module")
def cluster():
    with postgresql(PASSWORD) as running:
        for name in ("mlflow", "prefect"):
            running.make_database(name)
        yield running


@pytest.fixture(scope="module")
def alone(cluster, tmp_path_factory):
    """Someone without servers of others, whose databases are PostgreSQL's."""
    named = {
        "MLFLOW_TRACKING_URI": cluster.address("mlflow"),
        "PREFECT_API_DATABASE_CONNECTION_URL": cluster.address("prefect", "postgresql+asyncpg"),
    }
    one = Colleague(tmp_path_factory.mktemp("alone") / "home", named)
    del one.environment["PREFECT_HOME"]
    yield one
    one.run("stop")


def test_programs_that_meet_an_empty_database_make_its_tables_once(cluster, alone):
    asking = [alone.start("promote", "parts", "1") for _ in range(3)]
    for done in map(alone.ended, asking):
        assert done.returncode == 2
        assert done.stderr == ("smoothrank: there is no model of 'parts'; registered are: none\n")


def test_retrained_scored_and_shown(cluster, alone):
    outcome = alone.retrain(alone.write_table("parts.csv", 300))
    assert (outcome["model_version"], outcome["promoted"]) == (1, True)
    assert cluster.ask("mlflow", "SELECT count(*) FROM model_versions") == [(1,)]
    finished = "SELECT count(*) FROM flow_run WHERE state_type = 'COMPLETED'"
    assert cluster.ask("prefect", finished) == [(1,)]
    assert not list(alone.home.rglob("*.db"))
    done = alone.run("predict", "models:/smoothrank-parts/1", "parts.csv", "-o", "scored.csv")
    assert (done.returncode, done.stderr) == (0, "")
    listed = json.loads(alone.run("ui", "parts", "--json").stdout)
    assert listed["runs"].startswith(listed["mlflow"])
    facts = json.loads(alone.run("doctor", "--json").stdout)["servers"]
    for name, server in facts.items():
        assert (server["address"], server["fault"]) == (listed[name], None)
        assert "://team:***@127.0.0.1" in server["database"]
    assert PASSWORD not in _command_lines()


def test_a_server_of_another_database_is_replaced(alone):
    on_postgresql = json.loads((alone.home / ".smoothrank" / "mlflow.json").read_text())
    done = alone.run("ui", "parts", "--json", MLFLOW_TRACKING_URI=None)
    assert "there are no runs of parts yet" in done.stderr
    on_sqlite = json.loads((alone.home / ".smoothrank" / "mlflow.json").read_text())
    assert on_sqlite["pid"] != on_postgresql["pid"]
    assert not Path(f"/proc/{on_postgresql['pid']}").exists()


def test_a_wrong_password_of_the_database_is_one_line(cluster, alone):
    alone.run("stop")  # a server that runs has the right one
    wrong = cluster.address("prefect", "postgresql+asyncpg").replace(PASSWORD, "wr0ng")
    done = alone.run("ui", "--no-browser", PREFECT_API_DATABASE_CONNECTION_URL=wrong)
    assert (done.returncode, done.stdout) == (2, "")
    assert len(done.stderr.splitlines()) == 1
    assert "postgresql+asyncpg://team:***@127.0.0.1" in done.stderr
    assert "password authentication failed" in done.stderr
    assert "wr0ng" not in done.stderr


def test_the_password_is_nowhere(alone):
    files = [path for path in alone.home.rglob("*") if path.is_file()]
    assert len(files) > 200
    assert [path for path in files if PASSWORD.encode() in path.read_bytes()] == []
    assert PASSWORD not in "".join(alone.printed)


def _command_lines() -> str:
    return subprocess.check_output(["ps", "axww", "-o", "args"], text=True)
