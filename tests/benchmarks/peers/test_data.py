"""The data sets of the comparison."""

from __future__ import annotations

import sys

import pytest

from benchmarks.peers.data import dataset_names, load
from benchmarks.peers.large_data import LARGE_DATASETS, load_large
from benchmarks.peers.other_data import OTHER_DATASETS
from smoothrank.datasets.catalogue.catalogue import catalogue
from smoothrank.datasets.errors import MissingDataError, UnknownDatasetError


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
    assert dataset_names(["large"]) == list(LARGE_DATASETS)


def package_with(folder, monkeypatch, name, path, text):
    """Put a package with one file of data where Python looks for packages."""
    file = folder / name / path
    file.parent.mkdir(parents=True)
    (folder / name / "__init__.py").touch()
    file.write_text(text)
    monkeypatch.syspath_prepend(folder)


def test_a_large_table_is_read_from_the_package_that_carries_it(tmp_path, monkeypatch):
    rows = ["default,student,balance", "Yes,No,10.5", "No,Yes,20.0", "No,No,30.0"]
    package_with(tmp_path, monkeypatch, "ISLP", "data/Default.csv", "\n".join(rows))
    X, y = load_large("default")
    assert y.tolist() == [1, 0, 0]
    assert X.tolist() == [[10.5, 0.0], [20.0, 1.0], [30.0, 0.0]]


def test_a_package_that_is_missing_is_named(monkeypatch):
    monkeypatch.setattr(sys, "path", [])
    monkeypatch.delitem(sys.modules, "statsmodels", raising=False)
    with pytest.raises(MissingDataError, match="statsmodels"):
        load_large("fair")


def test_an_unknown_name_is_refused():
    with pytest.raises(UnknownDatasetError, match="glass0"):
        dataset_names(["glass00"])


def test_rows_with_gaps_are_left_out(load_or_skip):
    data = load_or_skip("cleveland-0_vs_4")
    assert len(load("cleveland-0_vs_4")[1]) < len(data.y)
