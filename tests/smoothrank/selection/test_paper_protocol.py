import numpy as np
import pytest
from sklearn.metrics import roc_auc_score

from smoothrank import SmoothRankingPrototype
from smoothrank.estimators.ranking_classifier import n_used
from smoothrank.selection.folds import paper_folds
from smoothrank.selection.methods import SMOOTH_GRID
from smoothrank.tables.one_hot import Encoder, drop_missing_rows
from tests.support.oracles.paper_protocol import (
    paper_protocol,
    paper_split,
    smallest_best,
    staged_auc,
)


def test_the_grid_is_the_papers():
    assert len(SMOOTH_GRID) == 13
    assert list(SMOOTH_GRID) == sorted(SMOOTH_GRID)
    assert {SMOOTH_GRID[0], SMOOTH_GRID[-1]} == {1e-6, 1.0}


def test_folds_are_no_more_than_the_rarer_class_has_rows():
    y = np.array([1] * 3 + [-1] * 40)
    assert len(paper_folds(np.zeros((43, 1)), y)) == 3
    assert len(paper_folds(np.zeros((43, 1)), -y)) == 3
    y = np.array([1] * 30 + [-1] * 40)
    assert len(paper_folds(np.zeros((70, 1)), y)) == 5


def test_a_tie_goes_to_the_smallest_whatever_the_rounding():
    tied = np.mean([0.1, 0.2, 0.3]), np.mean([0.3, 0.2, 0.1])
    assert tied[0] != tied[1]
    assert smallest_best(np.array([0.1, min(tied), max(tied)])) == 1
    assert smallest_best(np.array([0.1, 0.2, 0.3])) == 2


def test_the_protocol_step_by_step(load_or_skip):
    data = drop_missing_rows(load_or_skip("glass-0-4_vs_5"))
    X, y = Encoder().fit_transform(data.X), data.y
    grid = (1e-4, 1e-2, 1.0)
    result = paper_protocol(X, y, grid=grid, solver="highs")
    split = paper_split(X, y)
    means = []
    for C in grid:
        best = []
        for train, validation in paper_folds(split.X_train, split.y_train):
            aucs: list[float] = []

            def callback(model, _, aucs=aucs, rows=validation):
                scores = model.score(split.X_train[rows])
                aucs.append(roc_auc_score(split.y_train[rows], scores))

            SmoothRankingPrototype(
                C, first_prototype="first", solver="highs", callback=callback
            ).fit(split.X_train[train], split.y_train[train])
            best.append(max(aucs))
        means.append(np.mean(best))
    assert result.cv_auc_by_C == pytest.approx(means)
    assert grid[int(np.argmax(means))] == result.C
    model = SmoothRankingPrototype(result.C, first_prototype="first", solver="highs")
    model.fit(split.X_train, split.y_train)
    assert result.test_auc == staged_auc(model, split.X_test, split.y_test)[-1]
    assert result.n_prototypes == np.sum(np.abs(model.weights_) >= 1e-3)
    assert result.gap <= 1e-6


@pytest.mark.parametrize(
    ("name", "test_auc", "n_prototypes"),
    [("glass-0-4_vs_5", 0.643, 2), ("haberman", 0.634, 5)],
)
def test_the_papers_numbers(load_or_skip, name, test_auc, n_prototypes):
    data = drop_missing_rows(load_or_skip(name))
    result = paper_protocol(Encoder().fit_transform(data.X), data.y, solver="highs")
    assert result.test_auc == pytest.approx(test_auc, abs=0.002)
    assert result.n_prototypes == n_prototypes


def test_a_weight_below_a_thousandth_is_not_used():
    assert n_used(np.array([1e-3, -2.0, 9e-4, 0.0, -1e-3])) == 3
