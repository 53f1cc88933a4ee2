from __future__ import annotations

import json
import os
import shlex
import shutil
import signal
import subprocess
import sys
import time
from pathlib import Path

import numpy as np
import pandas as pd
import pytest
import typer

from flows.commands.schedule import schedule as schedule_command
from flows.servers.prefect_records import csrf_headers
from flows.servers.project_servers import ensure_prefect_server
from flows.servers.schedule_record import running_schedules
from flows.servers.server_process import get
from flows.time_zone import local_time_zone
from tasks.tracking.mlflow_runs import mlflow_client
from tests.support.checkout.repository import ROOT
from tests.support.running import wait_until

pytestmark = [pytest.mark.services, pytest.mark.long]

SMOOTHRANK = str(Path(sys.executable).parent / "smoothrank")
PARAMS = """
training: {method: smooth, jobs: 1}
selection: {folds: 2, repeats: 1, scales: [standard], grids: {smooth: [0.001, 0.01]}}
"""
BUSY_MACHINE = 400


def rows(n, seed):
    random = np.random.default_rng(seed)
    length, width = random.normal(size=(2, n)).round(3)
    kind = np.where(length + 0.5 * random.normal(size=n) > 0.8, "rare", "usual")
    return pd.DataFrame({"length": length, "width": width, "kind": kind})


def write(table, path):
    """Write whole, so that no run sees half a file."""
    new = path.with_suffix(".new")
    table.to_csv(new, index=False)
    new.replace(path)


def wait_for_line(path, *words):
    def is_there():
        return any(all(word in line for word in words) for line in path.read_text().splitlines())

    wait_until(is_there, BUSY_MACHINE, 0.1, lambda: f"no line with {words} in:\n{path.read_text()}")


def start_schedule(project, log, *options):
    command = [SMOOTHRANK, "schedule", "parts.csv", "--target", "kind", "--positive", "rare"]
    with log.open("w") as output:
        return subprocess.Popen(
            [*command, *options],
            cwd=project,
            stdout=output,
            stderr=subprocess.STDOUT,
            start_new_session=True,  # a group of its own, as in a shell
        )


def stop(project):
    done = subprocess.run(
        [SMOOTHRANK, "stop", "--yes", "--json"],
        cwd=project,
        check=False,
        capture_output=True,
        text=True,
    )
    return json.loads(done.stdout)


def server(project):
    return json.loads((project / ".smoothrank" / "prefect.json").read_text())


def flow_runs(project):
    api = f"http://127.0.0.1:{server(project)['port']}/api"
    answer = get(f"{api}/flow_runs/filter", {"sort": "START_TIME_DESC"}, csrf_headers(api))
    return [run["state"] for run in answer[1] if run["start_time"]] if answer else []


def missed_runs(project):
    """The runs that are late although a run has begun since they were due."""
    api = f"http://127.0.0.1:{server(project)['port']}/api"
    answer = get(f"{api}/flow_runs/filter", {"sort": "START_TIME_DESC"}, csrf_headers(api))
    runs = answer[1] if answer else []
    begun = max(run["start_time"] for run in runs if run["start_time"])
    waiting = [run for run in runs if run["state_type"] == "SCHEDULED"]
    return [run["expected_start_time"] for run in waiting if run["expected_start_time"] < begun]


def wait_for_state(project, kind, words):
    """A run says what came of it just before Prefect knows."""

    def is_there():
        states = flow_runs(project)
        return any(state["type"] == kind and words in (state["message"] or "") for state in states)

    wait_until(
        is_there, BUSY_MACHINE, 0.2, lambda: f"no {kind} with {words!r} in {flow_runs(project)}"
    )


def test_schedule_retrains_what_is_new_and_only_that_and_keeps_the_champion(project, tmp_path):
    data, log = project / "parts.csv", tmp_path / "schedule.log"
    (project / "params.yaml").write_text(PARAMS)
    write(rows(120, seed=0), data)
    process = start_schedule(project, log, "--interval", "2")
    try:
        wait_for_line(log, "parts: version 1, test AUC", "champion")
        wait_for_line(log, "parts: nothing has changed since version 1; no work was done")

        (served,) = running_schedules(project)
        assert served == {"name": "parts", "pid": process.pid, "times": "every 2 s"}
        second = start_schedule(project, tmp_path / "second.log", "--interval", "2")
        assert second.wait(timeout=BUSY_MACHINE) == 2
        assert "parts has a schedule that is running" in (tmp_path / "second.log").read_text()

        write(pd.concat([rows(120, seed=0), rows(60, seed=1)]), data)
        wait_for_line(log, "parts: version 2, test AUC")
        wait_for_line(log, "nothing has changed since version 2")
        wait_until(lambda: not missed_runs(project), BUSY_MACHINE, 0.2)
        champion = mlflow_client().get_model_version_by_alias("smoothrank-parts", "champion")

        os.kill(server(project)["pid"], signal.SIGKILL)
        wait_for_line(log, "the Prefect server does not answer; it is started again")

        write(rows(120, seed=0).assign(length="long"), data)
        wait_for_line(log, "parts: failed, and the champion stays", "length")
        wait_for_state(project, "FAILED", "length")
        wait_for_state(project, "COMPLETED", "nothing has changed")
        still = mlflow_client().get_model_version_by_alias("smoothrank-parts", "champion")
        assert still.version == champion.version
        versions = mlflow_client().search_model_versions("name='smoothrank-parts'")
        assert sorted(int(version.version) for version in versions) == [1, 2]

        assert stop(project) == {"schedules": ["parts"], "servers": ["Prefect"]}
        assert process.wait(timeout=1) == 0
        assert log.read_text().endswith("the schedule of parts has ended\n")
        assert stop(project) == {"schedules": [], "servers": []}
    finally:
        process.kill()
        process.wait()


def running_in_group(group):
    """The processes of a group, without those that are dead and only not yet collected."""
    done = subprocess.run(
        ["ps", "-e", "-o", "pgid=,stat=,args="], check=False, capture_output=True, text=True
    )
    lines = [line.split(None, 2) for line in done.stdout.splitlines()]
    return [line for line in lines if int(line[0]) == group and line[1][0] != "Z"]


def wait_for_a_fit(project, log):
    def is_there():
        return any(project.glob(".smoothrank/fits/*/*.jsonl"))

    wait_until(is_there, BUSY_MACHINE, 0.05, log.read_text)


def test_ctrl_c_ends_a_schedule_and_its_run_within_two_seconds(project, tmp_path):
    log = tmp_path / "schedule.log"
    write(rows(600, seed=0), project / "parts.csv")
    process = start_schedule(project, log, "--interval", "2")
    try:
        wait_for_a_fit(project, log)
        begin = time.monotonic()
        os.killpg(process.pid, signal.SIGINT)
        assert process.wait(timeout=60) == 0
        while running_in_group(process.pid) and time.monotonic() - begin < 2.0:
            time.sleep(0.05)
        assert running_in_group(process.pid) == []
        assert time.monotonic() - begin < 2.0
        said = log.read_text()
        program, *given = shlex.split(said.split("resumes it: ")[1].split("\n")[0])
        assert (project / program).resolve() == Path(SMOOTHRANK).resolve()
        assert given == process.args[1:]
        assert said.endswith("the schedule of parts has ended\n")
        assert "Traceback" not in said
        assert [state["type"] for state in flow_runs(project)] == ["CRASHED"]
        assert any(project.glob(".smoothrank/fits/*/*.jsonl"))
    finally:
        process.kill()
        process.wait()


@pytest.mark.parametrize("times", [{}, {"cron": "0 3 * * *", "interval": 5.0}])
def test_either_cron_or_interval(times):
    with pytest.raises(typer.BadParameter, match="either --cron or --interval"):
        schedule_command("glass0", **times)


def run(*arguments, cwd):
    command = [SMOOTHRANK, "schedule", *arguments]
    return subprocess.run(
        command, cwd=cwd, check=False, capture_output=True, text=True, timeout=BUSY_MACHINE
    )


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["glass77", "--interval", "5"], "glass77"),
        (["nowhere.csv", "--interval", "5"], "nowhere.csv"),
        (["glass0", "--cron", "at three"], "at three"),
        (["glass0", "--target", "kind", "--interval", "5"], "for files of your own"),
        (["glass0", "--interval", "5", "--method", "nope"], "no method 'nope'"),
    ],
)
def test_what_cannot_be_scheduled_is_said_at_once(project, arguments, message):
    done = run(*arguments, cwd=project)
    assert done.returncode == 2
    assert message in done.stderr
    assert "Traceback" not in done.stderr
    assert not (project / ".smoothrank" / "prefect.json").exists()


@pytest.mark.parametrize(
    ("zone", "name"), [("Europe/Berlin", "Europe/Berlin"), ("Middle-Earth/Shire", "UTC")]
)
def test_cron_times_are_those_of_the_clock(zone, name, monkeypatch):
    monkeypatch.setenv("TZ", zone)
    assert local_time_zone() == name


def test_worker_of_a_team_picks_up_a_run(project, tmp_path, monkeypatch):
    shutil.copy(ROOT / "prefect.yaml", project)
    (project / "params.yaml").write_text(PARAMS)
    write(rows(120, seed=0), project / "parts.csv")
    api = ensure_prefect_server()
    # As on another machine: the server is known by its address only.
    monkeypatch.setenv("PREFECT_API_URL", api)
    monkeypatch.setenv("PREFECT_HOME", str(tmp_path / "prefect"))
    monkeypatch.setenv("PWD", str(project))  # as a shell does
    monkeypatch.delenv("SMOOTHRANK_HOME")

    def prefect(*arguments):
        command = [sys.executable, "-m", "prefect", "--no-prompt", *arguments]
        done = subprocess.run(
            command, cwd=project, check=False, capture_output=True, text=True, timeout=BUSY_MACHINE
        )
        assert done.returncode == 0, done.stdout + done.stderr
        return done.stdout + done.stderr

    prefect("work-pool", "create", "smoothrank", "--type", "process")
    prefect("deploy", "--all")
    parameters = {"source": str(project / "parts.csv"), "target": "kind", "positive": "rare"}
    given = [f"--param={name}={json.dumps(value)}" for name, value in parameters.items()]
    prefect("deployment", "run", "scheduled-retrain/nightly", *given)
    said = prefect("worker", "start", "--pool", "smoothrank", "--run-once")
    assert "parts: version 1, test AUC" in said, said
    wait_for_state(project, "COMPLETED", "version 1, test AUC")
    assert (project / "mlruns" / "mlflow.db").exists()
