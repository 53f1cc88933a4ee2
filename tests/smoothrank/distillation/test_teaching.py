import numpy as np
import pytest

from smoothrank.distillation.average import recipe
from smoothrank.distillation.effort import sample
from smoothrank.distillation.kernel_models import TrainingRows
from smoothrank.distillation.teaching import AVERAGE, Teaching
from tests.support.quick_teacher import quick_teacher


def rows_of(X, is_positive):
    return TrainingRows(X, is_positive, np.ones(len(X)))


@pytest.fixture(scope="module")
def teaching():
    rng = np.random.default_rng(0)
    X = rng.normal(size=(150, 2))
    with quick_teacher():
        yield Teaching.of(rows_of(X, np.hypot(*X.T) + 0.3 * rng.normal(size=150) < 0.8), 0, 1)


def test_features_are_standardised_unless_quantiles_repeat_the_average_much_better(teaching):
    assert teaching.students().view == "standard"
    rng = np.random.default_rng(1)
    skewed = np.exp(5.0 * rng.normal(size=(300, 2)))
    islands = np.abs(np.log(skewed[:, 0])) + 0.3 * rng.normal(size=300) < 2.0
    assert Teaching.of(rows_of(skewed, islands), 0, 1).students().view == "normal"


def test_a_row_that_came_often_is_learnt_from_and_held_out():
    """Whether such a row is positive can only be learnt from its copies."""
    rng = np.random.default_rng(2)
    X = np.repeat(rng.uniform(size=(60, 1)), 4, axis=0)
    is_positive = np.repeat(rng.random(60) < 0.3, 4)
    with quick_teacher():
        given = Teaching.of(rows_of(X, is_positive).merged(), 0, 1)
    assert len(given.rows.X) == 60
    assert len(given.compared.X) == 240
    assert np.mean(given.held_out(None).aucs()[AVERAGE]) > 0.95


def test_copies_of_rows_merge_to_the_same_rows():
    rows = TrainingRows(np.arange(4.0)[:, None], np.arange(4) > 2, np.array([0.5, 1.0, 2.9, 9.0]))
    copies = rows.copies(5)
    assert copies.X[:, 0].tolist() == [0, 1, 2, 2, 3, 3, 3, 3, 3]
    again = copies.merged()
    assert np.array_equal(again.X, rows.X)
    assert again.weight == pytest.approx(rows.weight)


def test_either_class_weighs_in_a_sample_what_it_weighs_in_all_rows():
    rng = np.random.default_rng(3)
    rows = TrainingRows(rng.normal(size=(500, 2)), np.arange(500) < 40, rng.uniform(0.5, 2.0, 500))
    drawn = sample(rows, 90, 0)
    assert len(drawn.X) == 90
    for label in (True, False):
        wanted = rows.weight[rows.is_positive == label].sum()
        assert drawn.weight[drawn.is_positive == label].sum() == pytest.approx(wanted)


def test_where_models_are_compared_on_a_sample_all_rows_decide_how_they_share():
    """Which of many small cells are positive takes more rows than a sample has."""
    rng = np.random.default_rng(4)
    X = rng.uniform(size=(3000, 2))
    cells = rng.random((16, 16)) < 0.3
    is_positive = cells[tuple((16 * X).astype(int).T)]
    with quick_teacher(compared_rows=150):
        teaching = Teaching.of(rows_of(X, is_positive), 0, 1)
    sampled = recipe(teaching.comparison, all_trees=True)
    trees = [sum(part.share for part in found.trees) for found in (sampled, teaching.recipe)]
    assert trees[1] > 0.9
    assert trees[0] < trees[1]
    assert sum(part.share for part in teaching.recipe.kernels) + trees[1] == pytest.approx(1.0)
    held_out = teaching.held_out(None)
    assert len(held_out.rows.X) == 750
    assert np.mean(held_out.aucs()[AVERAGE]) > 0.9


def test_rows_are_scored_by_models_that_have_not_seen_them(teaching):
    held_out = teaching.held_out(None)
    folds = held_out.scores[AVERAGE]
    assert len(folds) == len(held_out.folds) == 5
    rows = held_out.all_scores(AVERAGE)
    assert rows.shape == (150,)
    assert 0.8 < np.mean(held_out.aucs()[AVERAGE]) < 1.0
    (alone,) = (
        dict(zip(held, scores, strict=True))[7]
        for (_, held), scores in zip(held_out.folds, folds, strict=True)
        if 7 in held
    )
    assert rows[7] == pytest.approx(alone)


def test_students_grow_until_larger_ones_are_no_better(teaching):
    held_out = teaching.held_out("standard", (1, 2, 3, 4, 5, 6, 7, 8, 9))
    means = [aucs.mean() for aucs in held_out.aucs().values()]
    assert len(means) < 9
    assert max(means[:-2]) >= max(means[-2:])
    assert all(max(means[:end]) < max(means[end : end + 2]) for end in range(1, len(means) - 2))
