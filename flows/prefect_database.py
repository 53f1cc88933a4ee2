"""The database of a project's Prefect server: a copy of an empty one, which takes long to make.

The first server of a user that makes a database leaves a copy of it, still empty, in the user's
cache folder, under Prefect's version and a checksum; the servers of other projects begin with it.
"""

from __future__ import annotations

import hashlib
import os
import shutil
import sqlite3
from collections.abc import Callable
from contextlib import closing, suppress
from functools import partial
from importlib.metadata import version
from pathlib import Path


def prepare_database(database: Path) -> Callable[[], None]:
    """Begin with a copy of an empty database where there is none yet.

    Returns
    -------
    callable
        To be called when the server is ready: keeps a copy of a database that it had to make.
    """
    if database.exists():
        return _do_nothing
    for template in _folder().glob(f"{_prefix()}*.db"):
        if template.stem.removeprefix(_prefix()) == _checksum(template):
            scratch = database.with_suffix(".part")
            scratch.parent.mkdir(parents=True, exist_ok=True)
            shutil.copyfile(template, scratch)
            scratch.replace(database)
            return _do_nothing
    return partial(_keep, database)


def _keep(database: Path) -> None:
    """Keep a copy of a database in which nothing has been recorded; it is no fault if not."""
    copy = _folder() / f"{os.getpid()}.part"
    with suppress(OSError, sqlite3.Error):
        copy.parent.mkdir(parents=True, exist_ok=True, mode=0o700)
        with closing(sqlite3.connect(database)) as made, closing(sqlite3.connect(copy)) as kept:
            made.backup(kept)
            is_empty = kept.execute("SELECT count(*) FROM flow_run").fetchone() == (0,)
        if is_empty:
            copy.replace(_folder() / f"{_prefix()}{_checksum(copy)}.db")
    copy.unlink(missing_ok=True)


def _folder() -> Path:
    from platformdirs import user_cache_path

    return user_cache_path("smoothrank", appauthor=False)


def _prefix() -> str:
    return f"prefect-{version('prefect')}-"


def _checksum(path: Path) -> str:
    return hashlib.sha256(path.read_bytes()).hexdigest()


def _do_nothing() -> None: ...
