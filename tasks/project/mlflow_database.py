"""The project's own MLflow database: its address, and how it is created."""

from __future__ import annotations

import os
import shutil
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from tasks.project.database_check import (
    DamagedDatabaseError,
    check_database,
    damage_text,
    database_fault,
    make_private,
)
from tasks.project.locks import locked
from tasks.project.paths import artifact_folder, project_home

_ready: dict[str, tuple[int, int]] = {}  # files that this process has created or upgraded
_sound: dict[str, int] = {}  # when the files were changed that were found to be whole


def mlflow_uri() -> str:
    """Return the address of the project's own MLflow database."""
    return f"sqlite:///{mlflow_path()}"


def mlflow_path() -> Path:
    """Return the file of the MLflow database; it need not exist."""
    return project_home() / "mlruns" / "mlflow.db"


def ensure_mlflow_database() -> str:
    """Create or upgrade the MLflow database, one process at a time; return its address.

    Call this once before anything writes to it in parallel: processes that race to create it crash.
    It is created under another name and renamed when complete, since a database left half-made by a
    killed process could never be used.

    Raises
    ------
    DamagedDatabaseError
        If there is one that cannot be used, or another than this process has used so far.
    """
    uri, path = mlflow_uri(), mlflow_path()
    if fault := lost_database():
        raise DamagedDatabaseError(damage_text(path, fault))
    check_database(path)
    if uri in _ready:
        return uri
    with locked("mlflow-database"):
        artifact_folder().mkdir(parents=True, exist_ok=True)
        with making_tables() as make:
            if not path.exists():
                unfinished = path.parent / "unfinished"
                shutil.rmtree(unfinished, ignore_errors=True)
                unfinished.mkdir()
                place = f"sqlite:///{unfinished / path.name}"
                make(place, artifact_folder().as_uri()).engine.dispose()
                (unfinished / path.name).replace(path)
                unfinished.rmdir()
            make_private(path)
            _write_ahead()
            make(uri, artifact_folder().as_uri())
    _ready[uri] = _identity(path)
    return uri


def lost_database() -> str | None:
    """Return what has become of the database that this process uses; None if it is sound.

    MLflow would go on with the file that it has opened, though nobody finds it any more. Ordinary
    writes go to the log beside the file: if the file itself has changed, it is read.
    """
    uri, path = mlflow_uri(), mlflow_path()
    if uri not in _ready:
        return None
    try:
        found, changed = _identity(path), path.stat().st_mtime_ns
    except OSError as error:
        return f"was removed while it was in use ({error.strerror or error})"
    if found != _ready[uri]:
        return "was replaced by another one while it was in use"
    if changed == _sound.get(uri):
        return None
    fault = database_fault(path)
    if fault is None:
        _sound[uri] = changed
    return fault


def _identity(path: Path) -> tuple[int, int]:
    found = path.stat()
    return found.st_dev, found.st_ino


@contextmanager
def making_tables() -> Iterator[Any]:
    """Yield MLflow's own maker of tables, which logs each step unless it is told not to.

    It is called with the address of a database and that of the folder for files.
    """
    import logging

    os.environ.setdefault("MLFLOW_DISABLE_TELEMETRY", "true")
    os.environ.setdefault("DO_NOT_TRACK", "true")
    from mlflow.store.tracking.sqlalchemy_store import SqlAlchemyStore

    noisy = [logging.getLogger(name) for name in ("alembic", "mlflow.store.db.utils")]
    levels = [logger.level for logger in noisy]
    for logger in noisy:
        logger.setLevel(logging.WARNING)
    try:
        yield SqlAlchemyStore
    finally:
        for logger, level in zip(noisy, levels, strict=True):
            logger.setLevel(level)


def _write_ahead() -> None:
    """Use SQLite's write-ahead log, which waits for the disk only now and then.

    A killed process loses nothing by it. By default each of MLflow's many small commits waits for
    the disk twice.
    """
    import sqlite3

    from sqlalchemy import event
    from sqlalchemy.engine import Engine

    database = sqlite3.connect(mlflow_path(), timeout=60.0)
    database.execute("PRAGMA journal_mode=WAL")
    database.close()
    if not event.contains(Engine, "connect", _commit_quickly):
        event.listen(Engine, "connect", _commit_quickly)


def _commit_quickly(connection: Any, record: object) -> None:
    del record
    import sqlite3

    if isinstance(connection, sqlite3.Connection):
        connection.execute("PRAGMA synchronous=NORMAL")
