"""Which rows a model has seen, and two recipes on the same folds."""

from pathlib import Path

import numpy as np
import pandas as pd
import pytest

from tasks.assessment.recipe_comparison import recipe_comparison
from tasks.problem.problem import load_data, make_problem
from tasks.problem.source import fetch_source
from tasks.problem.training_rows import RULE_FILE, unseen_rows
from tasks.project.config import Params
from tasks.project.retrain_options import RetrainOptions, SplitOptions
from tasks.steps.refit import refit
from tasks.steps.split import split
from tests.support.chosen import chosen_by_hand
from tests.support.project import table, write, write_training_rows


@pytest.fixture
def home(tmp_path, monkeypatch):
    monkeypatch.setenv("SMOOTHRANK_HOME", str(tmp_path))
    return tmp_path


def problem(home, frame, options=None, seed=10):
    given = options or RetrainOptions()
    source = fetch_source(write(home / "t.csv", frame), "y", "rare", given)
    params = Params.model_validate(
        {"split": {"seed": seed}, "selection": {"folds": 3, "repeats": 1}}
    )
    found = make_problem(source, "l1", "honest", params, given, stable=True)
    split(found)
    return found


def split_of(*arguments, **options):
    return load_data(problem(*arguments, **options)).split


def test_rows_of_the_test_part_are_unseen_while_the_file_grows(home):
    write_training_rows(home, split_of(home, table()))
    grown = split_of(home, pd.concat([table(), table(100, seed=1)]))
    unseen = unseen_rows(home, grown)
    assert unseen is not None
    assert unseen.all()


def test_another_split_tests_with_rows_that_were_trained_on(home):
    before = split_of(home, table())
    write_training_rows(home, before)
    after = split_of(
        home, table().sample(frac=1.0, random_state=0)[["y", "kind", "wide", "near"]], seed=11
    )
    names = ["near", "wide", "kind"]
    trained = set(before.dataset.X[names].iloc[before.train].itertuples(index=False))
    tested = after.dataset.X[names].iloc[after.test].itertuples(index=False)
    unseen = unseen_rows(home, after)
    assert unseen is not None
    assert unseen.tolist() == [row not in trained for row in tested]
    assert 0 < unseen.sum() < len(unseen)


def test_no_file_of_pickles_and_sixteen_bytes_a_row(home):
    before = split_of(home, table())
    write_training_rows(home, before)
    rows = np.load(home / "training_rows.npy", allow_pickle=False)
    assert rows.shape == (len(before.train), 2)
    assert rows.dtype == np.uint64


BY_GROUP = RetrainOptions(split=SplitOptions(group="who"))


def people(split, rows):
    return split.dataset.X["who"].to_numpy()[rows]


def test_a_row_is_seen_if_another_of_its_group_was_trained_on(home):
    frame = table(600).assign(who=np.arange(600) // 2)
    before = split_of(home, frame)
    write_training_rows(home, before)
    after = split_of(home, frame, BY_GROUP)
    unseen = unseen_rows(home, after)
    assert unseen is not None
    trained = set(people(before, before.train))
    assert unseen.tolist() == [who not in trained for who in people(after, after.test)]
    of_content = ~np.isin(after.test, before.train)
    assert 0 < unseen.sum() < of_content.sum()


def test_other_rows_of_a_group_that_was_trained_on_are_seen(home):
    frame = table(200).assign(who=np.arange(200) // 2)
    before = split_of(home, frame, BY_GROUP)
    write_training_rows(home, before)
    later = pd.concat([frame.assign(near=0.5), table(80, 3).assign(who=np.arange(80) + 500)])
    after = split_of(home, later, BY_GROUP, seed=13)
    unseen = unseen_rows(home, after)
    assert unseen is not None
    trained = set(people(before, before.train))
    assert unseen.tolist() == [who not in trained for who in people(after, after.test)]
    assert 0 < unseen.sum() < len(unseen)


@pytest.mark.parametrize("damage", ["no rule", "no rule's column", "no number"])
def test_what_is_not_known_is_none(home, damage):
    before = split_of(home, table())
    write_training_rows(home, before)
    if damage == "no rule":
        (home / RULE_FILE).unlink()
    if damage == "no number":
        (home / "training_rows.npy").write_bytes(b"nothing")
    frame = table().drop(columns="kind") if damage == "no rule's column" else table()
    assert unseen_rows(home, split_of(home, frame)) is None


def recipe(home, given, value):
    return str(Path(refit(given, chosen_by_hand(value))).rename(home / f"model-{value}"))


def test_recipes_are_compared_on_the_same_folds(home):
    given = problem(home, table())
    good, bad = recipe(home, given, 0.1), recipe(home, given, 1e-9)
    found = recipe_comparison(given, bad, good)
    assert len(found.new) == len(found.old) == given.folds * given.repeats
    assert (found.n_rows, found.same) == (160, False)
    assert found.share == pytest.approx(0.5, abs=0.01)
    same = recipe_comparison(given, good, good)
    assert same.same
    assert same.new == same.old == found.new


def test_a_large_table_is_compared_by_a_sample(home, monkeypatch):
    monkeypatch.setattr("tasks.assessment.recipe_comparison.MOST_ROWS", 100)
    given = problem(home, table())
    folder = recipe(home, given, 0.1)
    assert recipe_comparison(given, folder, folder).n_rows == 100


def test_slow_recipes_are_compared_on_fewer_folds(home, monkeypatch):
    monkeypatch.setattr("tasks.assessment.recipe_comparison.LONGEST_SECONDS", 0.0)
    monkeypatch.setattr("tasks.assessment.recipe_comparison.LEAST_FOLDS", 2)
    given = problem(home, table())
    folders = [recipe(home, given, value) for value in (0.1, 1.0)]
    found = recipe_comparison(given, *folders)
    assert len(found.new) == len(found.old) == 2
