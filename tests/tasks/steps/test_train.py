"""Fits are noted one by one, and taken up from there."""

import gc
import json
import sys

import pytest

from smoothrank.errors import SmoothrankError
from smoothrank.selection import fold_fit
from tasks.problem.candidates import make_estimator
from tasks.problem.folds import folds
from tasks.problem.problem import load_data, make_problem
from tasks.problem.source import fetch_source
from tasks.project.config import Params, SplitParams
from tasks.results.fits import Trained
from tasks.steps.choose import choose
from tasks.steps.train import train
from tasks.workers.fit_notes import fits_folder, forget_fits
from tasks.workers.processes import elsewhere, result_of
from tasks.workers.training_processes import training_processes

PARAMS = {"selection": {"folds": 2, "repeats": 1, "scales": ["standard", "none"]}}


@pytest.fixture
def problem(tmp_path, monkeypatch):
    monkeypatch.setenv("SMOOTHRANK_HOME", str(tmp_path))
    source = fetch_source("glass-0-4_vs_5")
    return make_problem(source, "smooth", "honest", Params.model_validate(PARAMS))


@pytest.fixture
def counted(monkeypatch):
    """Count the fits that are really made."""
    made = []
    original = fold_fit.fit_grid_on_fold

    def fit(*arguments):
        made.append(arguments)
        return original(*arguments)

    monkeypatch.setattr("tasks.steps.train.fit_grid_on_fold", fit)
    return made


def test_every_scaling_on_every_fold(problem, counted):
    found = train(problem, 0.001)
    assert found.value == 0.001
    assert {scale: len(fits) for scale, fits in found.fits.items()} == {
        "standard": 2,
        None: 2,
    }
    assert len(counted) == 4


def test_noted_fits_are_not_made_again(problem, counted):
    whole = train(problem, 0.001)
    path = fits_folder(problem) / "0.001.jsonl"
    lines = path.read_text().splitlines(keepends=True)
    path.write_text("".join(lines[:2]) + lines[2][:40])
    counted.clear()
    again = train(problem, 0.001)
    assert len(counted) == 2
    for scale in ("standard", None):
        for one, other in zip(whole.fits[scale], again.fits[scale], strict=True):
            assert one.auc_by_iteration == other.auc_by_iteration
            assert one.prototypes == other.prototypes
    assert len(path.read_text().splitlines()) == 4
    counted.clear()
    train(problem, 0.001)
    assert counted == []


def test_notes_can_be_forgotten(problem, counted):
    train(problem, 0.001)
    forget_fits(problem)
    counted.clear()
    train(problem, 0.001)
    assert len(counted) == 4


def test_choice_is_of_the_values_tried(problem):
    trained = [train(problem, value) for value in (0.001, 0.1)]
    stored = [Trained.from_json(json.loads(json.dumps(one.to_json()))) for one in trained]
    assert stored == trained
    chosen = choose(problem, stored)
    assert chosen.value in (0.001, 0.1)
    assert chosen.scale in (None, "standard")
    assert len(chosen.cv_auc) == 4
    assert chosen.cv_auc_mean == max(chosen.cv_auc.values())


def is_loaded(module):
    return module in sys.modules


def n_loaded():
    return load_data.cache_info().currsize


def test_processes_load_what_fits_need_before_there_is_one(problem):
    with training_processes(problem, 1):
        assert result_of(elsewhere(is_loaded, "tensorflow"))
        assert result_of(elsewhere(n_loaded)) == 1
        assert result_of(elsewhere(gc.get_freeze_count)) > 0
    assert list(fits_folder(problem).iterdir()) == []


def test_what_cannot_be_loaded_is_told_when_it_is_needed(problem):
    other = problem.model_copy(update={"split": SplitParams(test_share=0.99)})
    with training_processes(other, 1):
        assert result_of(elsewhere(n_loaded)) == 0
        with pytest.raises(SmoothrankError, match="too few rows"):
            result_of(elsewhere(train, other, 0.001))


def test_a_method_with_a_path_fits_its_grid_in_one_pass_for_each_fold(tmp_path, monkeypatch):
    monkeypatch.setenv("SMOOTHRANK_HOME", str(tmp_path))
    params = Params.model_validate(
        {"selection": {"folds": 2, "repeats": 1, "scales": ["none", "standard"]}}
    )
    source = fetch_source("glass5", None, None)
    problem = make_problem(source, "l1", "honest", params)
    passes, original = [], fold_fit.fit_grid_on_fold

    def counted(*arguments):
        passes.append(arguments)
        return original(*arguments)

    monkeypatch.setattr("tasks.steps.train.fit_grid_on_fold", counted)
    trained = [train(problem, value) for value in problem.grid]
    assert len(passes) == 2 * 2
    data = load_data(problem)
    X, y = data.X[data.train], data.y[data.train]
    (rows, validation), _ = folds(problem, data)
    middle = len(problem.grid) // 2
    alone = fold_fit.fit_fold(
        make_estimator(problem, problem.grid[middle], None), X, y, rows, validation
    )
    assert trained[middle].fits[None][0].auc_by_iteration == pytest.approx(alone.auc_by_iteration)
    assert [len(one.fits["standard"]) for one in trained] == [2] * len(problem.grid)
