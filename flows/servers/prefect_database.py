"""The database of a project's Prefect server: a copy of an empty one, which takes long to make.

The empty one lies in the user's cache folder, under Prefect's version and a checksum. The set-up
makes it (`python -m flows.servers.prefect_database`), or it is kept from the first server that had
to make its own; the servers of all projects begin with it.
"""

from __future__ import annotations

import hashlib
import os
import shutil
import sqlite3
import subprocess
import sys
from collections.abc import Callable
from contextlib import closing, suppress
from functools import partial
from importlib.metadata import version
from pathlib import Path
from tempfile import TemporaryDirectory

from tasks.project.database_check import check_database, make_private


def prepare_database(database: Path) -> Callable[[], None]:
    """Start from a copy of an empty database where there is none yet.

    Returns
    -------
    callable
        To be called when the server is ready: keeps a copy of a database that it had to make.

    Raises
    ------
    DamagedDatabaseError
        If there is one that cannot be used.
    """
    if database.exists():
        check_database(database)
        make_private(database)
        return _do_nothing
    template = _template()
    if template is None:
        return partial(_keep, database)
    scratch = database.with_suffix(".part")
    scratch.parent.mkdir(parents=True, exist_ok=True)
    shutil.copyfile(template, scratch)
    make_private(scratch)
    scratch.replace(database)
    return _do_nothing


def make_template() -> None:
    """Make the empty database in the user's cache folder, unless it is there."""
    if _template() is not None:
        return
    with TemporaryDirectory() as folder:
        database = Path(folder) / "prefect.db"
        settings = {
            "PREFECT_HOME": folder,
            "PREFECT_API_URL": "",
            "PREFECT_API_DATABASE_CONNECTION_URL": f"sqlite+aiosqlite:///{database}",
            "DO_NOT_TRACK": "true",
        }
        subprocess.run(
            [sys.executable, "-m", "prefect", "server", "database", "upgrade", "--yes"],
            env={**os.environ, **settings},
            check=True,
        )
        _keep(database)


def _template() -> Path | None:
    """Return the empty database of this version of Prefect, if a whole one is kept."""
    for path in _folder().glob(f"{_prefix()}*.db"):
        if path.stem.removeprefix(_prefix()) == _checksum(path):
            return path
    return None


def _keep(database: Path) -> None:
    """Keep a copy of a database in which nothing has been recorded; failure is harmless."""
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


if __name__ == "__main__":
    make_template()
