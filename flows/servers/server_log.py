"""The log of a server that runs for months: what it said last, and no more than fits."""

from __future__ import annotations

import os
import shutil
from contextlib import suppress
from pathlib import Path

MOST_BYTES = 5_000_000
"""A longer log becomes the earlier one, and a new one begins."""


def keep_short(log: Path, most: int = MOST_BYTES) -> None:
    """Copy a log that is too long to NAME.1 and empty it.

    The server goes on writing at its end: it was opened for appending. A line that is written
    meanwhile may be lost.
    """
    with suppress(OSError):
        if log.stat().st_size > most:
            shutil.copyfile(log, log.with_name(f"{log.name}.1"))
            os.truncate(log, 0)
