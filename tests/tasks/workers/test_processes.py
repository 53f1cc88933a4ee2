"""Work in other processes: what they are given, what they tell, and how they end."""

import os
import signal
import subprocess
import sys
import time
from types import SimpleNamespace
from typing import Any

import pytest

from smoothrank.errors import SmoothrankError
from smoothrank.selection.methods import METHODS, Method, register
from tasks.project.progress import Nobody, listener, listening
from tasks.workers.processes import elsewhere, processes, result_of
from tasks.workers.training_processes import work_on
from tests.support.checkout.repository import ROOT
from tests.support.registries import restored
from tests.support.running import is_alive, wait_until

THREADS = ("OMP_NUM_THREADS", "TF_NUM_INTRAOP_THREADS", "TF_NUM_INTEROP_THREADS")
SECONDS = 60.0
SCRIPT = """
import os, sys, time
from tasks.workers.processes import elsewhere, processes
if __name__ == "__main__":
    with processes(1):
        print(elsewhere(os.getpid).result(), flush=True)
        elsewhere(time.sleep, 600)
        time.sleep(600)
"""


@pytest.fixture(autouse=True)
def many_threads(monkeypatch):
    for name in THREADS:
        monkeypatch.setenv(name, "8")


def tell(part, number):
    listener().fitted(part, number)
    listener().scored(0.75)


def refuse():
    raise SmoothrankError("too few rows")


def die():
    os.kill(os.getpid(), signal.SIGKILL)


def meet(folder):
    """Come to a place, and wait until another process has come too."""
    (folder / str(os.getpid())).touch()
    wait_until(lambda: len(list(folder.iterdir())) == 2)


def test_a_process_is_another_one_of_one_thread():
    with processes(1):
        assert result_of(elsewhere(os.getpid)) != os.getpid()
        assert [result_of(elsewhere(os.getenv, name)) for name in THREADS] == ["1"] * 3


def test_ctrl_c_does_not_reach_a_process_and_reaches_this_one_as_before():
    with processes(1):
        blocked = result_of(elsewhere(signal.pthread_sigmask, signal.SIG_BLOCK, ()))
    assert signal.SIGINT in blocked
    assert signal.SIGINT not in signal.pthread_sigmask(signal.SIG_BLOCK, ())


def test_there_are_as_many_processes_as_asked_for(tmp_path):
    with processes(2):
        for future in [elsewhere(meet, tmp_path) for _ in range(6)]:
            result_of(future)
    assert len(list(tmp_path.iterdir())) == 2


def test_without_processes_the_work_is_done_here():
    assert result_of(elsewhere(os.getpid)) == os.getpid()


def test_a_block_within_another_has_the_same_processes():
    with processes(1):
        first = result_of(elsewhere(os.getpid))
        with processes(2):
            assert result_of(elsewhere(os.getpid)) == first
        assert result_of(elsewhere(os.getpid)) == first


def test_what_is_told_there_is_heard_here():
    heard = []

    class Ear(Nobody):
        def fitted(self, part, n_fits):
            heard.append((part, n_fits))

        def scored(self, auc):
            heard.append(auc)

    with listening(Ear()), processes(1):
        result_of(elsewhere(tell, 0.01, 3))
        wait_until(lambda: len(heard) == 2)
    assert heard == [(0.01, 3), 0.75]


def test_an_error_of_the_work_is_raised_here():
    with processes(1), pytest.raises(SmoothrankError, match="too few rows"):
        result_of(elsewhere(refuse))


def test_a_process_that_is_killed_is_named_and_how_to_go_on():
    with processes(1), pytest.raises(SmoothrankError, match=r"same command goes on.*--jobs 1"):
        result_of(elsewhere(die))


def test_what_runs_when_the_block_ends_is_ended_and_what_waits_never_begins(tmp_path):
    started = time.monotonic()
    with processes(1):
        pid = result_of(elsewhere(os.getpid))
        wait_until(elsewhere(time.sleep, 1.5 * SECONDS).running)
        for number in range(4):
            elsewhere((tmp_path / f"{number}").touch)
    assert time.monotonic() - started < SECONDS
    assert not is_alive(pid)
    assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize("sign", [signal.SIGKILL, signal.SIGTERM])
def test_a_process_ends_when_the_one_that_began_it_is_killed(tmp_path, sign):
    script = tmp_path / "parent.py"
    script.write_text(SCRIPT)
    environment = {**os.environ, "PYTHONPATH": str(ROOT)}
    parent = subprocess.Popen(
        [sys.executable, str(script)],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        env=environment,
    )
    assert parent.stdout
    worker = int(parent.stdout.readline())
    assert is_alive(worker)
    parent.send_signal(sign)
    errors = parent.communicate(timeout=SECONDS)[1]
    wait_until(lambda: not is_alive(worker))
    assert errors == ""


def where(problem):
    del problem
    return os.getpid()


@pytest.mark.parametrize(("name", "is_here"), [("known-here", True), ("smooth", False)])
def test_a_method_that_only_this_process_knows_is_trained_here(name, is_here):
    problem: Any = SimpleNamespace(method=name)
    with restored(METHODS), processes(1):
        register(Method("known-here", str, (1.0,)))
        assert (work_on(problem, where) == os.getpid()) is is_here
