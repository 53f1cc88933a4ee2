"""MLflow with users and Prefect with an auth string, as an administrator starts them."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

from flows.servers.server_process import free_port, get
from tests.support.running import wait_until
from tests.support.team.postgresql import Cluster

SECONDS_TO_START = 180.0
ADMINISTRATOR = "chief"


@dataclass(frozen=True)
class Started:
    """A server that runs: its address, its process, and its log."""

    address: str
    process: subprocess.Popen[bytes]
    log: Path


def quiet_environment(**more: str) -> dict[str, str]:
    """The environment without anything that names servers, and with what is given."""
    kept = {k: v for k, v in os.environ.items() if not k.startswith(("PREFECT_", "MLFLOW_"))}
    still = {
        "DO_NOT_TRACK": "true",
        "MLFLOW_DISABLE_TELEMETRY": "true",
        "PREFECT_SERVER_ANALYTICS_ENABLED": "false",
    }
    return {**kept, **still, **more}


@contextmanager
def mlflow_server(cluster: Cluster, folder: Path, password: str) -> Iterator[Started]:
    """MLflow with basic auth; runs, users and permissions are in PostgreSQL, files on its disk."""
    for database in ("mlflow", "mlflow_users"):
        cluster.make_database(database)
    settings = folder / "basic_auth.ini"
    settings.write_text(
        "[mlflow]\n"
        "default_permission = READ\n"
        "auth_cache_ttl_seconds = 60\n"
        f"database_uri = {cluster.address('mlflow_users')}\n"
        f"admin_username = {ADMINISTRATOR}\n"
        f"admin_password = {password}\n"
        "authorization_function = mlflow.server.auth:authenticate_request_basic_auth\n"
    )
    environment = {
        "MLFLOW_AUTH_CONFIG_PATH": str(settings),
        "MLFLOW_FLASK_SERVER_SECRET_KEY": "of this test alone",
        "MLFLOW_BACKEND_STORE_URI": cluster.address("mlflow"),
        "MLFLOW_SERVER_ENABLE_JOB_EXECUTION": "false",
    }
    port = free_port(0)
    command = ["mlflow", "server", "--app-name", "basic-auth", "--host", "127.0.0.1"]
    command += ["--port", str(port), "--workers", "1"]
    command += ["--artifacts-destination", str(folder / "files")]
    with _running(command, environment, folder, port, "/health") as started:
        yield started


@contextmanager
def prefect_server(cluster: Cluster, folder: Path, auth_string: str) -> Iterator[Started]:
    """Prefect with an auth string, on PostgreSQL."""
    cluster.make_database("prefect")
    environment = {
        "PREFECT_HOME": str(folder / "prefect"),
        "PREFECT_SERVER_DATABASE_CONNECTION_URL": cluster.address("prefect", "postgresql+asyncpg"),
        "PREFECT_SERVER_API_AUTH_STRING": auth_string,
    }
    port = free_port(0)
    command = ["prefect", "server", "start", "--host", "127.0.0.1", "--port", str(port)]
    with _running(command, environment, folder, port, "/api/health") as started:
        yield started


@contextmanager
def _running(
    command: list[str], environment: Mapping[str, str], folder: Path, port: int, health: str
) -> Iterator[Started]:
    log = folder / f"{command[0]}.log"
    with log.open("wb") as output:
        process = subprocess.Popen(
            [sys.executable, "-m", *command],
            cwd=folder,
            env=quiet_environment(**environment),
            stdin=subprocess.DEVNULL,
            stdout=output,
            stderr=subprocess.STDOUT,
            start_new_session=True,
        )
    address = f"http://127.0.0.1:{port}"

    def is_ready() -> bool:
        assert process.poll() is None, log.read_text()
        return get(f"{address}{health}") is not None

    try:
        wait_until(is_ready, SECONDS_TO_START, 0.2, log.read_text)
        yield Started(address, process, log)
    finally:
        os.killpg(process.pid, signal.SIGKILL)  # Prefect takes long to end by itself
        process.wait()
