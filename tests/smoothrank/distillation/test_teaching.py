import numpy as np
import pytest

from smoothrank.distillation.kernel_models import TrainingRows
from smoothrank.distillation.teaching import AVERAGE, Teaching


def rows_of(X, is_positive):
    return TrainingRows(X, is_positive, np.ones(len(X)))


@pytest.fixture(scope="module")
def teaching():
    rng = np.random.default_rng(0)
    X = rng.normal(size=(150, 2))
    return Teaching.of(rows_of(X, np.hypot(*X.T) + 0.3 * rng.normal(size=150) < 0.8), 0, 1)


def test_features_are_standardised_unless_quantiles_repeat_the_average_much_better(teaching):
    assert teaching.students().view == "standard"
    rng = np.random.default_rng(1)
    skewed = np.exp(5.0 * rng.normal(size=(300, 2)))
    islands = np.abs(np.log(skewed[:, 0])) + 0.3 * rng.normal(size=300) < 2.0
    assert Teaching.of(rows_of(skewed, islands), 0, 1).students().view == "normal"


def test_rows_are_scored_by_models_that_have_not_seen_them(teaching):
    held_out = teaching.held_out(None)
    folds = held_out.scores[AVERAGE]
    assert len(folds) == len(held_out.folds) == 10
    rows = held_out.all_scores(AVERAGE)
    assert rows.shape == (150,)
    assert 0.8 < np.mean(held_out.aucs()[AVERAGE]) < 1.0
    first, second = (
        dict(zip(held, scores, strict=True))[7]
        for (_, held), scores in zip(held_out.folds, folds, strict=True)
        if 7 in held
    )
    assert rows[7] == pytest.approx((first + second) / 2)


def test_students_grow_until_larger_ones_are_no_better(teaching):
    held_out = teaching.held_out("standard", (1, 2, 3, 4, 5, 6, 7, 8, 9))
    means = [aucs.mean() for aucs in held_out.aucs().values()]
    assert len(means) < 9
    assert max(means[:-2]) >= max(means[-2:])
    assert all(max(means[:end]) < max(means[end : end + 2]) for end in range(1, len(means) - 2))
