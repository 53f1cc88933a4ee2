"""A server process of the project: on loopback, started once, reused, stopped.

A server outlives the command that starts it. Its record in `.smoothrank/` (process, port) is
trusted only if the server that answers there confirms that it is this project's; a file that the
server process keeps locked shows whether it is still alive.
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
from tasks.project.locks import is_locked, locked
from tasks.project.paths import project_home, state_folder

HOST = "127.0.0.1"
SECONDS_TO_START = 180.0  # 5 on an idle machine, 45 seen on a busy one
SECONDS_TO_STOP = 10.0
SECONDS_TO_NOTICE = 30.0  # a server looks for its record every five
_LOG_TAIL = 500
_WATCHED_COMMAND = (sys.executable, "-P", "-m", "flows.servers.watched_server")


class ServerError(SmoothrankError):
    """A server does not start or does not answer."""


@dataclass(frozen=True)
class Record:
    """The record of a started server."""

    pid: int
    port: int
    token: str
    store: str = ""

    @property
    def address(self) -> str:
        """The address for a browser."""
        return f"http://{HOST}:{self.port}"


@dataclass(frozen=True)
class ServerSpec:
    """How one of the two servers is started and recognised.

    Its command is a module and the module's arguments. What `prepare` returns is called when the
    server is ready. `store` names a database that is not the project's own, without its password.
    """

    name: str
    title: str
    usual_port: int
    command: Callable[[int, str], list[str]]
    environment: Callable[[int], dict[str, str]]
    is_ours: Callable[[Record], bool]
    prepare: Callable[[], Callable[[], None]] = lambda: lambda: None
    store: Callable[[], str] = str


def ensure(spec: ServerSpec) -> Record:
    """Return the running server; start it if there is none."""
    with locked(f"{spec.name}-server"):
        _end_if_lost(spec)
        _end_if_of_another_store(spec)
        record = answering(spec)
        if record is None and is_alive(spec):
            record = _wait_for(spec)
        return record or _start(spec)


def _wait_for(spec: ServerSpec) -> Record | None:
    """Wait for a server whose starter was interrupted; return None if it ends."""
    record = _read(spec)
    if record and _ready(spec, record, lambda: is_alive(spec)):
        return record
    if not is_alive(spec):
        return None
    raise ServerError(
        f"the {spec.title} server is running but does not answer; "
        "run `smoothrank stop`, then the same command again"
    )


def _start(spec: ServerSpec) -> Record:
    """Start on the last port or the usual one, or on a free one if that is taken by then."""
    last = _read(spec)
    for port in (last.port if last else spec.usual_port, 0, 0):
        free = free_port(port)
        record = _launch(spec, free)
        if record:
            return record
        if not (_port_is_taken(free) or _port_was_taken(spec)):
            break
    log = _log_path(spec)
    raise ServerError(
        f"the {spec.title} server does not start: {_last_line(log)} (all of it: {log})"
    )


def _port_was_taken(spec: ServerSpec) -> bool:
    """Return whether the server that ended reports that its port was in use."""
    return "already in use" in _log_path(spec).read_text(errors="replace")[-_LOG_TAIL:]


def _launch(spec: ServerSpec, port: int) -> Record | None:
    """Start on a port; return None if the server ended or did not answer in time."""
    token = uuid4().hex
    log = _log_path(spec)
    when_ready = spec.prepare()
    with _alive_path(spec).open("w") as alive, log.open("ab") as output:
        fcntl.flock(alive, fcntl.LOCK_EX)
        process = subprocess.Popen(  # noqa: S603
            [*_WATCHED_COMMAND, spec.name, str(port), token, *spec.command(port, token)],
            cwd=project_home(),
            env={**os.environ, **spec.environment(port)},
            stdin=subprocess.DEVNULL,
            stdout=output,
            stderr=subprocess.STDOUT,
            start_new_session=True,
            pass_fds=(alive.fileno(),),
        )
    record = Record(process.pid, port, token, spec.store())
    try:
        _write(spec, record)
        if _ready(spec, record, lambda: process.poll() is None):
            when_ready()
            return record
    except BaseException:
        end_process_group(record.pid, lambda: process.poll() is not None)
        raise
    end_process_group(record.pid, lambda: process.poll() is not None)
    return None


def _ready(spec: ServerSpec, record: Record, lives: Callable[[], bool]) -> bool:
    deadline = time.monotonic() + SECONDS_TO_START
    while time.monotonic() < deadline:
        if spec.is_ours(record):
            return True
        if not lives():
            return False
        time.sleep(0.1)
    return False


def stop(spec: ServerSpec) -> bool:
    """Stop the server; return whether it was running."""
    if _read(spec) is None and not is_alive(spec):
        return False
    with locked(f"{spec.name}-server"):
        if _end_if_lost(spec):
            return True
        record = _read(spec)
        running = record is not None and (is_alive(spec) or spec.is_ours(record))
        if record and running:
            end_process_group(
                record.pid, lambda: not is_alive(spec) and not _port_is_taken(record.port)
            )
        return running


def _end_if_lost(spec: ServerSpec) -> bool:
    """End a server whose record is damaged or gone; return whether there was one."""
    if _read(spec) is not None or not is_alive(spec):
        return False
    from flows.servers.user_servers import end_server, user_servers

    home = os.path.realpath(project_home())
    for server in user_servers():
        if (server.name, os.path.realpath(server.home)) == (spec.name, home):
            end_server(server)
    return _ended_by_itself(spec)


def _end_if_of_another_store(spec: ServerSpec) -> None:
    """End a server that was started on another database than is used now."""
    record = _read(spec)
    if record and record.store != spec.store() and is_alive(spec):
        end_process_group(record.pid, lambda: not is_alive(spec))


def _ended_by_itself(spec: ServerSpec) -> bool:
    """Wait for a server to end: it looks for its record, and ends when it does not find it."""
    deadline = time.monotonic() + SECONDS_TO_NOTICE
    while is_alive(spec) and time.monotonic() < deadline:
        time.sleep(0.1)
    return not is_alive(spec)


def end_process_group(pid: int, ended: Callable[[], bool]) -> None:
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


def answering(spec: ServerSpec, *, of_any_store: bool = False) -> Record | None:
    """Return the server if it answers, and is one of the database that is used now."""
    record = _read(spec)
    if record is None or not (of_any_store or record.store == spec.store()):
        return None
    return record if spec.is_ours(record) else None


def is_alive(spec: ServerSpec) -> bool:
    """Return whether a server process holds its lock; an old record alone proves nothing."""
    return is_locked(project_home() / ".smoothrank" / "locks" / f"{spec.name}-alive")


def _read(spec: ServerSpec) -> Record | None:
    try:
        noted = json.loads((project_home() / ".smoothrank" / f"{spec.name}.json").read_text())
        port, store = int(noted["port"]), str(noted.get("store", ""))
        return Record(int(noted["pid"]), port, str(noted["token"]), store)
    except (OSError, ValueError, TypeError, KeyError, AttributeError):
        return None


def _write(spec: ServerSpec, record: Record) -> None:
    path = state_folder() / f"{spec.name}.json"
    new = path.with_suffix(".new")
    new.write_text(json.dumps(asdict(record)) + "\n")
    new.replace(path)


def _alive_path(spec: ServerSpec) -> Path:
    return state_folder("locks") / f"{spec.name}-alive"


def _log_path(spec: ServerSpec) -> Path:
    return state_folder("logs") / f"{spec.name}.log"


def _last_line(log: Path) -> str:
    lines = [line.strip() for line in log.read_text(errors="replace").splitlines()]
    return next((line for line in reversed(lines) if line), "its log is empty")


def free_port(wanted: int) -> int:
    """Return the wanted port if it is free, or any free one."""
    for port in (wanted, 0):
        with socket.socket() as probe:
            probe.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
            try:
                probe.bind((HOST, port))
            except OSError:
                continue
            return int(probe.getsockname()[1])
    raise ServerError(f"no port of {HOST} is free")


def _port_is_taken(port: int) -> bool:
    with socket.socket() as probe:
        probe.settimeout(1.0)
        return probe.connect_ex((HOST, port)) == 0


def get(
    address: str, question: Any = None, headers: Mapping[str, str] | None = None
) -> tuple[Mapping[str, str], Any] | None:
    """Return the headers and the JSON of a response, or None if there is no valid response.

    A request body is sent as JSON, with the headers given.
    """
    opener = urllib.request.build_opener(urllib.request.ProxyHandler({}))
    sent = None if question is None else json.dumps(question).encode()
    sent_headers = {"Content-Type": "application/json", **(headers or {})}
    request = urllib.request.Request(address, sent, sent_headers)  # noqa: S310
    try:
        with opener.open(request, timeout=5.0) as answer:
            received, body = answer.headers, answer.read()
    except (OSError, http.client.HTTPException):
        return None
    try:
        return received, json.loads(body)
    except ValueError:
        return received, None
