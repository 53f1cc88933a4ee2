"""A user's file, loaded once in a process for all steps that look at it."""

from __future__ import annotations

from functools import lru_cache
from pathlib import Path

from smoothrank.datasets.dataset import Dataset
from smoothrank.datasets.files.paths import table_checksum
from smoothrank.datasets.load import load_file
from smoothrank.datasets.options import AS_RECOGNISED, ReadOptions


def load_user_file(
    path: Path,
    target: str | None = None,
    positive: str | None = None,
    read: ReadOptions = AS_RECOGNISED,
    negative: str | None = None,
) -> Dataset:
    """Load a file as `smoothrank.datasets.load_file` does, unless it was just loaded.

    The contents decide whether it is the same file: one that was changed is loaded anew.
    """
    return _load(path, table_checksum(path), target, positive, read, negative)


def forget_user_files() -> None:
    """Free the memory of loaded files that no later step looks at."""
    _load.cache_clear()


@lru_cache(maxsize=2)
def _load(
    path: Path,
    checksum: str,
    target: str | None,
    positive: str | None,
    read: ReadOptions,
    negative: str | None,
) -> Dataset:
    del checksum
    return load_file(path, target, positive, read, negative)
