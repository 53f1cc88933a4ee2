"""Results of experiments are kept under all that decides them, the code too."""

import json
import shutil
from pathlib import Path

import pytest

from tasks import code_digest as code
from tasks.config import Params
from tasks.experiment import experiment, experiment_key, stored_experiment
from tasks.fetch import fetch_source
from tasks.parts import make_parts
from tasks.problem import make_problem


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


def test_the_key_changes_with_grid_and_parts(home):
    problem = make()
    parts = make_parts(problem)
    turned = type(parts)(parts.train[::-1], parts.test, parts.folds)
    keys = {
        experiment_key(problem, parts),
        experiment_key(make((0.1, 10.0)), parts),
        experiment_key(problem, turned),
    }
    assert len(keys) == 3


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
    lazily = {"pricing.py", "solvers/gurobi.py", "solvers/highs.py"}
    assert lazily | {"master.py", "experiment.py", "preprocess.py", "datasets/keel.py"} <= files
    assert not {"plots.py", "xor.py", "statistics.py"} & files
    before = digest()
    for name, counts in (("plots.py", False), ("pricing.py", True)):
        _append(folder / name)
        assert (digest() != before) == counts


def _append(path: Path) -> None:
    path.write_text(path.read_text() + "\n# changed\n")
