import numpy as np
import pytest

from smoothrank.distillation.kernel_models import TrainingRows
from smoothrank.distillation.trees import BOOSTING, EXTRA_TREES, fit_trees
from smoothrank.losses.pairwise_hinge import auc


@pytest.mark.parametrize("kind", [EXTRA_TREES, BOOSTING])
@pytest.mark.parametrize("size", [1e60, 1e-60])
def test_trees_take_numbers_that_float32_does_not_hold(kind, size):
    X = np.random.default_rng(0).normal(size=(300, 4))
    rows = TrainingRows(X * [size, 1.0, 1.0, 1.0], X[:, 0] > X[:, 1], np.ones(300))
    trees = fit_trees(kind, rows, 5, 0)
    assert auc(trees.score(rows.X), rows.pairs) > 0.99
    assert np.isfinite(trees.score(np.full((1, 4), 1e99))).all()
