"""The Prefect and MLflow servers of the project."""

from __future__ import annotations

import os
import sys
from collections.abc import Callable
from pathlib import Path

from flows.servers import mlflow_app, prefect_records
from flows.servers.prefect_database import prepare_database
from flows.servers.server_process import (
    HOST,
    Record,
    ServerError,
    ServerSpec,
    answering,
    ensure,
    get,
    is_alive,
    stop,
)
from tasks.project.mlflow_database import ensure_mlflow_database, mlflow_uri
from tasks.project.paths import artifact_folder, state_folder

TELEMETRY_OFF = {
    "DO_NOT_TRACK": "true",
    "PREFECT_SERVER_ANALYTICS_ENABLED": "false",
    "MLFLOW_DISABLE_TELEMETRY": "true",
}
_DRAIN_SECONDS = 5
_OWNER_HEADER = "X-Smoothrank-Server"  # the header that identifies our MLflow server


def ensure_prefect_server() -> str:
    """Start the project's Prefect server unless it answers, and make this process use it.

    A server that `PREFECT_API_URL` names is used as it is.

    Returns
    -------
    str
        The address of its API; also set as `PREFECT_API_URL`.

    Raises
    ------
    ServerError
        If it cannot be started, or the one that `PREFECT_API_URL` names does not answer.
    """
    foreign = _foreign_prefect_api()
    if foreign:
        if get(f"{foreign}/health") is None:
            raise ServerError(
                f"no Prefect server answers at {foreign}, which PREFECT_API_URL names; start it, "
                "or unset PREFECT_API_URL to have one started here"
            )
        return foreign
    api = f"{ensure(PREFECT).address}/api"
    wanted = {**_prefect_environment(), "PREFECT_API_URL": api}
    if any(os.environ.get(name) != value for name, value in wanted.items()):
        os.environ.update(wanted)
        _refresh_prefect_settings()
    return api


def ensure_mlflow_server() -> str:
    """Start the project's MLflow server unless it answers; return its address.

    Raises
    ------
    ServerError
        If it cannot be started.
    """
    running = answering(MLFLOW)
    if running:
        return running.address
    ensure_mlflow_database()
    return ensure(MLFLOW).address


def stop_servers() -> list[str]:
    """Stop the project's servers; return the names of those that were running."""
    prefect = answering(PREFECT)
    if prefect:
        prefect_records.wait_for_records(f"{prefect.address}/api")
    return [spec.title for spec in (PREFECT, MLFLOW) if stop(spec)]


def running_servers() -> dict[str, str | None]:
    """Return the address of each server, or None for one that does not answer."""
    found = {spec.name: answering(spec) for spec in (PREFECT, MLFLOW)}
    addresses = {name: record.address if record else None for name, record in found.items()}
    foreign = _foreign_prefect_api()
    if foreign:
        addresses["prefect"] = foreign.removesuffix("/api") if get(f"{foreign}/health") else None
    return addresses


def prefect_is_alive() -> bool:
    """Return whether the Prefect server's process runs; a server of others is taken to do so."""
    return _foreign_prefect_api() is not None or is_alive(PREFECT)


def _prefect_home() -> Path:
    return state_folder("prefect")


def _prefect_database() -> Path:
    return _prefect_home() / "prefect.db"


def _prepare_prefect() -> Callable[[], None]:
    return prepare_database(_prefect_database())


def _prefect_environment() -> dict[str, str]:
    return {**TELEMETRY_OFF, "PREFECT_HOME": str(_prefect_home())}


def _prefect_server_environment(port: int) -> dict[str, str]:
    """Return the server's settings; its page calls the API at the address given here."""
    return {
        **_prefect_environment(),
        "PREFECT_API_DATABASE_CONNECTION_URL": f"sqlite+aiosqlite:///{_prefect_database()}",
        "PREFECT_API_URL": "",
        "PREFECT_UI_API_URL": f"http://{HOST}:{port}/api",
        "PREFECT_SERVER_CORS_ALLOWED_ORIGINS": f"http://{HOST}:{port}",
        "PREFECT_SERVER_CSRF_PROTECTION_ENABLED": "true",
        **prefect_records.BATCHED,
    }


def _prefect_command(port: int, token: str) -> list[str]:
    del token
    return ["flows.servers.prefect_app", str(port)]


def _prefect_is_ours(record: Record) -> bool:
    answer = get(f"{record.address}/api/admin/settings")
    return (
        answer is not None
        and isinstance(answer[1], dict)
        and (answer[1].get("home") == str(_prefect_home()))
    )


def _foreign_prefect_api() -> str | None:
    """Return `PREFECT_API_URL` if it was not set by an earlier start of the project's server."""
    named = os.environ.get("PREFECT_API_URL", "").rstrip("/")
    if not named or os.environ.get("PREFECT_HOME", "").endswith("/.smoothrank/prefect"):
        return None
    return named


def _refresh_prefect_settings() -> None:
    """Have Prefect read the environment again if it has been imported before.

    Task records travel as events; the connection to the server used until now is closed, or they
    would go there.
    """
    if "prefect" not in sys.modules:
        return
    from prefect.context import refresh_global_settings_context
    from prefect.events.worker import EventsWorker

    EventsWorker.drain_all(timeout=_DRAIN_SECONDS, at_exit=False)
    refresh_global_settings_context()


def _mlflow_environment(port: int) -> dict[str, str]:
    return {
        **TELEMETRY_OFF,
        "MLFLOW_SERVER_ENABLE_JOB_EXECUTION": "false",
        mlflow_app.PORT: str(port),
    }


def _mlflow_command(port: int, token: str) -> list[str]:
    options = {
        "--host": HOST,
        "--port": str(port),
        "--app-name": "smoothrank",
        "--workers": "1",
        "--backend-store-uri": mlflow_uri(),
        "--default-artifact-root": artifact_folder().as_uri(),
        "--uvicorn-opts": f"--header {_OWNER_HEADER}:{token} --log-level warning",
    }
    flat = [text for option in options.items() for text in option]
    return ["mlflow", "server", *flat]


def _mlflow_is_ours(record: Record) -> bool:
    answer = get(f"{record.address}/health")
    return answer is not None and answer[0].get(_OWNER_HEADER) == record.token


PREFECT = ServerSpec(
    "prefect",
    "Prefect",
    4200,
    _prefect_command,
    _prefect_server_environment,
    _prefect_is_ours,
    _prepare_prefect,
)
MLFLOW = ServerSpec("mlflow", "MLflow", 5000, _mlflow_command, _mlflow_environment, _mlflow_is_ours)
