"""What a disk or a database does to a run becomes one line, and the run can be resumed."""

import os
import shutil
import sqlite3
from contextlib import closing
from pathlib import Path

import pytest

from tasks.project.mlflow_database import ensure_mlflow_database, mlflow_path
from tasks.project.run_faults import (
    RESUMES,
    RunStoppedError,
    check_own_database,
    present_fault,
    stopping_faults,
)
from tasks.tracking.attempt import attempt, take_abandoned


@pytest.fixture(scope="module")
def template(tmp_path_factory):
    """A new database, which takes MLflow a second or two."""
    home = tmp_path_factory.mktemp("template")
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("SMOOTHRANK_HOME", str(home))
        ensure_mlflow_database()
    return home


@pytest.fixture
def database(template, tmp_path, monkeypatch):
    shutil.copytree(template / "mlruns", tmp_path / "mlruns")
    monkeypatch.setenv("SMOOTHRANK_HOME", str(tmp_path))
    ensure_mlflow_database()
    assert present_fault() is None
    return mlflow_path()


def refused(act, *arguments):
    with pytest.raises(RunStoppedError) as raised, stopping_faults():
        act(*arguments)
    assert raised.value.__cause__ is None
    said = str(raised.value)
    assert len(said.splitlines()) == 1
    assert RESUMES in said
    return said


def write_to(address, timeout=0.0):
    with closing(sqlite3.connect(address, timeout=timeout, uri=True)) as tables:
        tables.execute("CREATE TABLE more (x)")


def test_a_full_device_is_named(database):
    assert "cannot write" in refused(Path("/dev/full").write_text, "x" * 10_000)
    assert "make room" in refused(Path("/dev/full").write_text, "x" * 10_000)


def test_an_error_behind_another_is_found(database):
    def wrapped():
        try:
            Path("/dev/full").write_text("x" * 10_000)
        except OSError as error:
            raise ValueError("it could not be done") from error

    assert "No space left" in refused(wrapped)


def test_a_database_that_is_read_only_or_locked_is_named(database):
    assert "make it writable" in refused(write_to, f"file:{database}?mode=ro")
    with closing(sqlite3.connect(database, isolation_level=None)) as other:
        other.execute("BEGIN IMMEDIATE")
        assert "locked by another program" in refused(write_to, str(database))


def test_a_database_that_was_removed_is_noticed_and_not_made_anew(database):
    kept = database.with_name("kept.db")
    database.rename(kept)
    assert "was removed while it was in use" in (present_fault() or "")
    with pytest.raises(RunStoppedError, match="put it back"):
        check_own_database()
    assert "was removed" in refused(ensure_mlflow_database)
    assert not database.exists()
    kept.rename(database)
    assert present_fault() is None
    check_own_database()


def test_a_database_that_was_replaced_or_damaged_is_noticed(database):
    kept = shutil.copy(database, database.with_name("kept.db"))
    shutil.copy(database, database.with_name("other.db"))
    inode = database.stat().st_ino
    database.with_name("other.db").rename(database)
    assert database.stat().st_ino != inode
    assert "was replaced by another one" in (present_fault() or "")
    Path(kept).rename(database)
    with pytest.raises(RunStoppedError, match="replaced"):
        check_own_database()


@pytest.mark.parametrize("size", [0, 5000])
def test_a_database_that_was_cut_is_noticed(database, size):
    os.truncate(database, size)
    with pytest.raises(RunStoppedError, match=r"is empty|is damaged"):
        check_own_database()


def test_another_error_stays_as_it_is(database):
    with pytest.raises(KeyError), stopping_faults():
        raise KeyError("a mistake of ours")


def test_an_attempt_that_was_stopped_is_resumed_and_one_that_failed_is_over(database):
    with pytest.raises(RunStoppedError), attempt("a-key", "rare", "l1", None) as stopped:
        Path("/dev/full").write_text("x" * 10_000)
    assert [one.id for one in take_abandoned("a-key")] == [stopped.id]
    with pytest.raises(KeyError), attempt("a-key", "rare", "l1", None) as again:
        raise KeyError("a mistake of ours")
    assert again.id == stopped.id
    assert take_abandoned("a-key") == []
