"""Whether the project folder can be written, found out before anything is trained."""

from __future__ import annotations

import os
import shutil
import tempfile
from pathlib import Path

from smoothrank.errors import SmoothrankError
from tasks.project.paths import project_home

LEAST_FREE = 100 * 1024**2
"""Bytes that a run needs at least: databases, a model, a report."""


class NoSpaceError(SmoothrankError):
    """The project folder cannot take what a run writes."""


def check_disk() -> None:
    """Refuse a project folder that cannot be written, or whose disk is nearly full.

    Raises
    ------
    NoSpaceError
        With the folder and what to do.
    """
    home = project_home()
    for folder in (home / ".smoothrank", home / "mlruns"):
        _check_writable(_first_there(folder))
    free = shutil.disk_usage(home).free
    if free < LEAST_FREE:
        raise NoSpaceError(
            f"only {free / 1024**2:.0f} MB are free on the disk of {home}, and a run needs "
            f"{LEAST_FREE // 1024**2}; make room, or name another folder with SMOOTHRANK_HOME"
        )


def _first_there(folder: Path) -> Path:
    return folder if folder.is_dir() else folder.parent


def _check_writable(folder: Path) -> None:
    try:
        handle, name = tempfile.mkstemp(dir=folder, prefix=".smoothrank-")
        os.close(handle)
        Path(name).unlink()
    except OSError as error:
        raise NoSpaceError(
            f"cannot write in {folder} ({error.strerror or error}); make it writable or make room, "
            "or name another folder with SMOOTHRANK_HOME"
        ) from None
