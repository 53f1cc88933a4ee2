from __future__ import annotations

import subprocess
import sys

CODE = """
import pkgutil, sys, threading
import smoothrank, tasks, flows
from importlib import import_module
from pathlib import Path
before = sorted(Path.cwd().iterdir())
heavy = {"tensorflow", "gurobipy", "prefect", "mlflow", "great_expectations"}
of_prefect = ["benchmark", "flow_run", "retrain", "schedule", "serving"]
of_prefect = [f"flows.{name}" for name in of_prefect]
names = [
    module.name
    for package in (smoothrank, tasks, flows)
    for module in pkgutil.walk_packages(package.__path__, package.__name__ + ".")
]
for name in names:
    if name not in of_prefect:
        import_module(name)
print(sorted(heavy & set(sys.modules)))
for name in of_prefect:
    import_module(name)
print(sorted(heavy & set(sys.modules)))
print(sorted(Path.cwd().iterdir()) == before, threading.active_count())
"""


def test_importing_loads_nothing_heavy_but_prefect_for_the_flows_and_does_no_work(tmp_path):
    done = subprocess.run(
        [sys.executable, "-c", CODE], cwd=tmp_path, capture_output=True, text=True, check=False
    )
    assert done.returncode == 0, done.stderr
    assert done.stdout.splitlines() == ["[]", "['prefect']", "True 1"]
    assert done.stderr == ""
