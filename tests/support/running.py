"""Waiting for something to hold, and for processes to end."""

import time
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path


def wait_until(
    holds: Callable[[], bool],
    seconds: float = 60.0,
    pause: float = 0.01,
    otherwise: Callable[[], object] = str,
) -> None:
    """Look again and again until it holds; an error with `otherwise` if it does not in time."""
    deadline = time.monotonic() + seconds
    while not holds():
        assert time.monotonic() < deadline, otherwise()
        time.sleep(pause)


def is_alive(pid: int) -> bool:
    """Whether a process has not ended; an ended one may not have been taken note of yet."""
    return _state_and_group(Path(f"/proc/{pid}/stat"))[0] not in ("", "Z")


def group_is_empty(group: int) -> bool:
    """Whether all processes of a group have ended."""
    found = [_state_and_group(path) for path in Path("/proc").glob("[0-9]*/stat")]
    return all(state == "Z" for state, of_group in found if of_group == group)


def _state_and_group(stat: Path) -> tuple[str, int]:
    with suppress(OSError):
        state, _, group, *_ = stat.read_text().rpartition(")")[2].split()
        return state, int(group)
    return "", -1
