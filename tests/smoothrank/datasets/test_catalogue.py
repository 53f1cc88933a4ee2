from __future__ import annotations

import csv
import hashlib
from pathlib import Path

import numpy as np
import pandas as pd
import pytest
from sklearn.model_selection import train_test_split

from smoothrank.datasets.catalogue.catalogue import catalogue, data_folder, entry
from smoothrank.datasets.catalogue.fetch import fetch_dataset, source_bytes
from smoothrank.datasets.errors import ChecksumError, MissingDataError, UnknownDatasetError
from smoothrank.datasets.keel.text import canonical_text
from smoothrank.datasets.load import load_dataset
from smoothrank.tables.one_hot import Encoder, drop_missing_rows
from tests.support.checkout.repository import ROOT

COPY = ROOT / "tests/data/table_a1_datasets.csv"
ORIGINAL = ROOT.parent / "shared/paper/table_a1_datasets.csv"
with COPY.open(encoding="utf-8") as file:
    TABLE = {row["dataset"]: row for row in csv.DictReader(file)}


def test_the_copy_of_the_table_is_the_papers():
    if not ORIGINAL.exists():
        pytest.skip("the paper's tables are not beside this checkout")
    assert COPY.read_bytes() == ORIGINAL.read_bytes()


def test_the_catalogue_has_the_papers_73_in_its_order():
    assert list(catalogue()) == list(TABLE)
    assert len(catalogue()) == 73


@pytest.mark.parametrize("name", list(TABLE))
def test_a_data_set_is_as_in_table_a1(name, load_or_skip, data_folder):
    dataset = load_or_skip(name)
    known, paper = entry(name), TABLE[name]
    used = drop_missing_rows(dataset)
    sizes = [
        len(p) for p in train_test_split(used.y, stratify=used.y, test_size=0.25, random_state=10)
    ]
    assert sizes == [known.n_train, known.n_test] == [int(paper["n_train"]), int(paper["n_test"])]
    features = Encoder().fit_transform(used.X)
    assert features.shape == (sum(sizes), known.features)
    assert known.features == int(paper["n_features"])
    assert len(dataset.y) == known.rows
    smaller, larger = sorted(np.unique(used.y, return_counts=True)[1])
    assert known.imbalance == pytest.approx(smaller / larger, abs=5e-5)
    assert known.imbalance == pytest.approx(float(paper["imbalance_ratio"]), abs=0.01)
    assert dataset.checksum == known.sha256
    contents = (data_folder / known.file).read_bytes()
    assert canonical_text(contents).encode() == contents


@pytest.mark.parametrize("name", list(TABLE))
def test_the_source_is_the_file_as_fetched(name, load_or_skip):
    load_or_skip(name)
    known = entry(name)
    fetched = source_bytes(name, known.source, download=False)
    assert hashlib.sha256(fetched).hexdigest() == known.source_sha256


@pytest.mark.parametrize("name", list(TABLE))
def test_features_are_those_of_get_dummies(name, load_or_skip):
    used = drop_missing_rows(load_or_skip(name)).X
    as_numbers = {}
    for column in used:
        try:
            as_numbers[column] = used[column].astype(float)
        except ValueError:
            as_numbers[column] = used[column]
    oracle = pd.get_dummies(pd.DataFrame(as_numbers), drop_first=True)
    encoder = Encoder().fit(used)
    assert encoder.get_feature_names_out().tolist() == oracle.columns.tolist()
    np.testing.assert_array_equal(encoder.transform(used), oracle.to_numpy(dtype=float))


def test_cleveland_has_four_rows_with_missing_values(load_or_skip):
    dataset = load_or_skip("cleveland-0_vs_4")
    assert len(dataset.y) == 177
    assert len(drop_missing_rows(dataset).y) == 173
    assert [a.name for a in dataset.schema.attributes if a.nullable] == ["ca", "thal"]


@pytest.mark.parametrize("name", list(TABLE))
def test_the_positive_class_is_the_rarer_but_in_four(name, load_or_skip):
    y = load_or_skip(name).y
    common = {"ecoli-0_vs_1", "ionosphere", "parkinsons", "survival"}
    assert ((y == 1).sum() < (y == -1).sum()) == (name not in common)


def test_a_wrong_name_brings_close_ones():
    with pytest.raises(UnknownDatasetError, match=r"abalone9-17.*did you mean abalone9-18"):
        load_dataset("abalone9-17")


def test_a_missing_file_is_fetched_from_the_package(tmp_path, monkeypatch):
    monkeypatch.setenv("SMOOTHRANK_DATA", str(tmp_path / "new"))
    load_dataset("glass0")
    assert [path.name for path in (tmp_path / "new").iterdir()] == ["glass0.dat"]


def test_a_changed_file_is_not_loaded(tmp_path, monkeypatch):
    monkeypatch.setenv("SMOOTHRANK_DATA", str(tmp_path))
    path = fetch_dataset("glass0")
    path.write_bytes(path.read_bytes().replace(b"1.5", b"1.6", 1))
    with pytest.raises(ChecksumError, match=r"glass0\.dat was changed"):
        load_dataset("glass0")


def test_loading_never_downloads(tmp_path, monkeypatch):
    monkeypatch.setenv("SMOOTHRANK_DATA", str(tmp_path))
    monkeypatch.delenv("SMOOTHRANK_DATA_MIRROR", raising=False)
    monkeypatch.setattr("smoothrank.datasets.catalogue.fetch.download_bytes", pytest.fail)
    with pytest.raises(MissingDataError, match="smoothrank data fetch votes"):
        load_dataset("votes")


def test_the_data_folder_is_the_named_one_or_beside_data_dvc(tmp_path, monkeypatch):
    monkeypatch.setenv("SMOOTHRANK_DATA", "somewhere")
    assert data_folder() == Path("somewhere")
    monkeypatch.delenv("SMOOTHRANK_DATA")
    (tmp_path / "data.dvc").touch()
    (tmp_path / "below").mkdir()
    monkeypatch.chdir(tmp_path / "below")
    assert data_folder() == tmp_path / "data"
