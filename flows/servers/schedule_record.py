"""Which schedules of the project are running: each keeps its record locked while it lives."""

from __future__ import annotations

import fcntl
import json
import os
import signal
import time
from pathlib import Path
from typing import IO, Any
from urllib.parse import quote

from smoothrank.errors import SmoothrankError
from tasks.project.locks import is_locked
from tasks.project.paths import project_home, state_folder

SECONDS_TO_STOP = 10.0  # it ends in two
_held: list[IO[str]] = []  # what is closed is not locked


class ScheduleError(SmoothrankError):
    """A schedule cannot be created as requested."""


def claim_schedule(name: str, times: str) -> None:
    """Record this process as the one that serves a data set, until it ends; refuse a second one."""
    record = _record_path(name).open("a+")
    try:
        fcntl.flock(record, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except BlockingIOError:
        record.close()
        raise ScheduleError(
            f"{name} has a schedule that is running; end it first, with Ctrl-C there or with "
            "`smoothrank stop`"
        ) from None
    record.truncate(0)
    record.write(json.dumps({"name": name, "pid": os.getpid(), "times": times}) + "\n")
    record.flush()
    _held.append(record)


def _record_path(name: str) -> Path:
    return state_folder("schedules") / f"{quote(name, safe=' ')}.json"


def running_schedules(home: Path | None = None) -> list[dict[str, Any]]:
    """Return the schedules of a project that are served: name, pid and times of each."""
    found = [_noted(path) for path in _held_records(home)]
    return [noted for noted in found if noted]


def _noted(path: Path) -> dict[str, Any]:
    """Return what a record says; nothing while it is being written."""
    try:
        return dict(json.loads(path.read_text()))
    except ValueError:
        return {}


def _held_records(home: Path | None) -> list[Path]:
    folder = (home or project_home()) / ".smoothrank" / "schedules"
    return [path for path in sorted(folder.glob("*.json")) if is_locked(path)]


def stop_schedules(home: Path | None = None) -> list[str]:
    """Stop a project's schedules; return the names of their data sets."""
    return [name for path in _held_records(home) for name in _stop(path)]


def _stop(path: Path) -> list[str]:
    """Ask the process of a record to end, then force it; return the name if it did."""
    noted = _noted(path)
    if not noted:
        return []
    for sign in (signal.SIGTERM, signal.SIGKILL):
        os.kill(noted["pid"], sign)
        deadline = time.monotonic() + SECONDS_TO_STOP
        while time.monotonic() < deadline:
            if not is_locked(path):
                return [noted["name"]]
            time.sleep(0.05)
    return []
