"""Results of experiments are kept under all that decides them, the code too."""

import json
import shutil
import warnings
from dataclasses import replace
from pathlib import Path

import pytest
from sklearn.exceptions import ConvergenceWarning

from smoothrank.selection.experiment import run_experiment
from tasks.benchmark.experiment import experiment, experiment_key, stored_experiment
from tasks.benchmark.parts import make_parts
from tasks.problem import code_digest as code
from tasks.problem.problem import make_problem
from tasks.problem.source import fetch_source
from tasks.project.config import Params


@pytest.fixture
def home(tmp_path, monkeypatch):
    monkeypatch.setenv("SMOOTHRANK_HOME", str(tmp_path))
    return tmp_path


def make(grid=(0.1, 1.0)):
    params = Params.model_validate({"selection": {"grids": {"l1": grid}}})
    return make_problem(fetch_source("zoo-3", None, None), "l1", "paper", params)


def test_a_result_is_run_once_and_a_damaged_one_again(home):
    problem = make()
    parts = make_parts(problem)
    assert stored_experiment(problem, parts) is None
    first = experiment(problem, parts)
    assert first.result.test_auc == pytest.approx(1.0)
    assert first.result.fold_aucs.keys() == {(0.1, None), (1.0, None)}
    assert stored_experiment(problem, parts) == first
    (path,) = (home / ".smoothrank" / "benchmark").iterdir()
    stored = json.loads(path.read_text())
    stored["result"]["test_auc"] = 0.125
    path.write_text(json.dumps(stored))
    assert experiment(problem, parts).result.test_auc == 0.125
    path.write_text(json.dumps(stored)[:-20])
    assert experiment(problem, parts).result == first.result


def test_the_key_changes_with_grid_parts_and_code(home, monkeypatch):
    problem = make()
    parts = make_parts(problem)
    turned = [
        replace(parts, train=parts.train[::-1]),
        replace(parts, test=parts.test[::-1]),
        replace(parts, folds=parts.folds[::-1]),
    ]
    keys = {experiment_key(problem, one) for one in (parts, *turned)}
    keys.add(experiment_key(make((0.1, 10.0)), parts))
    monkeypatch.setattr("tasks.problem.problem.code_digest", lambda: "other code")
    keys.add(experiment_key(problem, parts))
    assert len(keys) == 6


@pytest.mark.filterwarnings("error::sklearn.exceptions.ConvergenceWarning")
def test_rule_scalings_and_solver_are_those_of_the_problem(home, monkeypatch):
    asked = {}

    def run(chosen, X, y, parts, **settings):
        asked.update(settings)
        warnings.warn("a gap is open", ConvergenceWarning, stacklevel=2)
        return run_experiment(chosen, X, y, parts, **settings)

    monkeypatch.setattr("tasks.benchmark.experiment.run_experiment", run)
    grids, scales = {"smooth": (0.01,)}, ("none", "standard")
    selection = {"grids": grids, "scales": scales, "folds": 2, "repeats": 1}
    params = Params.model_validate({"selection": selection, "training": {"solver": "highs"}})
    problem = make_problem(fetch_source("zoo-3", None, None), "smooth", "honest", params)
    parts = make_parts(problem)
    found = experiment(problem, parts)
    assert asked == {"selection": "honest", "scales": (None, "standard"), "solver": "highs"}
    assert found.result.fold_aucs.keys() == {(0.01, None), (0.01, "standard")}
    assert found.seconds > 0
    assert stored_experiment(problem, parts) == found


@pytest.fixture
def copied(tmp_path, monkeypatch):
    """The package somewhere else, to be changed."""
    folder = tmp_path / "smoothrank"
    shutil.copytree(code.package_folder(), folder, ignore=shutil.ignore_patterns("__pycache__"))
    monkeypatch.setattr(code, "package_folder", lambda: folder)

    def digest():
        code.code_digest.cache_clear()
        code.deciding_files.cache_clear()
        return code.code_digest()

    yield folder, digest
    code.code_digest.cache_clear()
    code.deciding_files.cache_clear()


def test_code_that_decides_fits_counts_and_pictures_do_not(copied):
    folder, digest = copied
    files = {path.relative_to(folder).as_posix() for path in (digest(), code.deciding_files())[1]}
    lazily = {"solvers/pricing.py", "solvers/lp/gurobi.py", "solvers/lp/highs.py"}
    assert (
        lazily | {"solvers/master.py", "selection/experiment.py", "datasets/keel/reader.py"}
        <= files
    )
    assert not {"plots/style.py", "datasets/xor.py", "evaluation/rank_tests.py"} & files
    assert not [name for name in files if name.startswith("persistence/")]
    before = digest()
    for name, counts in (("plots/style.py", False), ("solvers/pricing.py", True)):
        _append(folder / name)
        assert (digest() != before) == counts


@pytest.mark.parametrize(
    "line",
    [
        "from smoothrank.added import thing",
        "from smoothrank import added",
        "import smoothrank.added",
    ],
)
def test_a_module_counts_however_it_is_imported(copied, line):
    folder, digest = copied
    (folder / "added.py").write_text("thing = 1\n")
    digest()
    assert folder / "added.py" not in code.deciding_files()
    importing = folder / "solvers" / "pricing.py"
    importing.write_text(f"{importing.read_text()}\n\ndef later():\n    {line}\n")
    digest()
    assert folder / "added.py" in code.deciding_files()


def _append(path: Path) -> None:
    path.write_text(path.read_text() + "\n# changed\n")
