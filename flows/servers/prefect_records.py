"""Records that a Prefect server receives as events and writes later: wait for them at the end."""

from __future__ import annotations

import time
from datetime import UTC, datetime, timedelta
from typing import Any

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
    if not _ended_lately(api):
        return
    deadline = time.monotonic() + _LONGEST_WAIT
    written, since = _written(api), time.monotonic()
    while time.monotonic() < min(deadline, since + _QUIET_SECONDS):
        time.sleep(0.1)
        now = _written(api)
        if now != written:
            written, since = now, time.monotonic()


def _ended_lately(api: str) -> bool:
    latest = _answer(f"{api}/flow_runs/filter", {"sort": "END_TIME_DESC", "limit": 1})
    ended = latest[0]["end_time"] if latest else None
    return ended is not None and datetime.now(UTC) - datetime.fromisoformat(ended) < _LATE


def _written(api: str) -> list[Any]:
    """Return how many tasks are recorded, and how many of them as ended."""
    final = {"task_runs": {"state": {"type": {"any_": _FINAL}}}}
    return [_answer(f"{api}/task_runs/count", question) for question in ({}, final)]


def _answer(address: str, question: Any) -> Any:
    answer = get(address, question)
    return answer and answer[1]
