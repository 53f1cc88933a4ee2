from itertools import pairwise

import numpy as np
import pytest
from sklearn.datasets import make_classification

from smoothrank import SmoothRankingPrototype


@pytest.fixture(scope="module")
def data():
    return make_classification(
        n_samples=120, n_features=4, weights=[0.8], class_sep=0.7, random_state=3
    )


def total_change(model: SmoothRankingPrototype) -> float:
    steps = pairwise(model.weights_path_)
    return float(sum(np.abs(after[:-1] - before).sum() for before, after in steps))


def test_a_larger_price_changes_old_weights_less_and_a_very_large_one_not_at_all(data):
    fits = [
        SmoothRankingPrototype(C, solver="highs", auc_tol=0.0, max_prototypes=6).fit(*data)
        for C in (1e-6, 1e-2, 1e3)
    ]
    changes = [total_change(model) for model in fits]
    assert changes[0] > changes[1] > changes[2]
    assert changes[2] == 0.0


def test_a_training_auc_of_one_ends_the_fit_even_if_no_change_is_small_enough(data):
    X, y = data
    apart = np.column_stack((X, 0.6 * y))
    model = SmoothRankingPrototype(1e-6, solver="highs", auc_tol=0.0).fit(apart, y)
    aucs = [iteration.train_auc for iteration in model.history_]
    assert aucs[-1] == pytest.approx(1.0, abs=1e-12)
    assert all(auc < 1.0 - 1e-12 for auc in aucs[:-1])


def test_there_are_no_more_prototypes_than_asked_for(data):
    model = SmoothRankingPrototype(solver="highs", auc_tol=0.0, max_prototypes=3).fit(*data)
    assert len(model.weights_) == len(model.prototypes_) == len(model.history_) == 3
