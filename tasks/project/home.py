"""The project folder: where state, logs and tracked runs live."""

from __future__ import annotations

import os
import shutil
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from smoothrank.errors import SmoothrankError

_ready: set[str] = set()  # databases that this process has seen to


def project_home() -> Path:
    """Return the project folder: `SMOOTHRANK_HOME`, or the working folder.

    Raises
    ------
    SmoothrankError
        If `SMOOTHRANK_HOME` names no folder.
    """
    home = Path(os.environ.get("SMOOTHRANK_HOME") or Path.cwd()).expanduser().resolve()
    if not home.is_dir():
        raise SmoothrankError(f"SMOOTHRANK_HOME is {home}, which is no folder; make it or unset it")
    return home


def state_folder(*below: str) -> Path:
    """Return the folder `.smoothrank` of the project, or one below it; it is made if need be."""
    folder = project_home().joinpath(".smoothrank", *below)
    folder.mkdir(parents=True, exist_ok=True)
    return folder


def artifact_folder() -> Path:
    """Return the folder in which MLflow keeps the files of runs."""
    return project_home() / "mlruns" / "artifacts"


def mlflow_uri() -> str:
    """Return the address of the MLflow database."""
    return f"sqlite:///{_mlflow_path()}"


def _mlflow_path() -> Path:
    return project_home() / "mlruns" / "mlflow.db"


@contextmanager
def locked(name: str) -> Iterator[None]:
    """Wait until no other process of this project is inside the same block, then enter it."""
    with locked_file(state_folder("locks") / f"{name}.lock"):
        yield


@contextmanager
def locked_file(path: Path) -> Iterator[None]:
    """Wait until no other process has a file locked, then keep it locked."""
    import fcntl

    with path.open("w") as file:
        fcntl.flock(file, fcntl.LOCK_EX)
        yield


def is_locked(path: Path) -> bool:
    """Whether a living process keeps a file locked; one that is not there is not."""
    import fcntl

    try:
        with path.open() as file:
            fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except BlockingIOError:
        return True
    except OSError:
        return False
    return False


def ensure_mlflow_database() -> str:
    """Create or upgrade the MLflow database, one process at a time; return its address.

    To be called once before anything writes to it in parallel: processes that race to create it
    crash. It has its name only when it is whole: what a process that was killed leaves of it
    could never be used.
    """
    import logging

    os.environ.setdefault("MLFLOW_DISABLE_TELEMETRY", "true")
    os.environ.setdefault("DO_NOT_TRACK", "true")
    from mlflow.store.tracking.sqlalchemy_store import SqlAlchemyStore

    uri, path = mlflow_uri(), _mlflow_path()
    if uri in _ready and path.exists():
        return uri
    noisy = [logging.getLogger(name) for name in ("alembic", "mlflow.store.db.utils")]
    levels = [logger.level for logger in noisy]
    with locked("mlflow-database"):
        artifact_folder().mkdir(parents=True, exist_ok=True)
        for logger in noisy:
            logger.setLevel(logging.WARNING)
        try:
            make: Any = SqlAlchemyStore
            if not path.exists():
                unfinished = path.parent / "unfinished"
                shutil.rmtree(unfinished, ignore_errors=True)
                unfinished.mkdir()
                place = f"sqlite:///{unfinished / path.name}"
                make(place, artifact_folder().as_uri()).engine.dispose()
                (unfinished / path.name).replace(path)
                unfinished.rmdir()
            _write_ahead()
            make(uri, artifact_folder().as_uri())
        finally:
            for logger, level in zip(noisy, levels, strict=True):
                logger.setLevel(level)
    _ready.add(uri)
    return uri


def _write_ahead() -> None:
    """Have SQLite append what is written, and wait for the disk only now and then.

    A killed process loses nothing by it. By default each of MLflow's many small commits waits for
    the disk twice.
    """
    import sqlite3

    from sqlalchemy import event
    from sqlalchemy.engine import Engine

    database = sqlite3.connect(_mlflow_path(), timeout=60.0)
    database.execute("PRAGMA journal_mode=WAL")
    database.close()
    if not event.contains(Engine, "connect", _commit_quickly):
        event.listen(Engine, "connect", _commit_quickly)


def _commit_quickly(connection: Any, record: object) -> None:
    del record
    import sqlite3

    if isinstance(connection, sqlite3.Connection):
        connection.execute("PRAGMA synchronous=NORMAL")
