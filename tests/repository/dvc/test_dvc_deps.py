"""Every module that a stage of dvc.yaml imports is among the stage's dependencies."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
import yaml

from scripts.import_graph import imported, module_file
from tests.support.checkout.repository import ROOT

COMMANDS = {
    "smoothrank data verify": "smoothrank.datasets.catalogue.fetch",
    "smoothrank data validate": "flows.commands.data.validate",
    "smoothrank split": "tasks.benchmark.parts",
    "smoothrank benchmark": "flows.benchmark",
    "smoothrank figure": "flows.commands.figure",
    "smoothrank report": "flows.commands.report",
}
"""Where the work of a stage's command begins."""

CARRIERS = ("flows", "tasks/project", "tasks/tracking", "tasks/workers", "tasks/results")
"""They say where, when and how work is done and recorded, and cannot change what is written."""

ELSEWHERE = {
    "flows.commands.data.validate": ("tasks/problem", "tasks/steps"),
}
"""Other commands in the same file, and what they need."""


def stages() -> list[tuple[str, str, list[str]]]:
    """Return name, command and dependencies of every stage of both pipelines."""
    found = []
    for path in (ROOT / "dvc.yaml", ROOT / "small" / "dvc.yaml"):
        for name, stage in yaml.safe_load(path.read_text())["stages"].items():
            body: dict[str, Any] = stage.get("do", stage)
            found.append((f"{path.parent.name}/{name}", body["cmd"], body["deps"]))
    return found


def reached(module: str) -> set[Path]:
    """Return the files of all modules of ours that a module imports, directly or not."""
    waiting, seen = [module], set()
    while waiting:
        path = module_file(waiting.pop())
        if path is not None and path not in seen:
            seen.add(path)
            waiting += imported(path)
    return {path.relative_to(ROOT) for path in seen}


def missing(command: str, deps: list[str]) -> set[str]:
    """Return the imported files that no dependency covers."""
    module = next(place for start, place in COMMANDS.items() if command.startswith(start))
    known = [Path(one) for one in (*deps, *CARRIERS, *ELSEWHERE.get(module, ()))]
    packages = {Path("smoothrank/__init__.py"), Path("tasks/__init__.py")}
    return {
        path.as_posix()
        for path in reached(module) - packages
        if not any(path == one or one in path.parents for one in known)
    }


@pytest.mark.parametrize(("name", "command", "deps"), stages())
def test_what_a_stage_imports_is_among_its_dependencies(name, command, deps):
    assert missing(command, deps) == set()


@pytest.mark.parametrize(("name", "command", "deps"), stages())
def test_dependencies_are_there_and_are_folders_where_they_are_code(name, command, deps):
    for one in deps:
        if one.startswith(("smoothrank/", "tasks/", "flows/")):
            assert (ROOT / one).exists(), one
            assert (ROOT / one).is_dir() or one.count("/") == 1, one


def test_a_dependency_that_is_taken_out_is_missed():
    (benchmark,) = [deps for name, _, deps in stages() if name.endswith(f"{ROOT.name}/benchmark")]
    fewer = [one for one in benchmark if one != "smoothrank/solvers"]
    assert "smoothrank/solvers/master.py" in missing("smoothrank benchmark", fewer)
