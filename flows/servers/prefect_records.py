"""Records that a Prefect server receives as events and writes later: wait for them at the end."""

from __future__ import annotations

import base64
import os
import time
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from typing import Any
from uuid import uuid4

from flows.servers.server_process import get

BATCHED = {
    "PREFECT_SERVER_SERVICES_TASK_RUN_RECORDER_BATCH_SIZE": "20",
    "PREFECT_SERVER_SERVICES_TASK_RUN_RECORDER_FLUSH_INTERVAL": "1",
}
"""Settings of a server that writes task records in batches: half the work for a small run."""

_QUIET_SECONDS = 1.5
_LONGEST_WAIT = 15.0
_LATE = timedelta(seconds=30)
_FINAL = ["COMPLETED", "FAILED", "CRASHED", "CANCELLED"]


def wait_for_records(api: str) -> None:
    """Wait until the server has written all records of a run that has just ended."""
    server = _Server(api, csrf_headers(api))
    if not _ended_lately(server):
        return
    deadline = time.monotonic() + _LONGEST_WAIT
    written, since = _written(server), time.monotonic()
    while time.monotonic() < min(deadline, since + _QUIET_SECONDS):
        time.sleep(0.1)
        now = _written(server)
        if now != written:
            written, since = now, time.monotonic()


@dataclass(frozen=True)
class _Server:
    """A server, and the headers that it asks of a program."""

    api: str
    headers: dict[str, str]

    def answer(self, path: str, question: Any) -> Any:
        """Return what the server answers; None if it does not."""
        answer = get(f"{self.api}/{path}", question, self.headers)
        return answer and answer[1]


def csrf_headers(api: str) -> dict[str, str]:
    """Return the token without which a server changes nothing, and hardly answers."""
    client, auth = str(uuid4()), _auth_headers()
    answer = get(f"{api}/csrf-token?client={client}", None, auth)
    token = answer[1].get("token") if answer and isinstance(answer[1], dict) else None
    csrf = {"Prefect-Csrf-Token": str(token), "Prefect-Csrf-Client": client} if token else {}
    return {**auth, **csrf}


def _auth_headers() -> dict[str, str]:
    """Return what the project's server asks for if it was started with an auth string."""
    secret = os.environ.get("PREFECT_SERVER_API_AUTH_STRING")
    if not secret:
        return {}
    return {"Authorization": f"Basic {base64.b64encode(secret.encode()).decode()}"}


def _ended_lately(server: _Server) -> bool:
    latest = server.answer("flow_runs/filter", {"sort": "END_TIME_DESC", "limit": 1})
    ended = latest[0]["end_time"] if latest else None
    return ended is not None and datetime.now(UTC) - datetime.fromisoformat(ended) < _LATE


def _written(server: _Server) -> list[Any]:
    """Return how many tasks are recorded, and how many of them as ended."""
    final = {"task_runs": {"state": {"type": {"any_": _FINAL}}}}
    return [server.answer("task_runs/count", question) for question in ({}, final)]
