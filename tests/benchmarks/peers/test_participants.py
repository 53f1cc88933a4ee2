"""The participants: what is always there, what needs a package, and their sizes."""

from __future__ import annotations

import subprocess
import sys

import numpy as np
import pytest
from sklearn.base import clone
from sklearn.datasets import make_classification

import smoothrank
from benchmarks.peers.__main__ import usable_methods
from benchmarks.peers.participants import PARTICIPANTS, Shape, base
from smoothrank.errors import SmoothrankError

ALWAYS = [one.name for one in PARTICIPANTS if not one.needs and "smoothrank" not in one.name]


@pytest.fixture(scope="module")
def data():
    return make_classification(n_samples=80, n_features=5, weights=[0.7], random_state=0)


@pytest.mark.parametrize("name", ALWAYS)
def test_every_candidate_fits_scores_and_has_a_size(name, data):
    X, y = data
    one = PARTICIPANTS[name]
    model = clone(one.candidates(Shape(80, 5, 5))[-1]).fit(X, y)
    assert base.score_of_rows(model, X).shape == (80,)
    assert one.size(model) > 0
    assert hasattr(model, "predict_proba") or not one.has_probabilities


def test_sizes_count_what_they_say(data):
    X, y = data
    X = np.column_stack((X, np.zeros(len(X))))

    def size(name):
        one = PARTICIPANTS[name]
        return one.size(one.candidates(Shape(80, 6, 5))[0].fit(X, y))

    assert size("logistic-regression") == 5
    assert size("k-nearest-neighbours") == 80
    assert size("rank-net") == 16
    assert 1 <= size("rank-boost") <= 5
    assert size("random-forest") > 1000


def test_neighbours_are_never_more_than_the_rows_of_a_fold():
    grids = [PARTICIPANTS["k-nearest-neighbours"].candidates(Shape(n, 2, 5)) for n in (12, 1000)]
    assert [one[-1].n_neighbors for one in grids[0]] == [1, 3, 5]
    assert len(grids[1]) == 6


@pytest.mark.parametrize("size", ["small", "best", 1, 2, 5, 10, 50])
def test_our_sizes_take_part(size, monkeypatch, data):
    class Ours:
        def __init__(self, size, random_state, n_jobs):
            self.asked = size, random_state, n_jobs

        def fit(self, X, y):
            self.n_columns_ = 7
            return self

    monkeypatch.setattr(smoothrank, "SmoothRanking", Ours, raising=False)
    one = PARTICIPANTS[f"smoothrank-{size}"]
    (model,) = one.candidates(Shape(80, 5, 5))
    assert model.asked == (size, 0, 1)
    assert one.size(model.fit(*data)) == 7
    assert one.counts == "columns"


def test_what_is_not_installed_is_left_out_with_advice(monkeypatch, capsys):
    monkeypatch.setattr(base, "find_spec", lambda name: None if name == "xgboost" else object())
    names = usable_methods(None)
    assert "xgboost" not in names
    assert "lightgbm" in names
    assert capsys.readouterr().err == (
        "left out: xgboost: not installed (xgboost); pip install 'smoothrank[peers]'\n"
    )


def test_what_is_asked_for_and_not_installed_is_an_error(monkeypatch):
    monkeypatch.setattr(base, "find_spec", lambda name: None)
    with pytest.raises(
        SmoothrankError, match=r"figs: not installed \(imodels\); pip install 'smoothrank\[pe"
    ):
        usable_methods(["svm", "figs"])


def test_an_unknown_name_is_an_error():
    with pytest.raises(SmoothrankError, match="no participant 'svn'"):
        usable_methods(["svn"])


def test_the_command_begins_without_the_packages_of_participants():
    code = (
        "import sys, benchmarks.peers.__main__; "
        "heavy = {'xgboost', 'lightgbm', 'interpret', 'imodels', 'tensorflow', 'mlflow'}; "
        "sys.exit(' '.join(heavy & set(sys.modules)) or 0)"
    )
    subprocess.run([sys.executable, "-c", code], check=True)
