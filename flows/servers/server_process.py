"""A server process of the project: on loopback, started once, reused, stopped.

A server outlives the command that starts it. Its record in `.smoothrank/` (process, port) is
believed only if the server that answers there says that it is this project's; a file that the
server process keeps locked tells whether it still lives.
"""

from __future__ import annotations

import fcntl
import http.client
import json
import os
import signal
import socket
import subprocess
import sys
import time
import urllib.request
from collections.abc import Callable, Mapping
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any
from uuid import uuid4

from smoothrank.errors import SmoothrankError
from tasks.project.home import is_locked, locked, project_home, state_folder

HOST = "127.0.0.1"
SECONDS_TO_START = 180.0  # 5 on an idle machine, 45 seen on a busy one
SECONDS_TO_STOP = 10.0
_LAST_WORDS = 500
_WATCHED = (sys.executable, "-P", "-m", "flows.servers.watched_server")


class ServerError(SmoothrankError):
    """A server does not start or does not answer."""


@dataclass(frozen=True)
class Record:
    """What is noted of a started server."""

    pid: int
    port: int
    token: str

    @property
    def address(self) -> str:
        """The address for a browser."""
        return f"http://{HOST}:{self.port}"


@dataclass(frozen=True)
class Kind:
    """How one of the two servers is started and recognised.

    Its command is a module and the module's arguments. What `prepare` returns is called when the
    server is ready.
    """

    name: str
    title: str
    usual_port: int
    command: Callable[[int, str], list[str]]
    environment: Callable[[int], dict[str, str]]
    is_ours: Callable[[Record], bool]
    prepare: Callable[[], Callable[[], None]] = lambda: lambda: None


def ensure(kind: Kind) -> Record:
    """Give the running server of a kind; start it if there is none."""
    with locked(f"{kind.name}-server"):
        record = answering(kind)
        if record is None and _lives(kind):
            record = _wait_for(kind)
        return record or _start(kind)


def _wait_for(kind: Kind) -> Record | None:
    """Wait for a server whose starter was interrupted; give None if it ends."""
    record = _read(kind)
    if record and _ready(kind, record, lambda: _lives(kind)):
        return record
    if not _lives(kind):
        return None
    raise ServerError(
        f"the {kind.title} server is running but does not answer; "
        "run `smoothrank stop`, then the same command again"
    )


def _start(kind: Kind) -> Record:
    """Start on the last port or the usual one, or on a free one if that is taken meanwhile."""
    last = _read(kind)
    for port in (last.port if last else kind.usual_port, 0, 0):
        free = _free_port(port)
        record = _launch(kind, free)
        if record:
            return record
        if not (_is_taken(free) or _was_taken(kind)):
            break
    log = _log_path(kind)
    raise ServerError(
        f"the {kind.title} server does not start: {_last_line(log)} (all of it: {log})"
    )


def _was_taken(kind: Kind) -> bool:
    """Whether the server that ended says that another one had its port, if only for a moment."""
    return "already in use" in _log_path(kind).read_text(errors="replace")[-_LAST_WORDS:]


def _launch(kind: Kind, port: int) -> Record | None:
    """Start on a port; give None if the server ended or did not answer in time."""
    token = uuid4().hex
    log = _log_path(kind)
    when_ready = kind.prepare()
    with _alive_path(kind).open("w") as alive, log.open("ab") as output:
        fcntl.flock(alive, fcntl.LOCK_EX)
        process = subprocess.Popen(  # noqa: S603
            [*_WATCHED, kind.name, str(port), token, *kind.command(port, token)],
            cwd=project_home(),
            env={**os.environ, **kind.environment(port)},
            stdin=subprocess.DEVNULL,
            stdout=output,
            stderr=subprocess.STDOUT,
            start_new_session=True,
            pass_fds=(alive.fileno(),),
        )
    record = Record(process.pid, port, token)
    try:
        _write(kind, record)
        if _ready(kind, record, lambda: process.poll() is None):
            when_ready()
            return record
    except BaseException:
        end_group(record.pid, lambda: process.poll() is not None)
        raise
    end_group(record.pid, lambda: process.poll() is not None)
    return None


def _ready(kind: Kind, record: Record, lives: Callable[[], bool]) -> bool:
    deadline = time.monotonic() + SECONDS_TO_START
    while time.monotonic() < deadline:
        if kind.is_ours(record):
            return True
        if not lives():
            return False
        time.sleep(0.1)
    return False


def stop(kind: Kind) -> bool:
    """Stop the server of a kind; tell whether there was one."""
    if _read(kind) is None:
        return False
    with locked(f"{kind.name}-server"):
        record = _read(kind)
        running = record is not None and (_lives(kind) or kind.is_ours(record))
        if record and running:
            end_group(record.pid, lambda: not _lives(kind) and not _is_taken(record.port))
        return running


def end_group(pid: int, ended: Callable[[], bool]) -> None:
    """End a server and the processes it started: asked first, then forced."""
    for sign in (signal.SIGTERM, signal.SIGKILL):
        try:
            os.killpg(pid, sign)
        except (ProcessLookupError, PermissionError):
            return
        deadline = time.monotonic() + SECONDS_TO_STOP
        while time.monotonic() < deadline:
            if ended():
                return
            time.sleep(0.05)


def answering(kind: Kind) -> Record | None:
    """Give the server of a kind if it answers."""
    record = _read(kind)
    return record if record and kind.is_ours(record) else None


def _lives(kind: Kind) -> bool:
    """Tell whether a server process holds its lock, so that an old record misleads nobody."""
    return is_locked(project_home() / ".smoothrank" / "locks" / f"{kind.name}-alive")


def _read(kind: Kind) -> Record | None:
    try:
        noted = json.loads((project_home() / ".smoothrank" / f"{kind.name}.json").read_text())
        return Record(int(noted["pid"]), int(noted["port"]), str(noted["token"]))
    except (OSError, ValueError, TypeError, KeyError):
        return None


def _write(kind: Kind, record: Record) -> None:
    path = state_folder() / f"{kind.name}.json"
    new = path.with_suffix(".new")
    new.write_text(json.dumps(asdict(record)) + "\n")
    new.replace(path)


def _alive_path(kind: Kind) -> Path:
    return state_folder("locks") / f"{kind.name}-alive"


def _log_path(kind: Kind) -> Path:
    return state_folder("logs") / f"{kind.name}.log"


def _last_line(log: Path) -> str:
    lines = [line.strip() for line in log.read_text(errors="replace").splitlines()]
    return next((line for line in reversed(lines) if line), "its log is empty")


def _free_port(wanted: int) -> int:
    """Give the wanted port if it can be had, or any free one."""
    for port in (wanted, 0):
        with socket.socket() as probe:
            probe.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
            try:
                probe.bind((HOST, port))
            except OSError:
                continue
            return int(probe.getsockname()[1])
    raise ServerError(f"no port of {HOST} is free")


def _is_taken(port: int) -> bool:
    with socket.socket() as probe:
        probe.settimeout(1.0)
        return probe.connect_ex((HOST, port)) == 0


def get(address: str, question: Any = None) -> tuple[Mapping[str, str], Any] | None:
    """Give the headers and the JSON of an answer, or None if there is no good answer.

    A question is sent as JSON.
    """
    opener = urllib.request.build_opener(urllib.request.ProxyHandler({}))
    sent = None if question is None else json.dumps(question).encode()
    request = urllib.request.Request(address, sent, {"Content-Type": "application/json"})  # noqa: S310
    try:
        with opener.open(request, timeout=5.0) as answer:
            headers, body = answer.headers, answer.read()
    except (OSError, http.client.HTTPException):
        return None
    try:
        return headers, json.loads(body)
    except ValueError:
        return headers, None
