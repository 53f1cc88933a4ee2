"""All servers of this user, whatever project they belong to.

Each server keeps a file of the user's state folder locked while it lives, so that a server whose
project was deleted is found, and a file that a killed one left behind is recognised as stale.
"""

from __future__ import annotations

import fcntl
import json
import os
from contextlib import suppress
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import IO

from tasks.project.locks import is_locked

_held: list[IO[str]] = []  # what is closed is not locked


@dataclass(frozen=True)
class UserServer:
    """A server that runs.

    Parameters
    ----------
    name : str
        `prefect` or `mlflow`.
    pid, port : int
        Its process, which leads a group of its own, and its port on loopback.
    home : str
        The folder of its project.
    """

    name: str
    pid: int
    port: int
    home: str

    @property
    def address(self) -> str:
        """The address for a browser."""
        return f"http://127.0.0.1:{self.port}"

    @property
    def title(self) -> str:
        """Its name as a person writes it."""
        return {"prefect": "Prefect", "mlflow": "MLflow"}.get(self.name, self.name)


def _folder() -> Path:
    from platformdirs import user_state_path

    return user_state_path("smoothrank", appauthor=False) / "servers"


def record_this_server(server: UserServer) -> None:
    """Record this process as a server until it ends, where the record can be written."""
    with suppress(OSError):
        folder = _folder()
        folder.mkdir(parents=True, exist_ok=True)
        for path in folder.glob("*.json"):
            if not is_locked(path):
                path.unlink(missing_ok=True)
        file = (folder / f"{server.name}-{server.pid}.json").open("w")
        fcntl.flock(file, fcntl.LOCK_EX)
        file.write(json.dumps(asdict(server)) + "\n")
        file.flush()
        _held.append(file)


def user_servers() -> list[UserServer]:
    """Return the servers of this user that are running, in the order of their projects."""
    found = [_read(path) for path in _folder().glob("*.json") if is_locked(path)]
    return sorted((one for one in found if one), key=lambda one: (one.home, one.name))


def _read(path: Path) -> UserServer | None:
    try:
        return UserServer(**json.loads(path.read_text()))
    except (OSError, ValueError, TypeError):
        return None


def other_servers(home: Path) -> list[UserServer]:
    """Return the servers of this user's other projects."""
    return [one for one in user_servers() if os.path.realpath(one.home) != os.path.realpath(home)]


def end_server(server: UserServer) -> bool:
    """End a server; return whether it was running and has ended."""
    from flows.servers.prefect_records import wait_for_records
    from flows.servers.server_process import end_process_group

    if server not in user_servers():
        return False
    if server.name == "prefect" and Path(server.home).is_dir():
        wait_for_records(f"{server.address}/api")
    end_process_group(server.pid, lambda: server not in user_servers())
    return server not in user_servers()
