"""The command, end to end: killed in the middle, and resumed."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import time

import pytest

from benchmarks.peers.progress import Lines
from benchmarks.peers.results import Job, read_lines
from benchmarks.peers.run import Failures, all_jobs

METHODS = ("l1-logistic", "k-nearest-neighbours")
DATASETS = ("iris0", "glass0")
SEEDS = (10, 0, 1)
ALL = len(METHODS) * len(DATASETS) * len(SEEDS)
COMMAND = [
    *(sys.executable, "-m", "benchmarks.peers", "--jobs", "1"),
    *("--methods", ",".join(METHODS), "--datasets", ",".join(DATASETS)),
    *("--seeds", ",".join(map(str, SEEDS))),
]


def start(folder):
    return subprocess.Popen(
        COMMAND, cwd=folder, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True
    )


def wait_for(condition, seconds=120.0):
    end = time.monotonic() + seconds
    while not condition():
        assert time.monotonic() < end, "waited in vain"
        time.sleep(0.01)


@pytest.mark.long
def test_a_killed_comparison_is_resumed(tmp_path, load_or_skip):
    for name in DATASETS:
        load_or_skip(name)
    output = tmp_path / "reports" / "peers" / "results.csv"
    with start(tmp_path) as killed:
        wait_for(lambda: output.exists() and len(read_lines(output)) >= 2)
        os.kill(killed.pid, signal.SIGKILL)
    before = read_lines(output)
    assert 2 <= len(before) < ALL
    with output.open("ab") as file:
        file.write(b"glass0,1,l1-log")
    with start(tmp_path) as resumed:
        said, errors = resumed.communicate(timeout=240)
    assert (resumed.returncode, errors) == (0, "")
    assert said == f"{ALL} of {ALL} results are in reports/peers/results.csv\n"
    after = read_lines(output)
    assert after[: len(before)] == before
    assert {line.job for line in after} == set(all_jobs(DATASETS, SEEDS, METHODS))
    assert len(after) == ALL
    assert output.with_name("results.csv.damaged").read_text() == "glass0,1,l1-log\n"


def test_a_wrong_name_is_said_in_one_line(tmp_path):
    done = subprocess.run(
        [sys.executable, "-m", "benchmarks.peers", "--datasets", "glass00"],
        cwd=tmp_path,
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 1
    assert done.stderr.splitlines()[-1].startswith("error: there is no data set 'glass00'")
    assert list(tmp_path.iterdir()) == []


def test_failures_are_said_once_for_each_method():
    failures = Failures()
    failures.add(Job("iris0", 1, "svm"), ValueError("too\nlong"))
    failures.add(Job("glass0", 2, "svm"), KeyError("x"))
    assert failures.lines() == [
        "svm failed on 2 of its splits, first on iris0, seed 1: ValueError: too long"
    ]


def test_lines_say_how_much_time_is_left(capsys):
    seconds = iter([0.0, 30.0, 61.0, 61.0, 90.0])
    lines = Lines(total=12, done=4, clock=lambda: next(seconds))
    for _ in range(3):
        lines.advance()
    assert capsys.readouterr().err == "6 of 12 results, about 3 min left\n"
