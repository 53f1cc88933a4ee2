"""Folds that keep groups whole, and folds that train on the past alone."""

import numpy as np
import pytest

from smoothrank.selection.folds import FoldError, forward_folds, grouped_folds


def labels(count, seed=0, share=0.3):
    return np.where(np.random.default_rng(seed).random(count) < share, 1, -1)


def both_classes(y, found):
    return all(len(np.unique(y[part])) == 2 for fold in found for part in fold)


@pytest.mark.parametrize("count", [200, 8000])
def test_groups_are_whole_and_each_repeat_covers_all_rows(count):
    y, groups = labels(count), np.arange(count) // 5
    found = grouped_folds(y, groups, 4, 3, 10)
    assert len(found) == 12
    assert both_classes(y, found)
    for train, validation in found:
        assert not set(groups[train]) & set(groups[validation])
    for repeat in range(3):
        rows = np.concatenate([validation for _, validation in found[4 * repeat :][:4]])
        assert sorted(rows) == list(range(count))
    assert not np.array_equal(found[0][1], found[4][1])
    for _, validation in found:
        assert np.mean(y[validation] == 1) == pytest.approx(np.mean(y == 1), abs=0.06)
        assert len(validation) == pytest.approx(count / 4, rel=0.2)


def test_fewer_folds_where_the_rarer_class_is_in_few_groups():
    y, groups = np.full(100, -1), np.arange(100) // 5
    y[[0, 1, 10, 11, 50, 51]] = 1
    assert len(grouped_folds(y, groups, 5, 1, 10)) == 3


def test_one_group_of_the_rarer_class_is_named():
    y, groups = np.full(100, -1), np.arange(100) // 5
    y[:5] = 1
    with pytest.raises(FoldError, match="the rarer class is in 1 groups"):
        grouped_folds(y, groups, 5, 1, 10)


def test_the_past_comes_first_and_ties_stay_together():
    y, times = labels(300), np.random.default_rng(1).integers(0, 60, 300)
    found = forward_folds(y, times, 5)
    assert len(found) == 5
    assert both_classes(y, found)
    for train, validation in found:
        assert times[train].max() < times[validation].min()
    sizes = [len(validation) for _, validation in found]
    assert max(sizes) < 2 * min(sizes)
    assert sum(sizes) + len(found[0][0]) == 300


def test_fewer_blocks_where_positives_are_rare():
    y, times = np.full(120, -1), np.arange(120)
    y[[3, 9, 70, 100]] = 1
    found = forward_folds(y, times, 5)
    assert 1 <= len(found) < 5
    assert both_classes(y, found)


def test_no_past_with_both_classes_is_named():
    y = np.repeat([-1, 1], 50)
    with pytest.raises(FoldError, match="a past and a later block"):
        forward_folds(y, np.arange(100), 5)
