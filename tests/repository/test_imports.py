from __future__ import annotations

import subprocess
import sys

CODE = """
import pkgutil, sys, threading
import smoothrank, tasks, flows
from importlib import import_module
from pathlib import Path
before = sorted(Path.cwd().iterdir())
for package in (smoothrank, tasks, flows):
    for module in pkgutil.walk_packages(package.__path__, package.__name__ + "."):
        import_module(module.name)
heavy = {"tensorflow", "gurobipy", "prefect", "mlflow", "great_expectations"}
print(sorted(heavy & set(sys.modules)))
print(sorted(Path.cwd().iterdir()) == before, threading.active_count())
"""


def test_importing_any_module_loads_nothing_heavy_and_does_no_work(tmp_path):
    done = subprocess.run(
        [sys.executable, "-c", CODE], cwd=tmp_path, capture_output=True, text=True, check=False
    )
    assert done.returncode == 0, done.stderr
    assert done.stdout.splitlines() == ["[]", "True 1"]
    assert done.stderr == ""
