"""What no tracked file may hold, and which way imports may point."""

import ast
import re
import subprocess
from pathlib import Path

import pytest

from tests.support.checkout.repository import ROOT

PIPELINE = {"dvc", "great_expectations", "mlflow", "prefect"}
UNSAFE = {"cloudpickle", "dill", "joblib", "marshal", "pickle", "shelve"}


@pytest.fixture(scope="module")
def tracked():
    """Return the text of every tracked file by its path."""
    done = subprocess.run(["git", "ls-files", "-z"], cwd=ROOT, capture_output=True, check=False)
    if done.returncode:
        pytest.skip("this is not a git checkout")
    paths = [Path(name) for name in done.stdout.decode().split("\0") if name]
    return {p: (ROOT / p).read_text(errors="ignore") for p in paths if (ROOT / p).is_file()}


def lines_with(pattern, files):
    """Return "path:line" for every line that matches."""
    return [
        f"{path}:{number}"
        for path, text in files.items()
        for number, line in enumerate(text.splitlines(), 1)
        if re.search(pattern, line)
    ]


def imported(text):
    """Return the top-level names of all modules that a Python file imports, anywhere in it."""
    names = set()
    for node in ast.walk(ast.parse(text)):
        if isinstance(node, ast.Import):
            names |= {alias.name.split(".")[0] for alias in node.names}
        elif isinstance(node, ast.ImportFrom) and node.level == 0 and node.module:
            names.add(node.module.split(".")[0])
    return names


def importers(files, top, forbidden):
    """Return which Python files under `top` import something of `forbidden`, and what."""
    found = {
        str(path): imported(text) & forbidden
        for path, text in files.items()
        if path.suffix == ".py" and (top is None or path.parts[0] == top)
    }
    return {path: names for path, names in found.items() if names}


def test_no_path_of_one_machine(tracked):
    assert lines_with(r"(^|[^\w.])/(home|root|Users|work)/\w", tracked) == []
    assert lines_with(re.escape(str(ROOT)) + r"\b", tracked) == []


def test_no_address_of_a_package_index(tracked):
    assert lines_with(r"[i]ndex-url|[e]xtra-index|[f]ind-links|[p]ythonhosted\.org", tracked) == []
    assert lines_with(r"://|^-", {p: t for p, t in tracked.items() if p.suffix == ".lock"}) == []
    assert [path for path in tracked if path.name == "uv.lock"] == []


def test_nothing_unpickles(tracked):
    assert importers(tracked, None, UNSAFE) == {}


@pytest.mark.parametrize(
    ("top", "forbidden"),
    [("smoothrank", PIPELINE | {"tasks", "flows"}), ("tasks", {"flows"})],
)
def test_imports_point_one_way(tracked, top, forbidden):
    assert importers(tracked, top, forbidden) == {}


def test_no_file_outgrows_a_reader(tracked):
    lengths = {str(p): len(t.splitlines()) for p, t in tracked.items() if p.suffix == ".py"}
    assert {path: n for path, n in lengths.items() if n > 400} == {}
