"""What `make soak` measures and shows; the hundred retrains themselves are its own."""

import json
import os
import sqlite3
import subprocess
import sys
from contextlib import closing

import pytest

from benchmarks.soak.__main__ import table_text, write_rows
from benchmarks.soak.usage import tables, usage


@pytest.fixture
def home(tmp_path):
    """Return a project folder with two databases, and a server that is this process."""
    for folder in (".smoothrank/prefect", "mlruns", "temporary"):
        (tmp_path / folder).mkdir(parents=True)
    for name, rows in ((".smoothrank/prefect/prefect.db", 3), ("mlruns/mlflow.db", 2)):
        with closing(sqlite3.connect(tmp_path / name)) as database, database:
            database.execute("CREATE TABLE runs (id INTEGER)")
            database.executemany("INSERT INTO runs VALUES (?)", [(i,) for i in range(rows)])
    (tmp_path / ".smoothrank" / "prefect.json").write_text(json.dumps({"pid": os.getpid()}))
    return tmp_path


def test_memory_files_processes_rows_and_disk_are_counted(home):
    before = usage(home, os.getpid(), home / "temporary")
    assert before["schedule: MB of memory"] > 10
    assert before["prefect.db: rows"] == 3
    assert before["mlflow.db: rows"] == 2
    assert before["temporary: files"] == 0
    assert tables(home) == {"prefect.runs": 3, "mlflow.runs": 2}

    (home / "temporary" / "left").write_text("behind")
    (home / "mlruns" / "model").write_bytes(b"0" * 1024**2)
    with subprocess.Popen([sys.executable, "-c", "input()"], stdin=subprocess.PIPE) as child:
        after = usage(home, os.getpid(), home / "temporary")
        child.communicate(b"\n")
    grown = {name: after[name] - before[name] for name in after}
    assert grown["temporary: files"] == 1
    assert grown["mlruns: MB on disk"] == 1.0
    assert grown["processes"] == 1
    assert grown["schedule: open files"] == 1


def test_table_shows_how_much_each_run_adds():
    measured = [
        {"run": 1.0, "prefect: open files": 20.0},
        {"run": 10.0, "prefect: open files": 30.0},
        {"run": 50.0, "prefect: open files": 60.0},
        {"run": 100.0, "prefect: open files": 120.0},
    ]
    head, line = table_text(measured).splitlines()
    assert head.split() == ["run", "1", "run", "10", "run", "100", "each", "run", "adds"]
    assert line.split() == ["prefect:", "open", "files", "20.0", "30.0", "120.0", "+1.000"]


def test_rows_differ_and_have_both_classes(tmp_path):
    path = tmp_path / "parts.csv"
    found = set()
    for seed in range(20):
        write_rows(path, seed)
        text = path.read_text()
        assert 5 <= text.count("rare") <= 50
        found.add(text)
    assert len(found) == 20
    assert [one.name for one in tmp_path.iterdir()] == ["parts.csv"]
