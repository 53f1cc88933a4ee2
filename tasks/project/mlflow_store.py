"""Where runs and models are written: the project's own database, or what MLflow's variables name.

`MLFLOW_TRACKING_URI` names the MLflow server of a team, or a database. It is asked once, before
anything is written: does it answer, and does it accept the user?
"""

from __future__ import annotations

import os
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Literal

from smoothrank.errors import SmoothrankError
from tasks.project.mlflow_database import (
    ensure_mlflow_database,
    making_tables,
    mlflow_uri,
)
from tasks.project.paths import artifact_folder
from tasks.project.secrets import masked, without_secrets

TRACKING, REGISTRY = "MLFLOW_TRACKING_URI", "MLFLOW_REGISTRY_URI"
ARTIFACTS = "MLFLOW_DEFAULT_ARTIFACT_ROOT"
SECONDS_TO_ANSWER = 10
_DATABASES = ("postgresql", "mysql", "mssql", "sqlite")
_LOCK_OF_THE_MAKER = 0x736D6F6F  # any number, the same for all
_checked: set[MlflowStore] = set()  # what this process has asked already


class StoreError(SmoothrankError):
    """The MLflow server or database that is named cannot be used."""


@dataclass(frozen=True)
class MlflowStore:
    """A store of runs and models.

    Parameters
    ----------
    tracking, registry : str
        Its addresses as MLflow takes them; they may hold a password.
    kind : {"own", "server", "database"}
        The project's own database, a server of others, or a database that was named.
    """

    tracking: str
    registry: str
    kind: Literal["own", "server", "database"]

    @property
    def shown(self) -> str:
        """The address for people, without a password."""
        return masked(self.tracking)

    @property
    def page(self) -> str:
        """The address of a server for a browser."""
        return self.tracking.rstrip("/")

    @property
    def artifact_root(self) -> str:
        """The folder of files of a database that was named, or of the project's own."""
        named = os.environ.get(ARTIFACTS, "") if self.kind == "database" else ""
        if not named:
            return artifact_folder().as_uri()
        return named if "://" in named else Path(named).expanduser().resolve().as_uri()


def mlflow_store() -> MlflowStore:
    """Return the store that is used here.

    Raises
    ------
    StoreError
        If what is named is neither a server nor a database.
    """
    named = os.environ.get(TRACKING, "").strip()
    if named in ("", mlflow_uri()):
        return MlflowStore(mlflow_uri(), mlflow_uri(), "own")
    registry = os.environ.get(REGISTRY, "").strip() or named
    scheme, separator, _ = named.partition("://")
    if separator and scheme in ("http", "https"):
        if "@" in named:
            raise StoreError(
                f"{TRACKING} holds a user or password ({masked(named)}), which MLflow would write "
                "to its logs; put them into MLFLOW_TRACKING_USERNAME and MLFLOW_TRACKING_PASSWORD"
            )
        return MlflowStore(named, registry, "server")
    if separator and scheme.partition("+")[0] in _DATABASES:
        return MlflowStore(named, registry, "database")
    raise StoreError(
        f"{TRACKING} is {masked(named)}; name an MLflow server (http://… or https://…) or a "
        f"database (postgresql://…), or unset it to keep runs in this project"
    )


def ensure_mlflow_store() -> MlflowStore:
    """Create or upgrade the project's own store, or ask the one that is named, once.

    Raises
    ------
    DamagedDatabaseError
        If the project's own cannot be used.
    StoreError
        If the one that is named does not answer or does not accept the user.
    """
    store = mlflow_store()
    if store.kind == "own":
        ensure_mlflow_database()
    elif store not in _checked:
        check_mlflow_store(store)
        _checked.add(store)
    return store


def check_mlflow_store(store: MlflowStore) -> None:
    """Ask a store that is named whether it can be used; the tables of an empty database are made.

    Raises
    ------
    StoreError
        With its address and what to do.
    """
    os.environ.setdefault("MLFLOW_DISABLE_TELEMETRY", "true")
    os.environ.setdefault("MLFLOW_ENABLE_ARTIFACTS_PROGRESS_BAR", "false")
    os.environ.setdefault("MLFLOW_SUPPRESS_PRINTING_URL_TO_STDOUT", "true")
    if store.kind == "server":
        _check_server(store)
    elif store.kind == "database":
        _check_database(store)


def ask_server(store: MlflowStore, path: str, question: Any = None) -> Any:
    """Return the JSON that a server answers; None if it has no answer to this question.

    MLflow's own client asks, once, so that all its settings count: users, keys, certificates.

    Raises
    ------
    StoreError
        If the server does not answer or does not accept the user.
    """
    answer = _answer(store, path, question)
    if answer.status_code in (401, 403):
        raise StoreError(_refusal(store, answer.status_code))
    return answer.json() if answer.status_code == 200 else None


def _check_server(store: MlflowStore) -> None:
    """Ask for an experiment, which needs a user where a server has users."""
    answer = _answer(store, "experiments/search", {"max_results": 1})
    if answer.status_code != 200:
        raise StoreError(_refusal(store, answer.status_code))


def _answer(store: MlflowStore, path: str, question: Any) -> Any:
    from mlflow.exceptions import MlflowException
    from mlflow.utils import credentials, rest_utils

    ask: Any = rest_utils.http_request
    known_as: Any = credentials.get_default_host_creds
    try:
        return ask(
            known_as(store.tracking),
            f"/api/2.0/mlflow/{path}",
            "GET" if question is None else "POST",
            **({} if question is None else {"json": question}),
            max_retries=0,
            timeout=SECONDS_TO_ANSWER,
            raise_on_status=False,
        )
    except (MlflowException, OSError, ValueError) as error:
        raise StoreError(
            f"no MLflow server answers at {store.shown}, which {TRACKING} names"
            f"{_why(error)}; start it, or unset {TRACKING} to keep runs in this project"
        ) from None


def _why(error: Exception) -> str:
    """Return the innermost reason in brackets, if it says something to people."""
    reason = str(getattr(error, "__cause__", None) or error)
    known = ("refused", "timed out", "resolve", "certificate", "SSL")
    return next((f" ({word})" for word in known if word in reason), "")


def _refusal(store: MlflowStore, status: int) -> str:
    """Return what a server's refusal means, and what to do."""
    user = os.environ.get("MLFLOW_TRACKING_USERNAME")
    if status == 401:
        who = f"user {user!r} with this password" if user else "a request without a user"
        return (
            f"the MLflow server at {store.shown} does not accept {who}; set "
            "MLFLOW_TRACKING_USERNAME and MLFLOW_TRACKING_PASSWORD to what its administrator gave "
            "you"
        )
    if status == 403:
        who = f"user {user!r}" if user else "this user"
        return (
            f"the MLflow server at {store.shown} does not permit {who} to read experiments; ask "
            "its administrator"
        )
    return (
        f"{store.shown}, which {TRACKING} names, answers with status {status} and not as an "
        "MLflow server does; correct the address, or see the log of the server"
    )


def _check_database(store: MlflowStore) -> None:
    """Connect, and let one program at a time make the tables of an empty database."""
    from mlflow.exceptions import MlflowException
    from sqlalchemy import create_engine, text
    from sqlalchemy.exc import ArgumentError, NoSuchModuleError, SQLAlchemyError
    from sqlalchemy.pool import NullPool

    is_postgresql = store.tracking.startswith("postgresql")
    arguments: dict[str, Any] = {"connect_timeout": SECONDS_TO_ANSWER} if is_postgresql else {}
    try:
        engine = create_engine(store.tracking, connect_args=arguments, poolclass=NullPool)
        with engine.connect() as connection:
            if is_postgresql:
                connection.execute(text(f"SELECT pg_advisory_lock({_LOCK_OF_THE_MAKER})"))
            with making_tables() as make:
                make(store.tracking, store.artifact_root).engine.dispose()
    except (ModuleNotFoundError, NoSuchModuleError) as error:
        raise StoreError(
            f"{store.shown}, which {TRACKING} names, needs a driver that is not installed "
            f"({error}); for PostgreSQL: pip install 'smoothrank[team]'"
        ) from None
    except ArgumentError:
        raise StoreError(
            f"{TRACKING} is {store.shown}, which is no address of a database"
        ) from None
    except (SQLAlchemyError, MlflowException) as error:
        reason = without_secrets(" ".join(str(getattr(error, "orig", None) or error).split()))
        raise StoreError(
            f"the database {store.shown}, which {TRACKING} names, cannot be used: {reason}"
        ) from None
