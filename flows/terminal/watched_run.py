"""A run ends at once when it has lost what it stands on, and prints how to resume.

That is the project's Prefect server, room on the disk, a folder that can be written, or MLflow's
database. Prefect's client would try for minutes, and end in tracebacks. What was finished is
recorded; the same command resumes the run.
"""

from __future__ import annotations

import os
import sys
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from multiprocessing import active_children

from flows.servers.project_servers import prefect_is_alive, prefect_state
from flows.servers.team_prefect import named_prefect_api
from flows.terminal.command_name import same_command
from tasks.project.run_faults import present_fault

NO_SERVER, FAULT = 1, 2
"""Exit codes."""

SECONDS_BETWEEN_LOOKS = 0.5


@contextmanager
def watched_run(close: Callable[[], None]) -> Iterator[None]:
    """End the process if the run can no longer go on while the block runs.

    A Prefect server that is not the project's own is not watched.

    Parameters
    ----------
    close : callable
        Restores the screen.
    """
    done = threading.Event()

    def watch() -> None:
        server_was_there = False
        while not done.wait(SECONDS_BETWEEN_LOOKS):
            fault = present_fault()
            if fault and not done.is_set():
                _end(close, fault, FAULT)
            if named_prefect_api():
                continue
            if not server_was_there:
                server_was_there = prefect_state().address is not None
            elif not prefect_is_alive() and not done.is_set():
                _end(close, _without_server(), NO_SERVER)

    watching = threading.Thread(target=watch, daemon=True)
    watching.start()
    try:
        yield
    finally:
        done.set()
        watching.join()


def _end(close: Callable[[], None], line: str, code: int) -> None:
    for tidy in (close, lambda: _say(line), _kill_processes):
        with suppress(Exception):
            tidy()
    os._exit(code)


def _without_server() -> str:
    return (
        "the Prefect server has ended, and with it this run; finished work is kept, "
        f"and this command resumes it: {same_command()}"
    )


def _say(line: str) -> None:
    sys.stderr.write(f"smoothrank: {line}\n")
    sys.stderr.flush()


def _kill_processes() -> None:
    """Kill the processes that train; nothing of theirs is lost that is finished."""
    for process in active_children():
        process.kill()
