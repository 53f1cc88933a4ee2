"""What a run can lose while it is in progress: room, the right to write, MLflow's database.

None of these is the run's own failure. It ends as if it had been killed, with a line that says what
to do; finished fits are kept, and the same command resumes it.
"""

from __future__ import annotations

import errno
import os
import shutil
import sqlite3
from collections.abc import Iterator
from contextlib import contextmanager

from smoothrank.errors import SmoothrankError
from tasks.project.database_check import damage_text, database_fault
from tasks.project.mlflow_database import lost_database, mlflow_path
from tasks.project.mlflow_store import mlflow_store
from tasks.project.paths import project_home

RESUMES = "then give the same command again: what is finished is kept"
LEAST_TO_GO_ON = 4 * 1024**2
"""Free bytes below which a run stops, before a database or a model is written by half."""

_FULL = {errno.ENOSPC, errno.EDQUOT}
_NOT_WRITABLE = {errno.EROFS, errno.EIO}


class RunStoppedError(SmoothrankError):
    """A run cannot go on for a reason beyond it, and can be resumed."""


def present_fault() -> str | None:
    """Return what a run has lost by now; None if it can go on.

    Only names and sizes are looked at, so that this can be called often.
    """
    try:
        home = project_home()
        for folder in (home / ".smoothrank", home / "mlruns"):
            if folder.is_dir() and not os.access(folder, os.W_OK):
                return f"{folder} can no longer be written; make it writable; {RESUMES}"
        free = shutil.disk_usage(home).free
    except (OSError, SmoothrankError) as error:
        return f"the project folder is lost: {error}"
    if free < LEAST_TO_GO_ON:
        return f"the disk of {home} is full ({free / 1024**2:.1f} MB free); make room; {RESUMES}"
    fault = lost_database() if mlflow_store().kind == "own" else None
    return fault and _database_text(fault)


@contextmanager
def stopping_faults() -> Iterator[None]:
    """Raise what a disk or the project's own database fails at as `RunStoppedError`."""
    try:
        yield
    except RunStoppedError:
        raise
    except Exception as error:
        fault = present_fault() or _fault_of(error)
        if fault is None:
            raise
        raise RunStoppedError(fault) from None


def check_own_database() -> None:
    """Read the project's own database once more, before something is decided for good.

    Raises
    ------
    RunStoppedError
        If it is not the one that the run has written to, or is damaged.
    """
    if mlflow_store().kind != "own":
        return
    fault = lost_database() or database_fault(mlflow_path())
    if fault:
        raise RunStoppedError(_database_text(fault))


def _fault_of(error: BaseException) -> str | None:
    """Return what an error means if a disk or a database is behind it."""
    for one in _chain(error):
        if isinstance(one, OSError) and one.errno in _FULL | _NOT_WRITABLE:
            place = one.filename or project_home()
            remedy = "make room" if one.errno in _FULL else "make it writable"
            return f"cannot write {place} ({one.strerror}); {remedy}; {RESUMES}"
        if isinstance(one, sqlite3.Error) and mlflow_store().kind == "own":
            return _fault_of_database(one)
    return None


def _fault_of_database(error: sqlite3.Error) -> str:
    path = mlflow_path()
    if "locked" in str(error):
        who = "end that one (a backup? a database browser?)"
        return f"{path} is locked by another program; {who}; {RESUMES}"
    if "readonly" in str(error):
        return f"{path} can no longer be written; make it writable; {RESUMES}"
    return _database_text(database_fault(path) or f"failed ({error})")


def _database_text(fault: str) -> str:
    path = mlflow_path()
    if path.exists():
        return f"{damage_text(path, fault)}; {RESUMES}"
    return (
        f"{path} {fault}; put it back, or a new one is made, without what the old one recorded; "
        f"{RESUMES}"
    )


def _chain(error: BaseException | None) -> Iterator[BaseException]:
    """Yield an error and what lies behind it."""
    seen: set[int] = set()
    while error is not None and id(error) not in seen:
        seen.add(id(error))
        yield error
        error = error.__cause__ or error.__context__
