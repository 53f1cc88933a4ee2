"""A run that is killed or stopped goes on where it was, and leaves nothing behind."""

import json
import os
import re
import signal
import subprocess
import sys
import time
from dataclasses import replace
from importlib import import_module

import pytest

from flows.launch import run_retrain
from flows.requests import RetrainRequest
from flows.servers.project_servers import ensure_prefect_server
from tasks.tracking.attempt import running_attempts
from tests.support.project import (
    PARAMS,
    flow_runs,
    mlflow_runs,
    parents,
    project,
    table,
    task_states,
    write,
)
from tests.support.running import group_is_empty, wait_until

pytestmark = [pytest.mark.services, pytest.mark.long]

SECONDS_TO_BEGIN = 300
PROGRESS = re.compile(r"\w+: .* (so far|left)")


@pytest.fixture(scope="module")
def home(tmp_path_factory):
    with project(tmp_path_factory.mktemp("interrupt") / "home") as folder:
        ensure_prefect_server()
        yield folder


def start(source):
    """Start the command as a shell does: a group of its own, so that Ctrl-C reaches all of it."""
    return subprocess.Popen(
        [sys.executable, "-m", "flows.commands.cli", "retrain", source, "--json"],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        start_new_session=True,
    )


def finished_fits(home):
    """The fits that are noted, by value, scaling and fold, with their own wall time."""
    found: dict[tuple[float, str | None, int], float] = {}
    for path in (home / ".smoothrank" / "fits").glob("*/*.jsonl"):
        for line in path.read_text().splitlines(keepends=True):
            if line.endswith("\n"):
                note = json.loads(line)
                found[float(path.stem), note["scale"], note["fold"]] = note["fit"]["seconds"]
    return found


def wait_for_fits(process, home, count):
    def are_there():
        assert process.poll() is None, process.communicate()
        return len(finished_fits(home)) >= count

    wait_until(are_there, SECONDS_TO_BEGIN, pause=0.002)


def stored_fits(home):
    """The same of the results that Prefect keeps."""
    found: dict[tuple[float, str | None, int], set[float]] = {}
    for path in (home / ".smoothrank" / "prefect" / "storage").glob("share-*"):
        result = json.loads(json.loads(path.read_text())["result"])
        for scale, fits in result["fits"].items():
            for fold, fit in enumerate(fits):
                key = result["value"], None if scale == "none" else scale, fold
                found.setdefault(key, set()).add(fit["seconds"])
    return found


def kill_at_its_beginning(source):
    """Kill a run as soon as Prefect knows of it, before it has recorded anything itself."""
    process = start(source)
    wait_until(lambda: bool(flow_runs(source)), SECONDS_TO_BEGIN)
    os.killpg(process.pid, signal.SIGKILL)
    process.communicate()
    assert flow_runs(source)[0].state.name in ("Pending", "Running")


def test_killed_run_goes_on_and_ends_as_if_nothing_had_happened(home):
    frame = table(300)
    source, other = write(home / "killed.csv", frame), write(home / "other.csv", table(160))
    kill_at_its_beginning(other)
    process = start(source)
    wait_for_fits(process, home, 4)
    os.killpg(process.pid, signal.SIGKILL)
    process.communicate()
    kept = finished_fits(home)
    assert flow_runs(source)[0].state.name == "Running"
    assert [run.state.name for run in flow_runs(other)] == ["Crashed"]

    outcome = run_retrain(RetrainRequest(source))
    stored = stored_fits(home)
    assert len(stored) == 12
    assert all(stored[fit] == {seconds} for fit, seconds in kept.items())
    assert {run.info.status for run in mlflow_runs("killed")} == {"FINISHED"}
    assert len(mlflow_runs("killed")) == 3
    assert len(parents("killed")) == 1
    assert [run.state.name for run in flow_runs(source)] == ["Completed", "Crashed"]
    assert "Running" not in task_states(flow_runs(source)[1]).values()

    undisturbed = run_retrain(RetrainRequest(write(home / "whole.csv", frame)))
    names = ("C", "scale", "cv_auc_mean", "cv_auc_std", "test_auc", "n_prototypes", "gap")
    assert [getattr(outcome, n) for n in names] == [getattr(undisturbed, n) for n in names]


def test_a_run_whose_server_is_killed_stops_says_one_line_and_goes_on(home):
    source = write(home / "lost.csv", table(300))
    process = start(source)
    wait_for_fits(process, home, 4)
    server = json.loads((home / ".smoothrank" / "prefect.json").read_text())["pid"]
    os.killpg(server, signal.SIGKILL)
    killed = time.monotonic()
    _, said = process.communicate(timeout=30)
    assert time.monotonic() - killed < 5.0
    assert process.returncode == 1
    (line,) = [one for one in said.splitlines() if not PROGRESS.match(one) and "rows" not in one]
    assert line.startswith("smoothrank: the Prefect server has ended")
    assert "retrain" in line
    kept = finished_fits(home)

    done = start(source)
    told, said = done.communicate(timeout=SECONDS_TO_BEGIN)
    assert done.returncode == 0, said
    assert json.loads(told)["model_version"] == 1
    stored = stored_fits(home)
    assert all(seconds in stored[fit] for fit, seconds in kept.items())
    assert {run.info.status for run in mlflow_runs("lost")} == {"FINISHED"}
    assert len(parents("lost")) == 1
    ensure_prefect_server()  # it may have another port, and the tests below ask it


def test_ctrl_c_stops_at_once_and_says_how_to_go_on(home):
    source = write(home / "stopped.csv", table(300, seed=5))
    before = set(finished_fits(home))
    process = start(source)
    wait_for_fits(process, home, len(before) + 2)
    begin = time.monotonic()
    os.killpg(process.pid, signal.SIGINT)
    output, errors = process.communicate(timeout=60)
    wait_until(lambda: group_is_empty(process.pid))
    assert time.monotonic() - begin < 2.0
    assert process.returncode == 130
    assert output == ""
    assert f"smoothrank retrain {source} --json" in errors
    assert "Traceback" not in errors
    printed, _, said = errors.partition("\n\nstopped; ")
    lines = [line for line in printed.splitlines() if not PROGRESS.fullmatch(line)]
    assert lines == ["300 rows, 3 columns, 3 features"]
    assert said.count("\n") == 2


def stop(*options):
    command = [sys.executable, "-m", "flows.commands.cli", "stop", *options]
    return subprocess.run(
        command, check=False, capture_output=True, text=True, stdin=subprocess.DEVNULL
    )


def test_stop_breaks_off_a_run_only_when_told_and_the_run_says_how_to_go_on(home):
    source = write(home / "asked.csv", table(3000, seed=7))
    (home / "params.yaml").write_text("training: {method: smooth}")  # a whole grid
    process = start(source)
    wait_until(lambda: [run.dataset for run in running_attempts(home)] == ["asked"], 300)
    refused = stop()
    assert refused.returncode == 2
    assert f"smooth on asked (process {process.pid})" in refused.stderr
    assert process.poll() is None
    told = stop("--yes")
    (home / "params.yaml").write_text(PARAMS)
    assert told.stdout == "stopped the Prefect server\n"
    _, errors = process.communicate(timeout=60)
    assert process.returncode == 130
    assert f"smoothrank retrain {source} --json" in errors
    assert "Traceback" not in errors


HALF_WRITTEN = [("flows.retrain", "track_value"), ("tasks.tracking.served_model", "_save")]
HALF_WRITTEN += [("tasks.tracking.retrain_run", "_logged_model")]
WRITTEN = [("flows.retrain", "end_tracking"), ("flows.retrain", "promote")]


@pytest.mark.parametrize(("place", "step"), HALF_WRITTEN + WRITTEN)
def test_stopped_while_writing_to_mlflow_nothing_is_written_twice(home, monkeypatch, place, step):
    module = import_module(place)

    def stop_after(*arguments):
        original(*arguments)
        raise KeyboardInterrupt

    name = f"half{step}"
    source = write(home / f"{name}.csv", table(100, seed=6))
    original = getattr(module, step)
    monkeypatch.setattr(module, step, stop_after)
    with pytest.raises(KeyboardInterrupt):
        run_retrain(RetrainRequest(source))
    monkeypatch.undo()
    left = {run.info.status for run in mlflow_runs(name)}
    assert ("RUNNING" in left) is ((place, step) in HALF_WRITTEN)
    outcome = run_retrain(RetrainRequest(source))
    assert [run.info.status for run in mlflow_runs(name)] == ["FINISHED"] * 3
    assert outcome.model_version == 1
    assert [model.status.name for model in models_of(outcome)] == ["READY"]
    assert outcome.promoted
    assert outcome.reason == "it is the first version"


def models_of(outcome):
    from tasks.tracking.mlflow_runs import mlflow_client

    of_run = f"source_run_id = '{outcome.mlflow_run_id}'"
    return mlflow_client().search_logged_models([outcome.mlflow_experiment_id], of_run)


def test_a_killed_run_is_marked_by_the_start_of_another(home):
    from tasks.tracking.attempt import attempt, take_abandoned

    with pytest.raises(KeyboardInterrupt), attempt("a-key", "killed", "smooth", None) as left:
        raise KeyboardInterrupt
    assert [one.id for one in take_abandoned("a-key")] == [left.id]
    with attempt("a-key", "killed", "smooth", "run-2") as again:
        assert again == replace(left, flow_runs=("run-2",))
        assert take_abandoned("another-key") == []
    assert take_abandoned("another-key") == []


def test_two_at_once_is_refused(home):
    from tasks.tracking.attempt import BusyError, attempt

    with (
        attempt("same", "rare", "smooth", None),
        pytest.raises(BusyError, match=f"process {os.getpid()}"),
        attempt("same", "rare", "smooth", None),
    ):
        pass
