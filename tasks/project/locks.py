"""Locks between the processes of a project."""

from __future__ import annotations

import fcntl
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from tasks.project.paths import state_folder


@contextmanager
def locked(name: str) -> Iterator[None]:
    """Wait until no other process of this project is inside the same block, then enter it."""
    with locked_file(state_folder("locks") / f"{name}.lock"):
        yield


@contextmanager
def locked_file(path: Path) -> Iterator[None]:
    """Wait until no other process holds the lock of a file, then hold it."""
    with path.open("w") as file:
        fcntl.flock(file, fcntl.LOCK_EX)
        yield


def is_locked(path: Path) -> bool:
    """Return whether a living process holds the lock of a file; a missing file is not locked."""
    try:
        with path.open() as file:
            fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except BlockingIOError:
        return True
    except OSError:
        return False
    return False
