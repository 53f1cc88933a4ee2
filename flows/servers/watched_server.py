"""The process of a server, which ends by itself when it is no longer needed.

`python -m flows.servers.watched_server NAME PORT TOKEN MODULE ARGUMENT…`, in the project's folder,
runs the module as `python -m MODULE ARGUMENT…` would, and watches it from a thread: its log stays
short, and the server ends when its project is gone, and when it has had nothing to do for a day.
"""

from __future__ import annotations

import json
import os
import runpy
import signal
import sys
import threading
import time
from pathlib import Path

from flows.servers.server_log import keep_short
from flows.servers.user_servers import UserServer, record_this_server
from tasks.project.locks import is_locked

IDLE = "SMOOTHRANK_SERVER_IDLE"
"""The variable that names the seconds without work after which a server ends."""

_A_DAY = 86_400.0
_SECONDS_BETWEEN_LOOKS = 5.0
_SECONDS_TO_STOP = 10.0
_ESTABLISHED = "01"


def main() -> None:
    """Run a server as the command line says."""
    name, port, token, module, *arguments = sys.argv[1:]
    home = Path.cwd()
    record_this_server(UserServer(name, os.getpid(), int(port), str(home)))
    watch = _Watch(home, name, int(port), token)
    threading.Thread(target=watch.keep_looking, daemon=True).start()
    sys.argv = [module, *arguments]
    runpy.run_module(module, run_name="__main__", alter_sys=True)


class _Watch:
    """Whether a server is still needed."""

    def __init__(self, home: Path, name: str, port: int, token: str) -> None:
        self._record = home / ".smoothrank" / f"{name}.json"
        self._asked_for = home / ".smoothrank" / "locks" / f"{name}-server.lock"
        self._log = home / ".smoothrank" / "logs" / f"{name}.log"
        self._home, self._port, self._token = home, port, token
        self._limit = _idle_limit()
        self._last_work = time.time()

    def keep_looking(self) -> None:
        """Check regularly; end the server when it is no longer needed."""
        while True:
            time.sleep(min(_SECONDS_BETWEEN_LOOKS, self._limit / 4.0))
            keep_short(self._log)
            if not self._is_known():
                self._end("its project is gone")
            if self._idle_seconds() > self._limit:
                self._end(f"it had nothing to do for {self._limit:g} s")

    def _is_known(self) -> bool:
        """Return whether the project is there and its record names this server."""
        try:
            return bool(json.loads(self._record.read_text())["token"] == self._token)
        except (OSError, ValueError, KeyError, TypeError):
            return False

    def _idle_seconds(self) -> float:
        """Return the seconds since the last command, run, schedule or visitor of the server."""
        is_being_started = is_locked(self._asked_for)
        if is_being_started or _is_at_work(self._home) or _has_visitors(self._port):
            self._last_work = time.time()
        return time.time() - max(self._last_work, _changed(self._asked_for))

    def _end(self, reason: str) -> None:
        """End all processes of the server: asked first, then forced."""
        print(f"the server ends: {reason}", flush=True)  # noqa: T201
        os.killpg(os.getpgrp(), signal.SIGTERM)
        time.sleep(_SECONDS_TO_STOP)
        os.killpg(os.getpgrp(), signal.SIGKILL)


def _idle_limit() -> float:
    try:
        return max(0.1, float(os.environ[IDLE]))
    except (KeyError, ValueError):
        return _A_DAY


def _changed(path: Path) -> float:
    try:
        return path.stat().st_mtime
    except OSError:
        return 0.0


def _is_at_work(home: Path) -> bool:
    """Return whether a schedule of the project is served or a run is in progress."""
    from flows.servers.schedule_record import running_schedules
    from tasks.tracking.attempt import running_attempts

    return bool(running_schedules(home) or running_attempts(home))


def _has_visitors(port: int) -> bool:
    """Return whether someone is connected; where that is unknown, False."""
    try:
        lines = Path("/proc/net/tcp").read_text().splitlines()[1:]
    except OSError:
        return False
    return any(
        local.endswith(f":{port:04X}") and state == _ESTABLISHED
        for _, local, _, state, *_ in map(str.split, lines)
    )


if __name__ == "__main__":
    main()
