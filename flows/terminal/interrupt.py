"""Ctrl-C ends a run at once, even in the middle of a solver's code, and prints how to resume."""

from __future__ import annotations

import os
import signal
import sys
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from typing import Any

from flows.terminal.command_name import same_command

EXIT_CODE = 130
SECONDS = 1.5
"""The most seconds spent on marking the runs before the process ends anyway."""


@contextmanager
def exit_on_ctrl_c(close: Callable[[], None]) -> Iterator[None]:
    """End the process at Ctrl-C while the block runs.

    Python runs its own handlers only between two steps of the main thread, which may be deep in
    native code. A thread that waits for the signal's byte is not held up by it.

    Parameters
    ----------
    close : callable
        Restores the screen.
    """
    reader, writer = os.pipe()
    os.set_blocking(writer, False)
    old_handler = signal.signal(signal.SIGINT, lambda *_: None)
    old_writer = signal.set_wakeup_fd(writer, warn_on_full_buffer=False)
    waiting = threading.Thread(target=_wait, args=(reader, close), daemon=True)
    waiting.start()
    try:
        yield
    finally:
        signal.set_wakeup_fd(old_writer)
        signal.signal(signal.SIGINT, old_handler)
        os.write(writer, b"\0")
        waiting.join()
        os.close(reader)
        os.close(writer)


def _wait(reader: int, close: Callable[[], None]) -> None:
    while byte := os.read(reader, 1):
        if byte == b"\0":
            return
        if byte[0] == signal.SIGINT:
            _end(close)


def _end(close: Callable[[], None]) -> None:
    limit = threading.Timer(SECONDS, os._exit, (EXIT_CODE,))
    limit.daemon = True
    limit.start()
    for tidy in (close, _print_resume_command, _mark_runs):
        with suppress(Exception):
            tidy()
    os._exit(EXIT_CODE)


def _print_resume_command() -> None:
    sys.stderr.write(
        f"\nstopped; finished work is kept, and this command resumes it:\n  {same_command()}\n"
    )
    sys.stderr.flush()


def _mark_runs() -> None:
    """Tell Prefect and MLflow that the runs of this process have ended.

    MLflow comes last: while it is being imported, and no run begun, this would wait for it.
    """
    if "prefect" not in sys.modules:
        return
    from flows.servers.abandoned_runs import crash_flow_runs
    from tasks.tracking.attempt import own_attempts
    from tasks.tracking.mlflow_runs import end_abandoned

    attempts: Any = own_attempts()
    crash_flow_runs(
        [one.flow_runs[-1] for one in attempts if one.flow_runs],
        "Stopped by Ctrl-C; the same command resumes where it stopped.",
    )
    if "mlflow" in sys.modules:
        end_abandoned(attempts)
