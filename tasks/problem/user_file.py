"""A user's file, parsed once in a process for all steps that look at it."""

from __future__ import annotations

from functools import lru_cache
from pathlib import Path

from smoothrank.datasets.dataset import Dataset
from smoothrank.datasets.files.paths import table_checksum
from smoothrank.datasets.files.read_table import Table, read_table
from smoothrank.datasets.load import load_file
from smoothrank.datasets.options import AS_RECOGNISED, ColumnOptions, ReadOptions
from smoothrank.datasets.own_table import table_dataset
from smoothrank.tables.learnable import check_learnable

EVERY_COLUMN = ColumnOptions()


def load_user_file(
    path: Path,
    target: str | None = None,
    positive: str | None = None,
    read: ReadOptions = AS_RECOGNISED,
    negative: str | None = None,
    columns: ColumnOptions = EVERY_COLUMN,
) -> Dataset:
    """Load a file as `smoothrank.datasets.load_file` does, from the table that was parsed.

    Training and validation both begin here, so that what one refuses the other does too.

    Parameters
    ----------
    path, target, positive, read, negative
        As `load_file` takes them.
    columns : ColumnOptions
        Which columns are left out; these may hold anything.

    Raises
    ------
    DatasetError
        If the file cannot be read as a binary problem, or has numbers that no fit can take.
    """
    if path.suffix.lower() == ".dat":
        dataset = load_file(path, target, positive, read, negative)
    else:
        table = read_user_table(path, read)
        dataset = table_dataset(path, table, target, positive, negative)
    check_learnable(path, dataset, columns)
    return dataset


def read_user_table(path: Path, read: ReadOptions = AS_RECOGNISED) -> Table:
    """Read a table as `read_table` does, unless it was just read.

    The contents decide whether it is the same file: one that was changed is parsed anew.
    """
    return _read(path, table_checksum(path), read)


def forget_user_files() -> None:
    """Free the memory of a parsed file that no later step looks at."""
    _read.cache_clear()


@lru_cache(maxsize=1)
def _read(path: Path, checksum: str, read: ReadOptions) -> Table:
    del checksum
    return read_table(path, read)
