"""Who is champion, by hand: forwards, back, and what cannot be had in one line."""

import json
import subprocess
import sys
from pathlib import Path

import pytest
from typer.testing import CliRunner

from flows.commands.cli import app
from smoothrank.errors import SmoothrankError
from tasks.project.mlflow_database import ensure_mlflow_database
from tasks.tracking.champion import champions, crown
from tasks.tracking.mlflow_runs import mlflow_client

pytestmark = pytest.mark.services

COMMAND = Path(sys.executable).with_name("smoothrank")


@pytest.fixture(scope="module")
def client(tmp_path_factory):
    home = tmp_path_factory.mktemp("promote")
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("SMOOTHRANK_HOME", str(home))
        patch.chdir(home)
        ensure_mlflow_database()
        yield mlflow_client()


@pytest.fixture
def model(client, request):
    """A model of four versions, of which the first three passed the gate and are champions."""
    name = f"smoothrank-{request.node.name}"
    client.create_registered_model(name)
    for number in range(1, 5):
        run = client.create_run("0", tags={"gate.promoted": str(number < 4).lower()})
        client.create_model_version(name, "file:///nowhere", run.info.run_id)
        if number < 4:
            client.set_registered_model_alias(name, "champion", str(number))
    client.set_registered_model_alias(name, "challenger", "4")
    return name


def champion(client, model):
    return int(client.get_registered_model(model).aliases["champion"])


def run(*arguments):
    done = CliRunner().invoke(app, [*arguments, "--json"])
    assert done.exit_code == 0, done.exception
    return json.loads(done.stdout)


def installed(*arguments):
    return subprocess.run([COMMAND, *arguments], capture_output=True, text=True, check=False)


def test_the_installed_command_promotes_and_goes_back(client, model):
    name = model.removeprefix("smoothrank-")
    done = installed("promote", name, "4")
    assert (done.returncode, done.stderr) == (0, "")
    assert done.stdout == f"{model}: version 4 is now champion (it was version 3)\n"
    assert champion(client, model) == 4
    done = installed("rollback", f"{name}.csv")
    assert done.stdout == f"{model}: version 3 is again champion (it was version 4)\n"
    assert champion(client, model) == 3
    done = installed("promote", name, "9")
    assert (done.returncode, done.stdout) == (2, "")
    assert done.stderr == f"smoothrank: {model} has no version '9'; there are 1, 2, 3, 4\n"


def test_going_back_again_and_again_ends_with_a_line(client, model):
    assert [run("rollback", model)["model_version"] for _ in range(2)] == [2, 1]
    with pytest.raises(SmoothrankError, match="version 1 is its only champion so far") as error:
        run_raising("rollback", model)
    assert "\n" not in str(error.value)
    assert "there are 1, 2, 3, 4" in str(error.value)
    assert "rolled_back" in client.get_model_version(model, "3").tags
    assert "champion_since" in client.get_model_version(model, "1").tags


def run_raising(*arguments):
    raise CliRunner().invoke(app, [*arguments]).exception or AssertionError


def test_the_challenger_by_its_alias_and_the_champion_already(client, model):
    found = run("promote", model, "challenger")
    assert found == {
        "model_name": model,
        "model_version": 4,
        "previous_version": 3,
        "champion_history": [1, 2, 3, 4],
    }
    again = run("promote", model, "4")
    assert (again["previous_version"], again["champion_history"]) == (4, [1, 2, 3, 4])
    text = CliRunner().invoke(app, ["promote", model, "4"]).stdout
    assert text == f"{model}: version 4 is already champion\n"


def test_what_the_gate_promotes_can_be_taken_back(client, model):
    crown(client, model, 4)
    assert run("rollback", model)["model_version"] == 3
    client.set_registered_model_alias(model, "champion", "4")  # by hand, in MLflow's pages
    assert champions(client, model) == [1, 2, 3, 4]
    client.delete_model_version(model, "3")
    assert run("rollback", model)["model_version"] == 2


def test_champions_that_two_machines_promote_at_once_are_both_remembered(client, model):
    before = client.get_registered_model(model).tags.get("champion_history", "[1, 2, 3]")
    crown(client, model, 4)
    client.set_registered_model_tag(model, "champion_history", before)  # as the other one wrote it
    client.set_registered_model_alias(model, "champion", "3")
    assert champions(client, model) == [1, 2, 3, 4, 3]
    assert run("rollback", model)["model_version"] == 4


def test_a_name_with_an_apostrophe(client):
    client.create_registered_model("smoothrank-bob's data")
    run_id = client.create_run("0").info.run_id
    client.create_model_version("smoothrank-bob's data", "file:///nowhere", run_id)
    assert run("promote", "bob's data.csv", "1")["champion_history"] == [1]


def test_a_model_that_is_not_there(client, model):
    with pytest.raises(SmoothrankError, match=f"no model of 'none'; registered are: .*{model}"):
        run_raising("rollback", "none")


def test_a_project_without_models(tmp_path, monkeypatch):
    monkeypatch.setenv("SMOOTHRANK_HOME", str(tmp_path))
    with pytest.raises(SmoothrankError, match="no model was ever made"):
        run_raising("promote", "glass0", "1")
    assert list(tmp_path.iterdir()) == []
