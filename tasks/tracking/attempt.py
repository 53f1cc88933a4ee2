"""One attempt at a run: its id outlives the process, so that a killed run can be resumed.

The file of an attempt is locked for as long as its process lives. One that is not locked belongs
to a process that was killed.
"""

from __future__ import annotations

import fcntl
import json
import os
import time
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import asdict, dataclass, replace
from pathlib import Path
from typing import IO
from uuid import uuid4

from smoothrank.datasets.catalogue.fetch import write_whole
from smoothrank.errors import SmoothrankError
from tasks.project.locks import is_locked
from tasks.project.paths import project_home, state_folder
from tasks.project.run_faults import RunStoppedError, stopping_faults


class BusyError(SmoothrankError):
    """The same run is in progress in another process."""


@dataclass(frozen=True)
class Attempt:
    """The record of a run in progress.

    Parameters
    ----------
    id : str
        The attempt's name, which its MLflow runs carry.
    started : int
        When it began, in milliseconds since 1970.
    pid : int
        The process that works on it.
    dataset, method : str
        What it is about.
    flow_runs : tuple of str
        The Prefect flow runs that worked on it.
    """

    id: str
    started: int
    pid: int
    dataset: str
    method: str
    flow_runs: tuple[str, ...] = ()


@contextmanager
def attempt(key: str, dataset: str, method: str, flow_run: str | None) -> Iterator[Attempt]:
    """Begin a run, or resume the one of the same key that was killed.

    When the block ends, by an error of ours too, the attempt is over; when the process is killed,
    interrupted or stopped by a fault that the run has no part in, it is not.

    Raises
    ------
    BusyError
        If another process is working on it.
    RunStoppedError
        If the disk or the project's database fails meanwhile.
    """
    path = _folder() / f"{key}.json"
    with _lock_of(path).open("w") as lock:
        if not _locked(lock):
            earlier = _read(path)
            where = f" by process {earlier.pid}" if earlier else ""
            raise BusyError(f"{dataset} is being worked on{where}; wait until it has ended")
        earlier = _read(path) or Attempt(uuid4().hex, _now(), 0, dataset, method)
        flow_runs = (*earlier.flow_runs, *([flow_run] if flow_run else []))
        present = replace(earlier, pid=os.getpid(), flow_runs=flow_runs)
        write_whole(path, json.dumps(asdict(present)).encode())
        try:
            with stopping_faults():
                yield present
        except RunStoppedError:
            raise
        except Exception:
            path.unlink(missing_ok=True)
            raise
        path.unlink(missing_ok=True)


def take_abandoned(key: str) -> list[Attempt]:
    """Return the attempts of killed processes; those of other keys than this one are forgotten."""
    found = []
    for path in sorted(_folder().glob("*.json")):
        with _lock_of(path).open("w") as lock:
            if not _locked(lock):
                continue
            left = _read(path)
            if left is not None:
                found.append(left)
            if path.stem != key:
                path.unlink(missing_ok=True)
    return found


def _folder() -> Path:
    return state_folder("attempts")


def _lock_of(path: Path) -> Path:
    return state_folder("locks") / f"attempt-{path.stem}.lock"


def _locked(lock: IO[str]) -> bool:
    try:
        fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except BlockingIOError:
        return False
    return True


def _read(path: Path) -> Attempt | None:
    try:
        noted = json.loads(path.read_text("utf-8"))
        return Attempt(**{**noted, "flow_runs": tuple(noted["flow_runs"])})
    except (OSError, ValueError, TypeError, KeyError):
        return None


def _now() -> int:
    return time.time_ns() // 1_000_000


def running_attempts(home: Path | None = None) -> list[Attempt]:
    """Return the attempts of a project that a process works on now."""
    state = (home or project_home()) / ".smoothrank"
    found = []
    for path in sorted((state / "attempts").glob("*.json")):
        lock = state / "locks" / f"attempt-{path.stem}.lock"
        if is_locked(lock) and (one := _read(path)):
            found.append(one)
    return found


def own_attempts() -> list[Attempt]:
    """Return the attempts that this process works on."""
    found = [_read(path) for path in _folder().glob("*.json")]
    return [one for one in found if one is not None and one.pid == os.getpid()]
