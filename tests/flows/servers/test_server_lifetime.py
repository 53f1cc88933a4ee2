"""Servers end by themselves when nobody needs them, and are found from anywhere."""

from __future__ import annotations

import json
import os
import pty
import shutil
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

from flows.servers import project_servers as servers
from flows.servers.user_servers import user_servers
from flows.servers.watched_server import IDLE
from tasks.tracking.attempt import attempt, running_attempts
from tests.conftest import use_project
from tests.support.running import group_is_empty, wait_until

pytestmark = pytest.mark.services

SMOOTHRANK = str(Path(sys.executable).parent / "smoothrank")


@pytest.fixture
def elsewhere(tmp_path, monkeypatch):
    """Another project, and a list of servers of our own."""
    monkeypatch.setenv("XDG_STATE_HOME", str(tmp_path / "state"))
    folder = tmp_path / "elsewhere"
    folder.mkdir()
    return folder


def command(folder, *arguments):
    environment = {k: v for k, v in os.environ.items() if k != "SMOOTHRANK_HOME"}
    done = subprocess.run(
        [SMOOTHRANK, *arguments], cwd=folder, env=environment, check=False,
        capture_output=True, text=True, stdin=subprocess.DEVNULL,
    )  # fmt: skip
    assert "Traceback" not in done.stderr
    return done


def group(home, name):
    return int(json.loads((home / ".smoothrank" / f"{name}.json").read_text())["pid"])


def test_servers_of_all_projects_are_listed_and_end(elsewhere, tmp_path, monkeypatch):
    kept, gone = tmp_path / "kept", tmp_path / "gone"
    use_project(monkeypatch, kept).mkdir()
    servers.ensure_mlflow_server()
    use_project(monkeypatch, gone).mkdir()
    servers.ensure_prefect_server()
    of_kept, of_gone = group(kept, "mlflow"), group(gone, "prefect")

    os.killpg(of_gone, signal.SIGSTOP)  # so that it is still there when it is looked for
    shutil.rmtree(gone)
    told = command(elsewhere, "doctor").stdout.splitlines()
    found = [line.split(" of ")[1] for line in told if line.startswith("elsewhere ")]
    assert found == [f"{gone}, which is gone; `smoothrank stop --all` ends it", str(kept)]
    os.killpg(of_gone, signal.SIGCONT)
    wait_until(lambda: group_is_empty(of_gone), 60.0)
    wait_until(lambda: [one.home for one in user_servers()] == [str(kept)])

    assert command(elsewhere, "stop").stdout == "nothing was running\n"
    assert command(elsewhere, "stop", "--all").stdout == f"stopped the MLflow server of {kept}\n"
    wait_until(lambda: group_is_empty(of_kept))
    assert command(elsewhere, "stop", "--all").stdout == "nothing was running\n"
    assert list(elsewhere.iterdir()) == []


def test_a_server_ends_when_it_has_had_nothing_to_do(project, elsewhere, monkeypatch):
    monkeypatch.setenv(IDLE, "2")
    with attempt("a run", "parts", "smooth", None):
        servers.ensure_mlflow_server()
        time.sleep(5.0)
        assert servers.running_servers()["mlflow"] is not None
    wait_until(lambda: group_is_empty(group(project, "mlflow")), 30.0)
    log = (project / ".smoothrank" / "logs" / "mlflow.log").read_text()
    assert "the server ends: it had nothing to do for 2 s" in log
    assert servers.running_servers()["mlflow"] is None


def test_stop_does_not_break_off_a_run_unasked(project, elsewhere):
    with attempt("a run", "parts", "smooth", None) as run:
        assert running_attempts(project) == [run]
        done = command(project, "stop")
        assert done.returncode == 2
        assert f"smooth on parts (process {os.getpid()})" in done.stderr
        assert "`smoothrank stop --yes`" in done.stderr
        assert done.stderr.count("\n") == 1

        us, terminal = pty.openpty()
        process = subprocess.Popen(
            [SMOOTHRANK, "stop"], stdin=terminal, stdout=terminal, stderr=terminal
        )
        os.write(us, b"n\n")
        assert process.wait(60) == 1
        said = os.read(us, 10_000).decode()
        assert "Interrupt it?" in said
    assert running_attempts(project) == []
    assert command(project, "stop").stdout == "nothing was running\n"
