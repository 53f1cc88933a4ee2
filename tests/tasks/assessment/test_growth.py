"""A better challenger is not refused because the champion knows the test rows."""

import numpy as np
import pandas as pd
import pytest

from smoothrank.evaluation.delong import compare_auc
from smoothrank.losses.pairwise_hinge import Pairs, auc
from smoothrank.persistence.model_file import load_tabular_model
from tasks.problem.problem import load_data, make_problem
from tasks.problem.source import fetch_source
from tasks.problem.training_rows import unseen_rows
from tasks.project.config import Params
from tasks.steps.refit import refit
from tasks.steps.split import split
from tests.support.chosen import chosen_by_hand
from tests.support.project import write_training_rows

LIMIT = 0.05
CHOSEN = chosen_by_hand(10.0)


def rows(count, rng, turn=0.0):
    """Two columns that matter, the second the other way round after a turn, and six of noise."""
    X = rng.normal(size=(count, 8))
    odds = 1.2 * X[:, 0] + (1.0 - 2.0 * turn) * X[:, 1] - 1.3
    frame = pd.DataFrame(X).add_prefix("x")
    return frame.assign(y=np.where(rng.random(count) < 1.0 / (1.0 + np.exp(-odds)), "yes", "no"))


def trained(path, frame, stable):
    """A model, and the rows of the present file."""
    frame.to_csv(path, index=False)
    source = fetch_source(str(path), "y", "yes")
    problem = make_problem(source, "ranking-svm", "honest", Params(), stable=stable)
    split(problem)
    return load_tabular_model(refit(problem, CHOSEN)), load_data(problem)


def on_test_rows(new, old, data, chosen=None):
    chosen = np.ones(len(data.test), dtype=bool) if chosen is None else chosen
    frame = data.raw_test[chosen]
    return compare_auc(
        new.decision_function(frame),
        old.decision_function(frame),
        (data.y[data.test] == 1)[chosen],
    )


def p_of_both_rules(folder, start, grown, turn, seed):
    """How much better the challenger truly is, and p of the old rule and of the new."""
    rng = np.random.default_rng(seed)
    first, more = rows(start, rng), rows(grown - start, rng, turn)
    p = []
    for stable in (False, True):
        path = folder / f"t{seed}-{stable}.csv"
        old, before = trained(path, first, stable)
        write_training_rows(folder, before.split)
        new, data = trained(path, pd.concat([first, more]), stable)
        unseen = unseen_rows(folder, data.split) if stable else None
        p.append(on_test_rows(new, old, data, unseen).p_worse)
    fresh = rows(4000, rng, turn)
    pairs = Pairs.from_labels((fresh["y"] == "yes").to_numpy())
    gain = auc(new.decision_function(fresh), pairs) - auc(old.decision_function(fresh), pairs)
    return gain, *p


@pytest.fixture
def home(tmp_path, monkeypatch):
    monkeypatch.setenv("SMOOTHRANK_HOME", str(tmp_path))
    return tmp_path


def test_a_champion_does_not_win_by_rows_that_it_knows(home):
    found = [p_of_both_rules(home, 160, 320, 0.3, seed) for seed in (1, 3, 4)]
    assert all(gain > 0.0 for gain, *_ in found)
    of_old, of_new = zip(*(p for _, *p in found), strict=True)
    assert sum(p < LIMIT for p in of_old) >= 2
    assert sum(p < LIMIT for p in of_new) == 0
