"""A new project's server begins with a copy of an empty database, if a whole one is there."""

import sqlite3
from contextlib import closing
from importlib.metadata import version

import pytest

from flows.servers.prefect_database import make_template, prepare_database


@pytest.fixture
def cache(tmp_path, monkeypatch):
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "cache"))
    return tmp_path / "cache" / "smoothrank"


def make(path, flow_runs=0):
    """Make a database as a server does."""
    path.parent.mkdir(parents=True, exist_ok=True)
    with closing(sqlite3.connect(path)) as database:
        database.execute("CREATE TABLE flow_run (name TEXT)")
        database.executemany("INSERT INTO flow_run VALUES (?)", [("mine",)] * flow_runs)
        database.commit()


def tables(path):
    with closing(sqlite3.connect(path)) as database:
        return database.execute("SELECT name FROM sqlite_master").fetchall()


def start(path, flow_runs=0):
    """Start a server in a new project; tell whether it found a database."""
    when_ready = prepare_database(path)
    found = path.exists()
    if not found:
        make(path, flow_runs)
    when_ready()
    return found


def test_the_first_database_is_kept_and_the_next_project_begins_with_it(tmp_path, cache):
    assert not start(tmp_path / "one" / "prefect.db")
    (kept,) = cache.iterdir()
    assert kept.name.startswith(f"prefect-{version('prefect')}-")
    assert start(tmp_path / "two" / "prefect.db")
    assert tables(tmp_path / "two" / "prefect.db") == [("flow_run",)]
    assert [path.name for path in (tmp_path / "two").iterdir()] == ["prefect.db"]


def test_what_was_recorded_is_kept_to_its_project(tmp_path, cache):
    start(tmp_path / "one" / "prefect.db", flow_runs=1)
    assert list(cache.iterdir()) == []


def test_a_database_that_is_there_is_left_alone(tmp_path, cache):
    start(tmp_path / "one" / "prefect.db")
    make(tmp_path / "two" / "prefect.db", flow_runs=3)
    before = (tmp_path / "two" / "prefect.db").read_bytes()
    assert start(tmp_path / "two" / "prefect.db")
    assert (tmp_path / "two" / "prefect.db").read_bytes() == before


def test_a_damaged_copy_is_not_used(tmp_path, cache):
    start(tmp_path / "one" / "prefect.db")
    (kept,) = cache.iterdir()
    kept.write_bytes(kept.read_bytes()[:-1])
    assert not start(tmp_path / "two" / "prefect.db")
    assert start(tmp_path / "three" / "prefect.db")


def test_the_set_up_makes_what_the_first_server_begins_with(tmp_path, cache):
    make_template()
    (kept,) = cache.iterdir()
    before = kept.stat().st_mtime_ns
    make_template()
    assert [path.stat().st_mtime_ns for path in cache.iterdir()] == [before]
    assert start(tmp_path / "prefect.db")
    assert ("flow_run",) in tables(tmp_path / "prefect.db")
    assert ("alembic_version",) in tables(tmp_path / "prefect.db")
