"""Files with names that folders or registries cannot take as they are."""

import json

import pytest
from typer.testing import CliRunner

from flows.commands.cli import app
from tests.support.project import project, table, write

pytestmark = pytest.mark.services

NAMES = ("o'brien x:y.csv", "...csv", "n" * 245 + ".csv")


@pytest.fixture(scope="module")
def home(tmp_path_factory):
    with project(tmp_path_factory.mktemp("names") / "home") as folder:
        yield folder


def run(*arguments):
    done = CliRunner().invoke(app, arguments)
    assert done.exit_code == 0, done.output
    return done


def everything(folder):
    return {path.relative_to(folder) for path in folder.iterdir()}


@pytest.mark.parametrize("name", NAMES)
def test_a_file_of_any_name_is_retrained_scored_and_found_again(home, name):
    source = write(home / name, table())
    around, inside = everything(home.parent), everything(home)
    asked = ("retrain", source, "--target", "y", "--positive", "rare", "--json")
    found = json.loads(run(*asked).stdout)
    assert found["promoted"] is True
    assert (home / found["report"]).is_file()
    model = f"models:/{found['model_name']}@champion"
    run("predict", model, source, "-o", str(home / "scored.csv"))
    assert "runs" in json.loads(run("ui", source, "--json").stdout)
    again = json.loads(run("promote", source, "1", "--json").stdout)
    assert again["model_name"] == found["model_name"]
    assert everything(home.parent) == around
    new = {str(path) for path in everything(home) - inside}
    assert new <= {".smoothrank", "mlruns", "scored.csv"}
    (home / "scored.csv").unlink()
