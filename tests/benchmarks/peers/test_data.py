"""The data sets of the comparison."""

from __future__ import annotations

import pytest

from benchmarks.peers.data import dataset_names, load
from benchmarks.peers.other_data import OTHER_DATASETS
from smoothrank.datasets.catalogue.catalogue import catalogue
from smoothrank.datasets.errors import UnknownDatasetError


def test_the_others_are_not_among_the_papers():
    assert len(OTHER_DATASETS) == len(set(OTHER_DATASETS)) == 36
    assert not set(OTHER_DATASETS) & set(catalogue())


@pytest.mark.parametrize("name", OTHER_DATASETS)
def test_the_others_are_imbalanced_and_large_enough_for_folds(name):
    X, y = load(name)
    assert X.shape[0] == len(y) >= 100
    assert set(y) == {0, 1}
    assert 15 <= y.sum() < 0.4 * len(y)


def test_groups_and_names_can_be_mixed():
    assert len(dataset_names(["paper"])) == 73
    assert dataset_names(["yeast1", "glass0", "yeast1"]) == ["yeast1", "glass0"]
    assert dataset_names(["others", "yeast1"]) == list(OTHER_DATASETS)


def test_an_unknown_name_is_refused():
    with pytest.raises(UnknownDatasetError, match="glass0"):
        dataset_names(["glass00"])


def test_rows_with_gaps_are_left_out(load_or_skip):
    data = load_or_skip("cleveland-0_vs_4")
    assert len(load("cleveland-0_vs_4")[1]) < len(data.y)
