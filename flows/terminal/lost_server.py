"""A run ends at once when the project's Prefect server is lost, and prints how to resume.

Prefect's client would try for minutes to reach it, and then end in tracebacks. What was finished is
recorded; the same command starts the server again and resumes the run.
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

EXIT_CODE = 1
SECONDS_BETWEEN_LOOKS = 0.5


@contextmanager
def exit_without_server(close: Callable[[], None]) -> Iterator[None]:
    """End the process if the project's Prefect server ends while the block runs.

    A server that is not the project's own is not watched.

    Parameters
    ----------
    close : callable
        Restores the screen.
    """
    if named_prefect_api():
        yield
        return
    done = threading.Event()

    def watch() -> None:
        while not done.wait(SECONDS_BETWEEN_LOOKS):
            if prefect_state().address is not None:
                break
        while not done.wait(SECONDS_BETWEEN_LOOKS):
            if not prefect_is_alive() and not done.is_set():
                _end(close)

    watching = threading.Thread(target=watch, daemon=True)
    watching.start()
    try:
        yield
    finally:
        done.set()
        watching.join()


def _end(close: Callable[[], None]) -> None:
    for tidy in (close, _say, _kill_processes):
        with suppress(Exception):
            tidy()
    os._exit(EXIT_CODE)


def _say() -> None:
    sys.stderr.write(
        "smoothrank: the Prefect server has ended, and with it this run; finished work is kept, "
        f"and this command resumes it: {same_command()}\n"
    )
    sys.stderr.flush()


def _kill_processes() -> None:
    """Kill the processes that train; nothing of theirs is lost that is finished."""
    for process in active_children():
        process.kill()
