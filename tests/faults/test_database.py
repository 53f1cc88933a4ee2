"""MLflow's database is lost in the middle of a run: one line, and the same command goes on."""

from __future__ import annotations

import shutil
import sqlite3
import time
from collections.abc import Iterator
from contextlib import closing, contextmanager
from pathlib import Path

import pytest

from tests.support.faults.disturbed import (
    EVERYTHING,
    ended,
    retrain,
)

pytestmark = [pytest.mark.services, pytest.mark.long]

SECONDS_TO_STOP = 10.0
PATIENCE_OF_MLFLOW = 20.0
SHORT_LOCK = 4.0


def copy(database: Path, place: Path) -> None:
    """Copy a database while others write to it."""
    with closing(sqlite3.connect(database)) as old, closing(sqlite3.connect(place)) as new:
        old.backup(new)


def removed(database: Path) -> None:
    for path in database.parent.glob(f"{database.name}*"):
        path.unlink()


def overwritten(database: Path) -> None:
    with database.open("r+b") as file:
        file.write(b"no database at all\n" * 3000)


def cut(database: Path) -> None:
    with database.open("r+b") as file:
        file.truncate(5000)


def emptied(database: Path) -> None:
    with database.open("r+b") as file:
        file.truncate(0)


def replaced(database: Path) -> None:
    shutil.copy(database, database.with_name("another.db"))
    database.with_name("another.db").rename(database)


DAMAGES = [removed, overwritten, cut, emptied, replaced]


@pytest.mark.parametrize("damage", DAMAGES if EVERYTHING else DAMAGES[:1])
def test_a_run_whose_database_is_lost_stops_and_goes_on(project, undisturbed, tmp_path, damage):
    name = damage.__name__
    process = project.start(*retrain(project.source(name)))
    project.wait_for_a_fit(process)
    copy(project.mlflow, tmp_path / "copy.db")
    damage(project.mlflow)
    since = time.monotonic()
    stopped = ended(process)
    seconds = time.monotonic() - since
    removed(project.mlflow)
    copy(tmp_path / "copy.db", project.mlflow)
    assert str(project.mlflow) in stopped.refusal
    assert "the same command" in stopped.refusal
    assert seconds < SECONDS_TO_STOP
    assert project.aliases(name) == {}
    project.goes_on(name, undisturbed)


@contextmanager
def locked(database: Path) -> Iterator[None]:
    with closing(sqlite3.connect(database, timeout=60.0, isolation_level=None)) as other:
        other.execute("BEGIN IMMEDIATE")
        yield
        other.execute("ROLLBACK")


@pytest.mark.skipif(not EVERYTHING, reason="with `make faults`")
def test_a_long_lock_is_named(project, undisturbed):
    process = project.start(*retrain(project.source("locked")))
    project.wait_for_a_fit(process)
    with locked(project.mlflow):
        since = time.monotonic()
        stopped = ended(process)
        seconds = time.monotonic() - since
    assert "locked by another program" in stopped.refusal
    assert seconds < PATIENCE_OF_MLFLOW + SECONDS_TO_STOP
    assert project.aliases("locked") == {}
    project.goes_on("locked", undisturbed)


@pytest.mark.skipif(not EVERYTHING, reason="with `make faults`")
def test_a_short_lock_is_waited_for(project, undisturbed):
    process = project.start(*retrain(project.source("briefly")))
    project.wait_for_a_fit(process)
    with locked(project.mlflow):
        time.sleep(SHORT_LOCK)
    assert project.learnt(ended(process)) == undisturbed
    assert project.versions("briefly") == [1]
    project.nothing_is_left()
