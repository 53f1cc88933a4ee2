"""The package as others install it: a wheel, in an environment away from this repository.

Packages are borrowed from this environment, so that nothing is downloaded; smoothrank is not.
"""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path

import pandas as pd
import pytest

from smoothrank import __version__
from tests.support.checkout.clone import clean_environment, make_environment
from tests.support.checkout.repository import ROOT
from tests.support.project import table

pytestmark = pytest.mark.services


@pytest.fixture(scope="module")
def wheel(tmp_path_factory):
    folder = tmp_path_factory.mktemp("wheel")
    command = [sys.executable, "-m", "hatchling", "build", "-t", "wheel", "-d", str(folder)]
    subprocess.run(command, cwd=ROOT, check=True, capture_output=True)
    (found,) = folder.glob("*.whl")
    return found


@pytest.fixture(scope="module")
def programs(wheel, tmp_path_factory):
    """The folder of programs of an environment into which the wheel was installed."""
    python = make_environment(tmp_path_factory.mktemp("environment") / "venv")
    uv = str(Path(sys.executable).parent / "uv")
    install = [uv, "pip", "install", "--offline", "--no-deps", "--python", str(python), str(wheel)]
    subprocess.run(install, check=True, capture_output=True)
    return python.parent


@pytest.fixture(scope="module")
def smoothrank(programs, tmp_path_factory):
    """Run the installed command in a folder that has nothing but what is the user's own."""
    folder = tmp_path_factory.mktemp("own")
    table(80).to_csv(folder / "parts.csv", index=False)
    for name in ("flows", "tasks"):  # as our packages are called
        (folder / name).mkdir()
        (folder / name / "__init__.py").write_text("raise ImportError('not ours')\n")

    def run(*arguments: str) -> subprocess.CompletedProcess[str]:
        return subprocess.run(
            [programs / "smoothrank", *arguments],
            cwd=folder, env=clean_environment(), capture_output=True, text=True, check=False,
        )  # fmt: skip

    run.folder = folder  # type: ignore[attr-defined]
    yield run
    run("stop", "--yes")


def test_code_and_command_are_those_of_the_wheel(smoothrank, programs):
    code = (
        "import flows, smoothrank, tasks; print(*(m.__file__ for m in (flows, smoothrank, tasks)))"
    )
    done = subprocess.run(
        [programs / "python", "-P", "-c", code],
        cwd=smoothrank.folder, env=clean_environment(), capture_output=True, text=True, check=True,
    )  # fmt: skip
    places = [Path(place) for place in done.stdout.split()]
    assert all(place.is_relative_to(programs.parent) for place in places)
    assert smoothrank("--version").stdout == f"smoothrank {__version__}\n"


def test_retrain_and_predict_work_on_a_file_away_from_the_repository(smoothrank):
    folder = smoothrank.folder
    before = {path.name for path in folder.iterdir()}
    asked = ("--target", "y", "--positive", "rare", "--method", "smooth", "--jobs", "1")
    done = smoothrank("retrain", "parts.csv", *asked)
    assert done.returncode == 0, done.stderr
    assert f"kept in {folder}: runs and models in mlruns, the rest in .smoothrank" in done.stderr
    assert {path.name for path in folder.iterdir()} == {*before, "mlruns", ".smoothrank"}
    scored = smoothrank(
        "predict", "models:/smoothrank-parts@champion", "parts.csv", "-o", "scored.csv", "--json"
    )
    assert scored.returncode == 0, scored.stderr
    assert json.loads(scored.stdout)["rows"] == 80
    assert {"score", "probability", "class"} <= set(pd.read_csv(folder / "scored.csv").columns)
    assert f"kept in {folder}" not in scored.stderr


def test_what_the_package_reads_is_in_it(smoothrank, programs):
    listed = smoothrank("data", "list", "--json")
    assert len(json.loads(listed.stdout)) == 73
    code = "from tasks.benchmark.paper_tables import paper_test_auc; print(len(paper_test_auc()))"
    done = subprocess.run(
        [programs / "python", "-P", "-c", code],
        cwd=smoothrank.folder, env=clean_environment(), capture_output=True, text=True, check=False,
    )  # fmt: skip
    assert done.stdout == "73\n", done.stderr
