import numpy as np
import pytest
from scipy.spatial.distance import cdist

from smoothrank.distillation.between_rows import rows_between
from smoothrank.distillation.kernel_models import TrainingRows


def test_rows_lie_on_lines_between_neighbours_and_both_classes_are_drawn_equally_often():
    rng = np.random.default_rng(0)
    X = np.vstack((rng.normal(size=(190, 2)), 50.0 + rng.normal(size=(15, 2))))
    rows = TrainingRows(X, np.arange(205) >= 190, np.ones(205))
    drawn = rows_between(rows, 4000, rng)
    rare = drawn[:, 0] > 25.0
    assert rare.mean() == pytest.approx(0.5, abs=0.03)
    assert drawn.min() >= X.min()
    assert drawn.max() <= X.max()
    assert cdist(drawn, X).min(axis=1).max() < 2.0
