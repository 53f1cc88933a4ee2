"""Damaged databases are noticed, whole ones are not suspected."""

import sqlite3
import stat
from contextlib import closing

import pytest

from tasks.project.database_check import (
    DamagedDatabaseError,
    check_database,
    database_fault,
    make_private,
)


@pytest.fixture
def path(tmp_path):
    found = tmp_path / "some ?#%.db"
    with closing(sqlite3.connect(found)) as made:
        made.execute("PRAGMA journal_mode=WAL")
        made.execute("CREATE TABLE runs (name TEXT, value REAL)")
        made.execute("CREATE INDEX by_name ON runs (name)")
        rows = [(f"run {i}", float(i)) for i in range(5_000)]
        made.executemany("INSERT INTO runs VALUES (?, ?)", rows)
        made.commit()
    return found


@pytest.mark.parametrize("thorough", [False, True])
def test_a_whole_database_or_none_is_well(path, tmp_path, thorough):
    assert database_fault(path, thorough=thorough) is None
    check_database(path)
    check_database(tmp_path / "none.db")
    assert not (tmp_path / "none.db").exists()


def test_a_database_that_is_being_written_is_well(path):
    with closing(sqlite3.connect(path, isolation_level=None)) as writer:
        writer.execute("BEGIN EXCLUSIVE")
        writer.execute("INSERT INTO runs VALUES ('more', 0.0)")
        assert database_fault(path) is None


def cut(content):
    return content[: len(content) // 2]


def overwrite(content):
    return content[:8192] + b"\x00" * 8192 + content[16384:]


@pytest.mark.parametrize(
    ("damage", "said"),
    [
        (lambda _: b"", "is empty (0 bytes)"),
        (lambda _: b"not a database, but some text" * 100, "is damaged"),
        (cut, "is damaged"),
        (overwrite, "is damaged"),
    ],
)
def test_a_damaged_database_is_refused_and_left_alone(path, damage, said):
    content = damage(path.read_bytes())
    path.write_bytes(content)
    with pytest.raises(DamagedDatabaseError) as raised:
        check_database(path)
    text = str(raised.value)
    assert text.startswith(f"{path} {said}")
    assert f"{path.name}.damaged" in text
    assert "\n" not in text
    assert path.read_bytes() == content


def test_only_the_owner_reads_it(path):
    path.chmod(0o644)
    make_private(path)
    assert stat.S_IMODE(path.stat().st_mode) == 0o600
    make_private(path.with_name("none.db"))
