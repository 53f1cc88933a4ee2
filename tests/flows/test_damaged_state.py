"""Commands with a damaged database: one line that says what to do, and nothing is replaced."""

import json
import stat
import subprocess
import sys
from pathlib import Path

import pytest

from flows.servers.project_servers import stop_servers
from tests.support.project import project, table, write

pytestmark = pytest.mark.services


@pytest.fixture(scope="module")
def home(tmp_path_factory):
    with project(tmp_path_factory.mktemp("damaged") / "home") as folder:
        yield folder


@pytest.fixture(scope="module")
def source(home):
    source = write(home / "rare.csv", table())
    done = command(*retrain(source))
    assert done.returncode == 0, done.stderr
    stop_servers()
    return source


def retrain(source):
    return ("retrain", source, "--target", "y", "--positive", "rare")


def command(*arguments):
    program = str(Path(sys.executable).parent / "smoothrank")
    return subprocess.run([program, *arguments], capture_output=True, text=True, check=False)


def refused(*arguments):
    done = command(*arguments)
    assert done.returncode == 2, done.stderr
    assert "Traceback" not in done.stderr
    *_, last = done.stderr.strip().splitlines()
    assert last.startswith("smoothrank: "), done.stderr
    return last


def test_state_and_databases_are_open_to_their_owner_alone(home, source):
    assert source
    databases = [home / "mlruns" / "mlflow.db", home / ".smoothrank" / "prefect" / "prefect.db"]
    assert [stat.S_IMODE(path.stat().st_mode) for path in databases] == [0o600, 0o600]
    assert stat.S_IMODE((home / ".smoothrank").stat().st_mode) == 0o700


@pytest.fixture
def mlflow_database(home, source):
    """Yield the database, and put it back afterwards."""
    assert source
    path = home / "mlruns" / "mlflow.db"
    whole = path.read_bytes()
    yield path
    path.write_bytes(whole)


def test_an_empty_mlflow_database_is_named_and_not_replaced(mlflow_database, source):
    mlflow_database.write_bytes(b"")
    said = refused(*retrain(source))
    assert "mlflow.db is empty (0 bytes)" in said
    assert "set it aside" in said
    examined = command("doctor", "--json")
    assert examined.returncode == 1
    assert any("mlflow.db" in problem for problem in json.loads(examined.stdout)["problems"])
    assert mlflow_database.read_bytes() == b""


def test_a_damaged_mlflow_database_is_named(home, mlflow_database, source):
    mlflow_database.write_bytes(b"no database at all\n" * 200)
    scored = home / "scored.csv"
    model = "models:/smoothrank-rare@champion"
    for asked in (("predict", model, source, "-o", str(scored)), ("promote", "rare", "1"), ("ui",)):
        assert "mlflow.db is damaged" in refused(*asked)
    assert not scored.exists()


def test_a_damaged_prefect_database_is_named(home, source):
    path = home / ".smoothrank" / "prefect" / "prefect.db"
    stop_servers()
    whole = path.read_bytes()
    path.write_bytes(b"")
    try:
        assert "prefect.db is empty" in refused(*retrain(source))
        assert command("doctor").returncode == 1
    finally:
        path.write_bytes(whole)
    done = command(*retrain(source))
    assert done.returncode == 0, done.stderr
