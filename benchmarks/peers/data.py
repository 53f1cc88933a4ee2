"""The data sets of the comparison: features and labels by name."""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache

from benchmarks.peers.large_data import LARGE_DATASETS, load_large
from benchmarks.peers.other_data import OTHER_DATASETS, load_other
from smoothrank.arrays import Labels, Matrix
from smoothrank.datasets.catalogue.catalogue import catalogue, entry
from smoothrank.datasets.load import load_dataset
from smoothrank.tables.one_hot import Encoder, drop_missing_rows


def dataset_names(asked: Sequence[str]) -> list[str]:
    """Return the names of data sets; `paper`, `others` and `large` stand for all of a kind.

    Raises
    ------
    UnknownDatasetError
        If a name is unknown.
    """
    groups = {"paper": tuple(catalogue()), "others": OTHER_DATASETS, "large": LARGE_DATASETS}
    names = [name for one in asked for name in groups.get(one, (one,))]
    for name in names:
        if name not in (*OTHER_DATASETS, *LARGE_DATASETS):
            entry(name)
    return list(dict.fromkeys(names))


@lru_cache(maxsize=2)
def load(name: str) -> tuple[Matrix, Labels]:
    """Return features as the paper has them, and labels 1 and 0; rows with gaps are left out.

    Levels become 0/1 features; that takes nothing from the rows but which levels there are.
    """
    if name in LARGE_DATASETS:
        return load_large(name)
    found = load_other(name) if name in OTHER_DATASETS else load_dataset(name)
    complete = drop_missing_rows(found)
    return Encoder().fit_transform(complete.X), (complete.y == 1).astype(int)
