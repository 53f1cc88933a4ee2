"""Whether the features of a table fit into memory, before they are made."""

from __future__ import annotations

import os
from pathlib import Path

from smoothrank.tables.encoder import TableEncoder
from smoothrank.tables.one_hot import EncodingError

COPIES = 6
"""Encoded rows, their training part, scaled and permuted: what a fit holds at the same time."""

_WIDEST = 3


def available_memory() -> int | None:
    """Return the free bytes, within the limit of a container; None if that is not known."""
    found = [free for free in (_limit_of_container(), _free_on_machine()) if free is not None]
    return min(found, default=None)


def _free_on_machine() -> int | None:
    try:
        lines = Path("/proc/meminfo").read_text("ascii").splitlines()
        return next(int(line.split()[1]) * 1024 for line in lines if line.startswith("MemAvail"))
    except (OSError, ValueError, StopIteration):
        return _all_of_machine()


def _all_of_machine() -> int | None:
    try:
        return os.sysconf("SC_PHYS_PAGES") * os.sysconf("SC_PAGE_SIZE")
    except (AttributeError, OSError, ValueError):
        return None


def _limit_of_container() -> int | None:
    try:
        return int(Path("/sys/fs/cgroup/memory.max").read_text("ascii"))
    except (OSError, ValueError):
        return None


def check_memory(encoder: TableEncoder, n_rows: int, available: int | None = None) -> None:
    """Refuse a table whose features would not fit into memory.

    Raises
    ------
    EncodingError
        With the columns that become the most features, and the options that leave them out.
    """
    available = available_memory() if available is None else available
    n_features = sum(len(column.features) for column in encoder.columns_)
    needed = n_rows * n_features * 8 * COPIES
    if available is None or needed <= available:
        return
    widest = sorted(encoder.columns_, key=lambda column: -len(column.features))[:_WIDEST]
    named = ", ".join(f"{column.name!r} ({len(column.features)})" for column in widest)
    raise EncodingError(
        f"{n_rows:,} rows of {n_features:,} features need about {needed / 1e9:.1f} GB to learn "
        f"from, and {available / 1e9:.1f} GB are free: the columns with the most features are "
        f"{named}; leave columns out with --drop or --keep-only, or take fewer rows"
    )
