"""The Prefect and MLflow servers of the project."""

from __future__ import annotations

import os
import sys
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

from flows.servers import mlflow_app, prefect_records
from flows.servers.named_database import VARIABLES as DATABASE_VARIABLES
from flows.servers.named_database import (
    check_named_database,
    database_variable,
    named_database,
)
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
from flows.servers.team_prefect import NAMED_BY as PREFECT_NAMED_BY
from flows.servers.team_prefect import (
    check_prefect_api,
    named_prefect_api,
    prefect_page,
    refresh_prefect_settings,
)
from tasks.project.mlflow_store import (
    TRACKING,
    StoreError,
    check_mlflow_store,
    ensure_mlflow_store,
    mlflow_store,
)
from tasks.project.paths import state_folder
from tasks.project.secrets import masked

TELEMETRY_OFF = {
    "DO_NOT_TRACK": "true",
    "PREFECT_SERVER_ANALYTICS_ENABLED": "false",
    "MLFLOW_DISABLE_TELEMETRY": "true",
}
_FORGETS = "PREFECT_SERVER_SERVICES_DB_VACUUM_ENABLED"
"""What the server deletes by and by: its flow runs end up in the database for good otherwise.

Events are kept for 7 days and flow runs for 90, unless Prefect's settings say something else."""
OWNER_HEADER = "X-Smoothrank-Server"  # the header that identifies our servers


@dataclass(frozen=True)
class ServerState:
    """A server that is used here.

    Parameters
    ----------
    address : str or None
        Its address for a browser; None if it does not answer.
    named_by : str or None
        The variable that names it, or the database of the project's own server; None if none does.
    fault : str or None
        Why a server or database that is named cannot be used.
    database : str or None
        The database that is named, without its password.
    """

    address: str | None
    named_by: str | None = None
    fault: str | None = None
    database: str | None = None


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
        If it cannot be started, or the one that is named does not answer or refuses.
    """
    named = named_prefect_api()
    if named:
        check_prefect_api(named)
        return named
    api = f"{ensure(PREFECT).address}/api"
    wanted = {**_prefect_environment(), "PREFECT_API_URL": api}
    if any(os.environ.get(name) != value for name, value in wanted.items()):
        os.environ.update(wanted)
        if "prefect" in sys.modules:
            refresh_prefect_settings()
    return api


def ensure_mlflow_server() -> str:
    """Start the project's MLflow server unless it answers; return its address.

    A server that `MLFLOW_TRACKING_URI` names is used as it is; on a database that it names, the
    project's server is started.

    Raises
    ------
    ServerError
        If it cannot be started.
    StoreError
        If what is named does not answer or refuses.
    """
    if mlflow_store().kind == "server":
        return ensure_mlflow_store().page
    running = answering(MLFLOW)
    if running:
        return running.address
    ensure_mlflow_store()
    return ensure(MLFLOW).address


def stop_servers() -> list[str]:
    """Stop the project's servers; return the names of those that were running."""
    prefect = answering(PREFECT, of_any_store=True)
    if prefect:
        prefect_records.wait_for_records(f"{prefect.address}/api")
    return [spec.title for spec in (PREFECT, MLFLOW) if stop(spec)]


def running_servers() -> dict[str, str | None]:
    """Return the address of each server, or None for one that does not answer."""
    return {name: state.address for name, state in server_states().items()}


def server_states() -> dict[str, ServerState]:
    """Return the state of each server; those that are named are asked."""
    return {"prefect": prefect_state(), "mlflow": _mlflow_state()}


def prefect_state() -> ServerState:
    """Return the state of the Prefect server; one that is named is asked."""
    named = named_prefect_api()
    variable = PREFECT_NAMED_BY if named else database_variable()
    try:
        if named:
            check_prefect_api(named)
            return ServerState(prefect_page(named), variable)
        check_named_database()
    except ServerError as error:
        return ServerState(None, variable, str(error))
    return ServerState(_own_address(PREFECT), variable, database=_prefect_store() or None)


def _mlflow_state() -> ServerState:
    try:
        store = mlflow_store()
        check_mlflow_store(store)
    except StoreError as error:
        return ServerState(None, TRACKING, str(error))
    if store.kind == "server":
        return ServerState(store.page, TRACKING)
    database = _mlflow_database() or None
    return ServerState(_own_address(MLFLOW), database and TRACKING, database=database)


def _own_address(spec: ServerSpec) -> str | None:
    record = answering(spec)
    return record.address if record else None


def prefect_is_alive() -> bool:
    """Return whether the process of the project's Prefect server runs."""
    return is_alive(PREFECT)


def _prefect_home() -> Path:
    return state_folder("prefect")


def _prefect_database() -> Path:
    return _prefect_home() / "prefect.db"


def _prefect_store() -> str:
    return masked(named_database())


def _prepare_prefect() -> Callable[[], None]:
    if named_database():
        check_named_database()
        return lambda: None
    return prepare_database(_prefect_database())


def _prefect_environment() -> dict[str, str]:
    """Return the settings of a client; a server with an auth string asks its clients for it."""
    secret = os.environ.get("PREFECT_SERVER_API_AUTH_STRING")
    auth = {"PREFECT_API_AUTH_STRING": secret} if secret else {}
    return {**TELEMETRY_OFF, "PREFECT_HOME": str(_prefect_home()), **auth}


def _prefect_server_environment(port: int) -> dict[str, str]:
    """Return the server's settings; its page calls the API at the address given here."""
    database = named_database() or f"sqlite+aiosqlite:///{_prefect_database()}"
    return {
        **_prefect_environment(),
        **dict.fromkeys(DATABASE_VARIABLES, database),
        "PREFECT_API_URL": "",
        "PREFECT_UI_API_URL": f"http://{HOST}:{port}/api",
        "PREFECT_SERVER_CORS_ALLOWED_ORIGINS": f"http://{HOST}:{port}",
        "PREFECT_SERVER_CSRF_PROTECTION_ENABLED": "true",
        _FORGETS: os.environ.get(_FORGETS, "events,flow_runs"),
        **prefect_records.BATCHED,
    }


def _prefect_command(port: int, token: str) -> list[str]:
    return ["flows.servers.prefect_app", str(port), OWNER_HEADER, token]


def _prefect_is_ours(record: Record) -> bool:
    return _is_ours(f"{record.address}/api/health", record)


def _is_ours(address: str, record: Record) -> bool:
    answer = get(address)
    return answer is not None and answer[0].get(OWNER_HEADER) == record.token


def _mlflow_environment(port: int) -> dict[str, str]:
    return {
        **TELEMETRY_OFF,
        "MLFLOW_SERVER_ENABLE_JOB_EXECUTION": "false",
        "MLFLOW_BACKEND_STORE_URI": mlflow_store().tracking,  # a command line is for all to see
        mlflow_app.PORT: str(port),
    }


def _mlflow_command(port: int, token: str) -> list[str]:
    options = {
        "--host": HOST,
        "--port": str(port),
        "--app-name": "smoothrank",
        "--workers": "1",
        "--default-artifact-root": mlflow_store().artifact_root,
        "--uvicorn-opts": f"--header {OWNER_HEADER}:{token} --log-level warning",
    }
    flat = [text for option in options.items() for text in option]
    return ["mlflow", "server", *flat]


def _mlflow_is_ours(record: Record) -> bool:
    return _is_ours(f"{record.address}/health", record)


def _mlflow_database() -> str:
    store = mlflow_store()
    return store.shown if store.kind == "database" else ""


PREFECT = ServerSpec(
    "prefect",
    "Prefect",
    4200,
    _prefect_command,
    _prefect_server_environment,
    _prefect_is_ours,
    _prepare_prefect,
    _prefect_store,
)
MLFLOW = ServerSpec(
    "mlflow",
    "MLflow",
    5000,
    _mlflow_command,
    _mlflow_environment,
    _mlflow_is_ours,
    store=_mlflow_database,
)
