"""Importance: what moves the score is found, and no shortcut changes a number."""

import numpy as np
import pytest

from smoothrank.columns import family
from smoothrank.columns.feature_scaling import StandardScaler
from smoothrank.columns.weighted import WeightedColumns
from smoothrank.evaluation import importance as module
from smoothrank.evaluation.importance import importance, importance_of_runs
from smoothrank.losses.pairwise_hinge import Pairs, auc


def model(n_features=4, scaler=None, seed=0):
    rng = np.random.default_rng(seed)
    prototypes = rng.normal(size=(3, n_features))
    return WeightedColumns(
        family("distance"),
        prototypes,
        np.ones(3),
        np.array([1.0, 2.0, 0.5]),
        rng.normal(size=3),
        scaler,
    )


def rows(n=80, n_features=4):
    rng = np.random.default_rng(1)
    X = rng.normal(size=(n, n_features))
    return X, X[:, 0] + 0.3 * rng.normal(size=n) > 0.5


@pytest.mark.parametrize("scaled", [False, True])
def test_it_is_what_shuffling_by_hand_gives(scaled):
    X, flags = rows()
    score = model(scaler=StandardScaler.fit(X, np.ones(len(X))) if scaled else None)
    found = importance(score, X, flags, repeats=1)
    order = np.random.default_rng(0).permutation(len(X))
    pairs, before = Pairs.from_labels(flags), score.score(X)
    moved = []
    for feature in range(X.shape[1]):
        other = X.copy()
        other[:, feature] = X[order, feature]
        after = score.score(other)
        moved.append(np.abs(after - before).mean())
        assert found.auc_loss[feature] == pytest.approx(auc(before, pairs) - auc(after, pairs))
    assert found.movement == pytest.approx(np.array(moved) / np.sum(moved))


def test_a_feature_that_is_always_the_same_does_nothing():
    X, flags = rows()
    X[:, 2] = 7.0
    found = importance(model(), X, flags)
    assert found.movement[2] == 0.0
    assert found.auc_loss[2] == 0.0
    assert found.movement.sum() == pytest.approx(1.0)


def test_of_many_rows_some_of_both_classes_are_taken(monkeypatch):
    monkeypatch.setattr(module, "MOST_ROWS", 50)
    monkeypatch.setattr(module, "FEWEST_ROWS", 10)
    X, _ = rows(4000)
    flags = np.arange(4000) == 17
    found = importance(model(), X, flags)
    assert np.isfinite(found.auc_loss).all()


def test_runs_of_features_are_shuffled_together():
    """The score takes two features whose difference matters: shuffled together it stays."""
    rng = np.random.default_rng(0)
    noise, signal = rng.normal(size=80), rng.normal(size=80)
    X = np.column_stack((signal, noise, 2.0 * noise))
    is_positive = signal > 0.5
    found = importance_of_runs(
        lambda rows: rows[:, 0] + 5.0 * (2.0 * rows[:, 1] - rows[:, 2]),
        X,
        is_positive,
        np.array([0, 1]),
    )
    assert found.movement == pytest.approx([1.0, 0.0])
    assert found.auc_loss[0] > 0.3
    assert found.auc_loss[1] == pytest.approx(0.0)
