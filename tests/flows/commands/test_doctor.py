from __future__ import annotations

import json
import os
import shutil
import subprocess
import sys
from importlib.metadata import version
from pathlib import Path

import pytest

from flows.servers.project_servers import ensure_prefect_server
from flows.servers.schedule_record import claim_schedule
from smoothrank.datasets.catalogue.catalogue import catalogue
from smoothrank.datasets.catalogue.fetch import fetch_dataset
from smoothrank.solvers.lp.gurobi import licence

SMOOTHRANK = Path(sys.executable).parent / "smoothrank"


def doctor(*arguments):
    command = [SMOOTHRANK, "doctor", *arguments]
    done = subprocess.run(command, check=False, capture_output=True, text=True, timeout=400)
    assert done.stderr == ""
    return done


@pytest.fixture
def two_data_sets(tmp_path, monkeypatch):
    folder = tmp_path / "data"
    folder.mkdir()
    for name in ("glass0", "pima"):
        fetch_dataset(name, folder)
    monkeypatch.setenv("SMOOTHRANK_DATA", str(folder))
    return folder


def test_all_is_well(shared_project, two_data_sets):
    api = ensure_prefect_server()
    done = doctor("--json")
    assert done.returncode == 0
    facts = json.loads(done.stdout)
    assert facts["problems"] == []
    assert facts["smoothrank"] == version("smoothrank")
    assert facts["python"] == ".".join(map(str, sys.version_info[:3]))
    for package in ("prefect", "mlflow", "gurobipy", "highspy", "tensorflow-cpu"):
        assert facts["packages"][package] == version(package)
    own = {"named_by": None, "fault": None, "database": None}
    address = api.removesuffix("/api")
    assert facts["servers"]["prefect"] == {"answers": True, "address": address, **own}
    assert facts["home"] == str(shared_project.resolve())
    ours = [(one["name"], one["address"]) for one in facts["all_servers"] if one["home_exists"]]
    assert ("prefect", api.removesuffix("/api")) in ours
    assert facts["schedules"] == []
    data = facts["data"]
    assert data["folder"] == str(two_data_sets)
    assert (data["known"], data["unchanged"], data["changed"]) == (73, 2, [])
    assert set(data["missing"]) == set(catalogue()) - {"glass0", "pima"}
    free = shutil.disk_usage(shared_project).free / 1e9
    assert facts["disk_free_gb"] == pytest.approx(free, abs=2.0)


def test_solver_and_licence(project, two_data_sets):
    facts = json.loads(doctor("--json").stdout)["solver"]
    found = licence()
    assert (facts["gurobi"], facts["gurobi_size_limit"]) == (found.available, found.size_limit)
    assert facts["small"] == ("gurobi" if found.available else "highs")
    assert facts["large"] == ("gurobi" if found.carries(10**6, 10**6) else "highs")
    text = doctor().stdout
    solver = next(line for line in text.splitlines() if line.startswith("solver"))
    assert f"HiGHS {version('highspy')}" in solver or found.size_limit is None
    if found.size_limit:
        assert f"up to {found.size_limit} columns and rows" in solver
    assert "prefect     not running" in text
    assert "schedules   none running" in text


def test_schedules_of_the_project_are_named(project, two_data_sets):
    claim_schedule("parts", "every 5 s")
    facts = json.loads(doctor("--json").stdout)
    assert facts["schedules"] == [{"name": "parts", "pid": os.getpid(), "times": "every 5 s"}]


def test_changed_data_is_a_problem_that_is_named(project, two_data_sets):
    changed = two_data_sets / catalogue()["pima"].file
    changed.write_text(changed.read_text().replace("1", "2", 1))
    done = doctor()
    assert done.returncode == 1
    assert "1 of 73 data sets are here and unchanged" in done.stdout
    problem = next(line for line in done.stdout.splitlines() if line.startswith("problem"))
    assert "pima" in problem
    assert "`smoothrank data fetch`" in problem


def test_asking_leaves_no_trace(project, two_data_sets):
    doctor()
    assert list(project.iterdir()) == []
