"""The commands on a team's MLflow (basic auth) and Prefect (auth string), both on PostgreSQL."""

from __future__ import annotations

import json
import os
import signal
import socket
import subprocess
from contextlib import ExitStack
from dataclasses import dataclass
from pathlib import Path
from typing import Any
from uuid import uuid4

import pandas as pd
import pytest
import requests

from flows.servers.server_process import get
from tests.support.running import wait_until
from tests.support.team.colleague import Colleague
from tests.support.team.postgresql import Cluster, find_postgresql, postgresql
from tests.support.team.servers import ADMINISTRATOR, Started, mlflow_server, prefect_server

pytestmark = [pytest.mark.services, pytest.mark.long]

MODEL = "models:/smoothrank-parts@champion"
ROWS = 300


@dataclass(frozen=True)
class Team:
    """The servers, and who works with them."""

    cluster: Cluster
    mlflow: Started
    prefect: Started
    folder: Path
    secrets: list[str]
    ada: Colleague
    bob: Colleague
    eve: Colleague

    def count(self, table: str, where: str = "true", database: str = "mlflow") -> int:
        question = f"SELECT count(*) FROM {table} WHERE {where}"  # noqa: S608
        ((found,),) = self.cluster.ask(database, question)
        assert isinstance(found, int)
        return found


@pytest.fixture(scope="module")
def team(tmp_path_factory):
    """Servers as an administrator starts them; Ada and Bob may write, Eve may read."""
    secrets = {who: f"{who}-{uuid4().hex}" for who in ("pg", "chief", "prefect", "ada", "eve")}
    folder = tmp_path_factory.mktemp("team")
    for name in ("mlflow", "prefect"):
        (folder / name).mkdir()
    with ExitStack() as stack:
        cluster = stack.enter_context(postgresql(secrets["pg"]))
        mlflow = stack.enter_context(mlflow_server(cluster, folder / "mlflow", secrets["chief"]))
        auth = f"team:{secrets['prefect']}"
        prefect = stack.enter_context(prefect_server(cluster, folder / "prefect", auth))
        for user in ("ada", "eve"):
            made = requests.post(
                f"{mlflow.address}/api/2.0/mlflow/users/create",
                json={"username": user, "password": secrets[user]},
                auth=(ADMINISTRATOR, secrets["chief"]),
                timeout=30,
            )
            assert made.status_code == 200, made.text

        def colleague(name: str, user: str) -> Colleague:
            return Colleague(
                folder / name,
                {
                    "MLFLOW_TRACKING_URI": mlflow.address,
                    "MLFLOW_TRACKING_USERNAME": user,
                    "MLFLOW_TRACKING_PASSWORD": secrets[user],
                    "PREFECT_API_URL": f"{prefect.address}/api",
                    "PREFECT_API_AUTH_STRING": auth,
                },
            )

        people = colleague("ada", "ada"), colleague("bob", "ada"), colleague("eve", "eve")
        yield Team(cluster, mlflow, prefect, folder, list(secrets.values()), *people)


@pytest.fixture(scope="module")
def first(team):
    """The first version of Ada's model."""
    return team.ada.retrain(team.ada.write_table("parts.csv", ROWS))


def test_a_retraining_is_recorded_by_the_team_alone(team, first):
    assert (first["model_version"], first["promoted"]) == (1, True)
    assert team.count("model_versions") == 1
    assert team.count("runs", "status = 'FINISHED'") == 3  # the parent, and one for each value
    assert team.count("flow_run", "state_type = 'COMPLETED'", "prefect") == 1
    assert not (team.ada.home / "mlruns").exists()
    assert not list((team.ada.home / ".smoothrank").glob("*.json"))
    kept = {path.name for path in (team.folder / "mlflow" / "files").rglob("*") if path.is_file()}
    assert {"MLmodel", "training_rows.npy", "report.html", "validation.json"} <= kept


def test_rows_are_scored_by_the_champion_and_by_its_exported_copy(team, first):
    team.ada.write_table("new.csv", ROWS)
    for name, model in {"registry": MODEL, "copy": "export/champion"}.items():
        if name == "copy":
            assert team.ada.run("data", "export", "parts", "export").returncode == 0
        done = team.ada.run("predict", model, "new.csv", "-o", f"{name}.csv")
        assert (done.returncode, done.stderr) == (0, ""), done
    registry, copy = (pd.read_csv(team.ada.home / f"{name}.csv") for name in ("registry", "copy"))
    assert len(registry) == ROWS
    pd.testing.assert_frame_equal(registry, copy)
    assert team.ada.run("predict", "models:/none/1", "new.csv", "-o", "x.csv").returncode == 2


def test_runs_of_other_machines_are_left_alone(team, first, monkeypatch):
    for name, value in team.ada.environment.items():
        monkeypatch.setenv(name, value)
    from prefect import Flow
    from prefect.client.orchestration import get_client
    from prefect.context import refresh_global_settings_context
    from prefect.states import Running

    from flows.servers.abandoned_runs import end_abandoned_runs

    refresh_global_settings_context()
    monkeypatch.setenv("SMOOTHRANK_HOME", str(team.ada.home))
    ended = subprocess.Popen(["true"])
    ended.wait()
    begun: dict[str, Any] = {}
    client: Any
    with get_client(sync_client=True) as client:
        for machine in ("elsewhere", socket.gethostname()):
            tags = [f"process {ended.pid} of 1.00 on {machine}"]
            made = client.create_flow_run(Flow(fn=lambda: None, name="any"), tags=tags)
            client.set_flow_run_state(made.id, Running(), force=True)
            begun[machine] = made.id
        end_abandoned_runs("any key")
        states = {machine: client.read_flow_run(id_).state for machine, id_ in begun.items()}
        assert {machine: state.name for machine, state in states.items()} == {
            "elsewhere": "Running",
            socket.gethostname(): "Crashed",
        }
        for id_ in begun.values():
            client.delete_flow_run(id_)
    monkeypatch.undo()
    refresh_global_settings_context()


def test_the_next_version_passes_the_gate_and_can_be_taken_back(team, first):
    second = team.ada.retrain(team.ada.write_table("parts.csv", 2 * ROWS))
    assert second["model_version"] == 2
    assert "rows that neither has seen" in second["reason"], second["reason"]
    crowned = team.ada.run("promote", "parts", "2", "--json")
    assert json.loads(crowned.stdout)["champion_history"] == [1, 2]
    back = team.ada.run("rollback", "parts", "--json")
    assert json.loads(back.stdout)["model_version"] == 1


def test_two_at_once_lose_nothing_and_double_nothing(team, first):
    both = team.ada, team.bob
    for one in both:
        one.write_table("twice.csv", ROWS)
    started = [one.start_retraining("twice.csv") for one in both]
    outcomes = [one.outcome(process) for one, process in zip(both, started, strict=True)]
    assert sorted(found["model_version"] for found in outcomes) == [1, 2]
    assert team.count("experiments", "name = 'twice'") == 1
    assert team.count("model_versions", "name = 'smoothrank-twice'") == 2
    assert (
        team.count("runs JOIN experiments USING (experiment_id)", "experiments.name='twice'") == 6
    )
    of_parents = "key = 'smoothrank.part' AND value = 'parent'"
    assert team.count("tags", f"{of_parents} AND run_uuid IN ({_runs_of('twice')})") == 2
    crowned = {found["model_version"] for found in outcomes if found["promoted"]}
    present = json.loads(team.ada.run("promote", "twice", "1", "--json").stdout)
    assert set(present["champion_history"]) == crowned | {1}


def _runs_of(experiment: str) -> str:
    joined = "runs JOIN experiments USING (experiment_id)"
    return f"SELECT run_uuid FROM {joined} WHERE experiments.name = '{experiment}'"  # noqa: S608


def test_who_may_only_read_scores_but_does_not_retrain(team, first):
    team.eve.write_table("parts.csv", ROWS)
    done = team.eve.run("predict", MODEL, "parts.csv", "-o", "scored.csv")
    assert done.returncode == 0, done.stderr
    before = team.count("model_versions"), team.count("runs")
    done = team.eve.ended(team.eve.start_retraining("parts.csv"))
    assert done.returncode == 2, done.stderr
    (line,) = [text for text in done.stderr.splitlines() if text.startswith("smoothrank:")]
    assert "does not permit eve to write here" in line
    assert "Traceback" not in done.stderr
    assert (team.count("model_versions"), team.count("runs")) == before
    done = team.eve.run("promote", "parts", "1")
    assert done.returncode == 2
    assert "does not permit eve" in done.stderr


def test_doctor_ui_and_stop(team, first):
    facts = json.loads(team.ada.run("doctor", "--json").stdout)
    for name, server in {"mlflow": team.mlflow, "prefect": team.prefect}.items():
        named = {"mlflow": "MLFLOW_TRACKING_URI", "prefect": "PREFECT_API_URL"}[name]
        found = facts["servers"][name]
        assert found == {
            "answers": True,
            "address": server.address,
            "named_by": named,
            "fault": None,
            "database": None,
        }
    listed = team.ada.run("ui", "parts", "--no-browser").stdout
    assert f"MLflow   {team.mlflow.address}\nPrefect  {team.prefect.address}\n" in listed
    assert "stop" not in listed
    assert team.ada.run("stop").stdout == "nothing was running\n"
    assert get(f"{team.mlflow.address}/health") is not None
    assert get(f"{team.prefect.address}/api/health") is not None
    wrong = {"MLFLOW_TRACKING_PASSWORD": "wrong", "PREFECT_API_AUTH_STRING": None}
    ended = team.ada.run("doctor", **wrong)
    assert ended.returncode == 1
    assert "does not accept user 'ada' with this password" in ended.stdout
    assert "asks for credentials; set PREFECT_API_AUTH_STRING" in ended.stdout


NOWHERE = "http://127.0.0.1:9"
RETRAIN = ("retrain", "new.csv", "--target", "y", "--positive", "rare")
PREDICT = ("predict", MODEL, "new.csv", "-o", "out.csv")


@pytest.mark.parametrize(
    ("command", "changed", "said"),
    [
        (RETRAIN, {"MLFLOW_TRACKING_PASSWORD": "wr0ng"}, "does not accept user 'ada'"),
        (RETRAIN, {"PREFECT_API_AUTH_STRING": "a:wr0ng"}, "not accept PREFECT_API_AUTH_STRING"),
        (RETRAIN, {"PREFECT_API_URL": f"{NOWHERE}/api"}, f"no Prefect server answers at {NOWHERE}"),
        (PREDICT, {"MLFLOW_TRACKING_URI": NOWHERE}, f"no MLflow server answers at {NOWHERE}"),
        (PREDICT, {"MLFLOW_TRACKING_URI": "http://a:wr0ng@h"}, "http://a:***@h"),
        (("promote", "parts", "1"), {"MLFLOW_TRACKING_USERNAME": None}, "a request without a user"),
    ],
)
def test_faults_are_one_line_before_anything_is_done(team, first, tmp_path, command, changed, said):
    who = Colleague(tmp_path / "home", team.ada.environment)
    who.write_table("new.csv", 100)
    done = who.run(*command, **changed)
    assert (done.returncode, done.stdout) == (2, "")
    assert len(done.stderr.splitlines()) == 1, done.stderr
    assert done.stderr.startswith("smoothrank: ")
    assert said in done.stderr
    assert "wr0ng" not in done.stderr
    made = {path.name for path in who.home.iterdir()} - {"params.yaml", "new.csv", "prefect home"}
    assert made <= {".smoothrank"}
    assert not list(who.home.rglob(".smoothrank/fits/*"))


def test_a_schedule_is_served_by_the_team(team, first):
    given = ("parts.csv", "--target", "y", "--positive", "rare", "--interval", "3")
    process = team.ada.start("schedule", *given)
    done = "state_type = 'COMPLETED' AND deployment_id IS NOT NULL"
    try:
        wait_until(lambda: team.count("flow_run", done, "prefect") > 0, 120.0, 0.5)
    finally:
        os.kill(process.pid, signal.SIGINT)
        said = team.ada.ended(process)
    assert f"runs: {team.prefect.address}/runs" in said.stdout
    assert "nothing has changed since version 2" in said.stdout, said


def test_no_secret_is_printed_or_written(team, first):
    programs = find_postgresql()
    for database in ("mlflow", "prefect"):
        dump = subprocess.run(
            [str(programs / "pg_dump"), "--inserts", team.cluster.address(database)],
            capture_output=True,
            check=True,
        )
        (team.folder / f"{database}.sql").write_bytes(dump.stdout)
    texts = {str(n): text.encode() for n, text in enumerate(_printed(team))}
    settings = {"basic_auth.ini"}  # of the administrator
    files = [p for p in team.folder.rglob("*") if p.is_file() and p.name not in settings]
    texts |= {str(path): path.read_bytes() for path in files}
    assert len(files) > 200
    assert any(b"smoothrank-parts" in text for text in texts.values())
    leaks = [(place, n) for place, text in texts.items() for n in _found(team, text)]
    assert leaks == []


def _printed(team: Team) -> list[str]:
    return [text for one in (team.ada, team.bob, team.eve) for text in one.printed]


def _found(team: Team, text: bytes) -> list[int]:
    return [n for n, secret in enumerate(team.secrets) if secret.encode() in text]
