"""Which rows are put aside, and that they stay so."""

import numpy as np
import pandas as pd
import pytest

from smoothrank.datasets import load_file
from smoothrank.errors import SmoothrankError
from smoothrank.persistence.model_file import load_tabular_model
from tasks.problem.folds import folds
from tasks.problem.problem import load_data, make_problem
from tasks.problem.row_parts import content_rule, split_dataset
from tasks.problem.source import fetch_source
from tasks.problem.split_rule import read_rule
from tasks.project.config import Params, SplitParams
from tasks.project.retrain_options import RetrainOptions, SplitOptions
from tasks.steps.refit import refit
from tasks.steps.split import split
from tests.support.chosen import chosen_by_hand
from tests.support.project import table, write


@pytest.fixture
def home(tmp_path, monkeypatch):
    monkeypatch.setenv("SMOOTHRANK_HOME", str(tmp_path))
    return tmp_path


def problem(path, params=None, options=None, method="smooth"):
    given = options or RetrainOptions()
    source = fetch_source(str(path), "y", "rare", given)
    return make_problem(source, method, "honest", params or Params(), given, stable=True)


def by(**split):
    return RetrainOptions(split=SplitOptions(**split))


def near_values(given, rows):
    return set(load_data(given).dataset.X["wide"].iloc[rows])


def split_of(dataset, by="content", key=None, stored=None, share=0.25):
    rule = content_rule(dataset, SplitParams(test_share=share), by, key)
    return split_dataset(dataset, rule, stored)


@pytest.fixture
def dataset(tmp_path):
    return load_file(write(tmp_path / "t.csv", table(400)), "y", "rare")


def test_each_class_gives_its_share(dataset):
    found = split_of(dataset)
    for label in (1, -1):
        wanted = 0.25 * np.sum(dataset.y == label)
        assert abs(np.sum(dataset.y[found.test] == label) - wanted) <= 0.5
    assert sorted([*found.train, *found.test]) == list(range(400))


def test_test_rows_stay_test_rows_while_the_file_grows(home):
    path = home / "t.csv"
    write(path, table(200))
    first = problem(path)
    split(first)
    tested, trained = (near_values(first, rows) for rows in parts(first))
    for seed in range(1, 6):
        more = table(200, seed).assign(y="rare" if seed == 3 else "usual")
        grown = pd.concat([pd.read_csv(path), more]).sample(frac=1.0, random_state=seed)
        write(path, grown[["kind", "wide", "near", "y"]])
        later = problem(path)
        assert split(later).split_note == ""
        test, train = (near_values(later, rows) for rows in parts(later))
        assert tested <= test
        assert trained <= train
        tested, trained = test, train
    assert 0.15 < len(tested) / 1200 < 0.35


def parts(given):
    data = load_data(given)
    return data.test, data.train


def test_equal_rows_share_their_part_whatever_their_class(home):
    frame = pd.concat([table(60)] * 4, ignore_index=True)
    frame.loc[::7, "y"] = "rare"
    given = problem(write(home / "t.csv", frame))
    assert not near_values(given, load_data(given).test) & near_values(
        given, load_data(given).train
    )


def test_the_rule_is_stored_once_and_drawn_anew_where_something_changes(home):
    path = home / "t.csv"
    write(path, table())
    split(problem(path))
    stored = read_rule("t")
    assert stored is not None
    assert stored.columns == ("kind", "near", "wide")
    assert split(problem(path)).split_note == ""
    assert read_rule("t") == stored
    other = Params.model_validate({"split": {"test_share": 0.4}})
    note = "a new split was drawn: the split.test_share is 0.4, no longer 0.25"
    assert split(problem(path, other)).split_note == note
    assert split(problem(path, other)).split_note == note
    write(path, table().drop(columns="kind"))
    assert "no longer has 'kind'" in split(problem(path, other)).split_note
    write(path, pd.concat([table().drop(columns="kind"), table(20, 9).drop(columns="kind")]))
    assert split(problem(path, other)).split_note == ""


def test_the_key_is_that_of_the_split_and_the_same_before_and_after_it_is_stored(home):
    path = home / "t.csv"
    write(path, table())
    before = problem(path)
    split(before)
    assert (problem(path).key, problem(path).identity) == (before.key, before.identity)
    write(path, pd.concat([table(), table(20, 1)]))
    grown = problem(path).key
    (home / ".smoothrank" / "data" / "t" / "split.json").unlink()
    assert len({before.key, grown, problem(path).key}) == 3


def test_a_damaged_rule_is_named(home):
    path = home / "t.csv"
    write(path, table())
    split(problem(path))
    (home / ".smoothrank" / "data" / "t" / "split.json").write_text("{}")
    with pytest.raises(SmoothrankError, match="does not say how rows are split"):
        problem(path)


def test_an_id_decides_and_may_change_its_content(home):
    path, options = home / "t.csv", RetrainOptions.model_validate({"columns": {"id": "who"}})
    frame = table(200).assign(who=[f"c{i // 2}" for i in range(200)])
    write(path, frame)
    split(problem(path, options=options))
    before = load_data(problem(path, options=options))
    people = before.dataset.X["who"]
    assert not set(people.iloc[before.test]) & set(people.iloc[before.train])
    write(path, frame.assign(near=0.0))
    after = load_data(problem(path, options=options))
    assert np.array_equal(before.test, after.test)


def test_groups_are_never_torn_apart_and_not_learnt_from(home):
    frame = table(300).assign(who=np.arange(300) // 6 + 1000)
    given = problem(write(home / "t.csv", frame), options=by(group="who"))
    data, who = load_data(given), frame["who"].to_numpy()
    assert not set(who[data.test]) & set(who[data.train])
    assert 0.2 < len(data.test) / 300 < 0.3
    found = folds(given, data)
    assert len(found) == given.folds * given.repeats
    for rows, validation in found:
        assert not set(who[data.train][rows]) & set(who[data.train][validation])
    assert "who" not in list(data.encoder.get_feature_names_out())
    assert "left out: who (as --group says)" in " ".join(data.encoder.notes)


def test_the_latest_rows_are_put_aside_and_folds_go_forward(home):
    days = pd.date_range("2024-01-01", periods=150).repeat(2).strftime("%Y-%m-%d")
    frame = table(300).assign(day=days).sample(frac=1.0, random_state=0)
    given = problem(write(home / "t.csv", frame), options=by(time="day"))
    data, day = load_data(given), frame["day"].to_numpy()
    assert min(day[data.test]) > max(day[data.train])
    assert len(data.test) in (74, 76)
    found = folds(given, data)
    assert len(found) == given.folds
    for rows, validation in found:
        assert max(day[data.train][rows]) < min(day[data.train][validation])
    assert "left out: day (as --time says)" in " ".join(data.encoder.notes)


@pytest.mark.parametrize(
    ("options", "text"),
    [
        ({"group": "none"}, "no input column 'none'; there are 'near', 'wide'"),
        ({"group": "y"}, "no input column 'y'"),
        ({"time": "kind"}, "'kind' holds neither numbers nor dates: row 1 is"),
        ({"time": "gap"}, "'gap' is missing in 1 rows, first in row 3"),
        ({"time": "order"}, "both parts need both classes"),
        ({"group": "order"}, "cannot be divided"),
    ],
)
def test_what_cannot_be_split_is_one_line(home, options, text):
    frame = table().assign(gap=np.arange(160.0)).sort_values("y", ignore_index=True)
    frame.loc[2, "gap"] = np.nan
    frame["order"] = (frame["y"] == "rare").astype(int)
    given = problem(write(home / "t.csv", frame), options=by(**options))
    with pytest.raises(SmoothrankError, match=text) as error:
        load_data(given)
    assert "\n" not in str(error.value)


@pytest.mark.parametrize(
    ("selection", "options"), [("honest", {"group": "a", "time": "b"}), ("paper", {"time": "b"})]
)
def test_what_excludes_each_other_is_said(home, selection, options):
    source = fetch_source(write(home / "t.csv", table()), "y", "rare")
    with pytest.raises(SmoothrankError, match="--group and --time"):
        make_problem(source, "smooth", selection, Params(), by(**options), stable=True)


@pytest.mark.parametrize("rare", [1, 2])
def test_too_few_rows_of_a_class_are_named(home, rare):
    frame = table(50).assign(y=["rare"] * rare + ["usual"] * (50 - rare))
    with pytest.raises(SmoothrankError, match=f"{rare} positive, {50 - rare} negative"):
        load_data(problem(write(home / "t.csv", frame)))


def test_three_rows_of_a_class_are_enough(home):
    frame = table(50).assign(y=["rare"] * 3 + ["usual"] * 47)
    data = load_data(problem(write(home / "t.csv", frame)))
    assert [np.sum(data.y[rows] == 1) for rows in (data.train, data.test)] == [2, 1]


def test_the_paper_s_split_is_left_alone(home):
    path = write(home / "t.csv", table())
    source = fetch_source(path, "y", "rare")
    given = make_problem(source, "smooth", "paper", Params(), stable=True)
    split(given)
    assert read_rule("t") is None
    assert given.split_key == ("random", None)


def test_test_rows_are_never_trained_on(home):
    path, options = home / "t.csv", RetrainOptions.model_validate({"columns": {"id": "who"}})
    frame = table(120).assign(who=np.arange(120))
    chosen = chosen_by_hand(0.1)
    write(path, frame)
    first = problem(path, options=options, method="l1")
    split(first)
    tested = load_data(first).test
    other = frame.copy()
    other.loc[tested, "near"] *= -1.0
    write(path, other)
    second = problem(path, options=options, method="l1")
    assert np.array_equal(load_data(second).test, tested)
    with_other = scores(refit(second, chosen), frame)
    write(path, frame)
    assert np.array_equal(scores(refit(first, chosen), frame), with_other)
    other = frame.copy()
    other.loc[load_data(first).train, "near"] *= -1.0
    write(path, other)
    third = problem(path, options=options, method="l1")
    assert not np.allclose(scores(refit(third, chosen), frame), with_other)


def scores(folder, frame):
    return load_tabular_model(folder).decision_function(frame)
