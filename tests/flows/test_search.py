"""The search with real fits, in this process: rounds, what is left out, going on, and its end."""

import json
import math
import time
from dataclasses import asdict, replace
from types import SimpleNamespace

import pytest

from flows.search import Search
from smoothrank.selection import fold_fit
from smoothrank.selection.halving import HalvingRound, SearchPlan
from smoothrank.selection.methods import method
from tasks.problem.problem import load_data, make_problem
from tasks.problem.source import fetch_source
from tasks.project.config import Params
from tasks.project.retrain_options import RetrainOptions
from tasks.results.fits import Trained
from tasks.steps.choose import choose
from tasks.steps.search import first_shares, refit_seconds
from tasks.steps.train import Share, is_whole, train
from tasks.workers.fit_notes import forget_fits
from tests.support.project import table, write

GRID = [1e-4, 1e-3, 1e-2, 1e-1]
PARAMS = {
    "selection": {
        "folds": 3,
        "repeats": 2,
        "scales": ["none", "standard"],
        "grids": {"smooth": GRID, "l1": [0.1, 1.0]},
    }
}
PLAN = SearchPlan(150, (HalvingRound(8, 2), HalvingRound(4, 3), HalvingRound(2, 6)))


class Here:
    """Trains at once, as the flow's task does, and is killed before a given share."""

    def __init__(self, killed_before=math.inf):
        self.labels, self._killed_before = [], killed_before

    def submit(self, problem, value, share, deadline, label):
        if len(self.labels) >= self._killed_before:
            raise KeyboardInterrupt
        self.labels.append(label)
        trained = train(problem, value, share, deadline)
        is_cut = not is_whole(problem, share, trained)
        return SimpleNamespace(
            wait=lambda: None,
            result=lambda: json.loads(json.dumps(trained.to_json())),
            state=SimpleNamespace(is_cancelled=lambda: is_cut),
        )


@pytest.fixture
def problem(tmp_path, monkeypatch):
    monkeypatch.setenv("SMOOTHRANK_HOME", str(tmp_path))
    source = fetch_source(write(tmp_path / "rare.csv", table(260)), "y", "rare")
    return make_problem(source, "smooth", "honest", Params.model_validate(PARAMS))


@pytest.fixture
def by_halves(problem, monkeypatch):
    monkeypatch.setattr("flows.search.plan_of", lambda problem: PLAN)
    return problem


@pytest.fixture
def counted(monkeypatch):
    made, original = [], fold_fit.fit_grid_on_fold

    def fit(*arguments):
        made.append(arguments)
        return original(*arguments)

    monkeypatch.setattr("tasks.steps.train.fit_grid_on_fold", fit)
    return made


def search(problem, here=None, began=math.inf, tracked=None):
    tracked = [] if tracked is None else tracked
    return Search(problem, here or Here(), began).finish(tracked.append)


def chosen(problem, searched):
    found = choose(problem, searched.trained, searched.finalists, searched.record)
    return {
        name: getattr(found, name) for name in ("value", "scale", "n_prototypes", "cv_auc_mean")
    }


def test_small_data_is_searched_wholly_in_one_round(problem, counted):
    here = Here()
    found = search(problem, here)
    assert sorted(here.labels) == ["C=0.0001", "C=0.001", "C=0.01", "C=0.1"]
    assert len(counted) == found.record.n_fits == found.record.n_fits_of_all == 48
    assert len(found.finalists) == 8
    assert found.record.left_out == ()
    assert chosen(problem, found)["cv_auc_mean"] == max(
        choose(problem, found.trained).cv_auc.values()
    )


def test_rounds_drop_the_worse_and_say_by_how_much(by_halves, counted):
    tracked: list[Trained] = []
    found = search(by_halves, tracked=tracked)
    assert len(counted) == found.record.n_fits == PLAN.n_fits == 16 + 4 + 6
    assert found.record.n_rows == 150
    assert [len(train) + len(rest) for _, _, _, train, rest, _ in counted] == [150] * 26
    assert len(found.finalists) == 2
    left_out = found.record.left_out
    assert [one.round for one in left_out] == [1] * 4 + [2] * 2
    assert all(one.behind >= 0 for one in left_out)
    assert found.record.n_folds == 6
    every = [one.value for one in (*tracked, *found.untracked)]
    assert sorted(every) == GRID
    assert asdict(found.record)["rounds"][0] == {"n_candidates": 8, "n_folds": 2}
    means = choose(by_halves, found.trained, found.finalists).cv_auc
    assert len(means) == 8


def test_the_same_again_finds_the_same_and_a_killed_search_goes_on(by_halves, counted):
    whole = search(by_halves)
    n_whole = len(counted)
    forget_fits(by_halves)
    counted.clear()
    with pytest.raises(KeyboardInterrupt):
        search(by_halves, Here(killed_before=6))
    n_before = len(counted)
    assert 0 < n_before < n_whole
    again = search(by_halves)
    assert len(counted) == n_whole
    assert chosen(by_halves, again) == chosen(by_halves, whole)
    assert again.finalists == whole.finalists


def test_values_of_a_thinned_grid_are_not_tried_and_said_to_be_left_out(problem, monkeypatch):
    plan = SearchPlan(150, (HalvingRound(4, 3), HalvingRound(2, 6)), step=3)
    monkeypatch.setattr("flows.search.plan_of", lambda problem: plan)
    found = search(problem)
    assert {one.value for one in found.trained} == {GRID[0], GRID[3]}
    never = {one.value for one in found.record.left_out if one.round == 0}
    assert never == {GRID[1], GRID[2]}
    assert found.record.n_fits == plan.n_fits < found.record.n_fits_of_all


def test_another_sample_is_noted_apart(by_halves, counted, monkeypatch):
    search(by_halves)
    counted.clear()
    monkeypatch.setattr("flows.search.plan_of", lambda problem: replace(PLAN, n_rows=160))
    search(by_halves)
    assert len(counted) == PLAN.n_fits


def test_when_the_budget_ends_the_best_so_far_is_taken(problem, monkeypatch):
    late = problem.model_copy(update={"budget": 1e-6})
    tracked: list[Trained] = []
    found = search(late, began=0.0, tracked=tracked)
    assert found.record.ended_early
    assert {value for value, _ in found.finalists} == {GRID[2]}
    assert {one.value for one in found.record.left_out} == {1e-4, 1e-3, 1e-1}
    assert {one.round for one in found.record.left_out} == {0}
    assert chosen(late, found)["value"] == GRID[2]
    assert [one.value for one in (*tracked, *found.untracked)] == [GRID[2]]
    again = search(late.model_copy(update={"budget": 3600.0}))
    assert not again.record.ended_early


def test_a_budget_that_ends_in_a_later_round_keeps_the_folds_that_all_have(by_halves, monkeypatch):
    class Late(Here):
        def submit(self, problem, value, share, deadline, label):
            is_late = label.endswith("round 3") and self.labels[-1].endswith("round 3")
            return super().submit(problem, value, share, 0.0 if is_late else deadline, label)

    found = search(by_halves, Late())
    assert found.record.ended_early
    assert found.record.n_folds == 3
    assert len(found.finalists) == 2


@pytest.fixture
def path_problem(problem):
    params = Params.model_validate(PARAMS)
    return make_problem(problem.source, "l1", "honest", params)


def folds_of_values(found):
    return {one.value: [len(fits) for fits in one.fits.values()] for one in found.trained}


def test_with_a_path_the_budget_ends_after_the_first_round_whichever_value_is_the_first(
    path_problem,
):
    late = path_problem.model_copy(update={"budget": 1e-6})
    found = search(late, began=0.0)
    assert found.record.ended_early
    assert folds_of_values(found) == {0.1: [2, 2], 1.0: [2, 2]}
    assert (found.record.n_folds, len(found.finalists)) == (2, 4)
    assert found.record.left_out == ()


def test_a_share_that_another_process_finished_is_not_cut_short(path_problem, monkeypatch):
    """The second value's task gives up at once, and the first one makes all fits of both."""

    class Later(Here):
        def submit(self, problem, value, share, deadline, label):
            end = deadline if value == 1.0 else 0.0
            return super().submit(problem, value, share, end, label)

    plan = SearchPlan(195, (HalvingRound(4, 6),))
    monkeypatch.setattr("flows.search.plan_of", lambda problem: plan)
    monkeypatch.setattr("flows.search.first_shares", others_first)
    found = search(path_problem, Later())
    assert not found.record.ended_early
    assert folds_of_values(found) == {0.1: [6, 6], 1.0: [6, 6]}


def others_first(problem, plan):
    return first_shares(problem, plan)[::-1]


def test_a_pass_is_not_begun_that_would_end_too_late(path_problem, counted_passes):
    """How long one takes is known from the folds that any process has finished."""
    share = Share((None,), 2)
    train(path_problem, 0.1, share)
    assert len(counted_passes) == 2
    soon = time.monotonic() + 1000.0
    assert len(train(path_problem, 1.0, Share((None,), 3), soon).fits[None]) == 2
    assert len(counted_passes) == 2


@pytest.fixture
def counted_passes(monkeypatch):
    """Count passes over the grid, each of which says that it took an hour."""
    made, original = [], fold_fit.fit_grid_on_fold

    def fit(*arguments):
        made.append(arguments)
        return [replace(one, seconds=1800.0) for one in original(*arguments)]

    monkeypatch.setattr("tasks.steps.train.fit_grid_on_fold", fit)
    return made


def test_the_refit_is_expected_to_be_as_slow_as_the_passes(path_problem):
    alike = fold_fit.FoldFit((0.8,), 3, 0.0, [], [], 1.0)
    slower = replace(alike, seconds=2.0)
    told = [refit_seconds(path_problem, {(0.1, None): [fit]}, 150) for fit in (alike, slower)]
    assert told[1] == pytest.approx(2 * told[0])
    cost, n_train = method("l1").cost, len(load_data(path_problem).train)
    n_features = load_data(path_problem).X.shape[1]
    assert refit_seconds(path_problem, {}, 150) == cost.of_refit(n_train, n_features)
    passes = cost.of_refit(n_train, n_features) / cost.of_fit(150, n_features)
    assert told[0] == pytest.approx(2.0 * passes)  # two values in a pass of two seconds


def test_paper_knows_no_budget(tmp_path, monkeypatch):
    monkeypatch.setenv("SMOOTHRANK_HOME", str(tmp_path))
    source = fetch_source(write(tmp_path / "rare.csv", table()), "y", "rare")
    params, options = Params.model_validate(PARAMS), RetrainOptions(budget=1e-6)
    problem = make_problem(source, "smooth", "paper", params, options)
    assert problem.budget is None
    found = search(problem, began=0.0)
    assert found.record.n_fits == found.record.n_fits_of_all == 4 * 5
    assert not found.record.ended_early


def test_budget_of_params_and_of_the_command(tmp_path, monkeypatch):
    monkeypatch.setenv("SMOOTHRANK_HOME", str(tmp_path))
    source = fetch_source(write(tmp_path / "rare.csv", table()), "y", "rare")
    params = Params.model_validate({"selection": {"budget": "2m"}})
    assert make_problem(source, "smooth", "honest", params).budget == 120.0
    asked = RetrainOptions(budget=30.0)
    assert make_problem(source, "smooth", "honest", params, asked).budget == 30.0
    assert make_problem(source, "smooth", "honest", Params()).budget is None
