"""Work in other processes: spawned, single-threaded, and ended with this one.

    with processes(2):
        future = elsewhere(train, problem, value)
        trained = result_of(future)

What the work reports to its listener reaches the listener of this process.
"""

from __future__ import annotations

import math
import os
import signal
import threading
from collections.abc import Callable, Hashable, Iterator
from concurrent.futures import Future, ProcessPoolExecutor
from concurrent.futures.process import BrokenProcessPool
from contextlib import contextmanager, suppress
from multiprocessing import get_context
from multiprocessing.connection import Connection
from typing import Any

from smoothrank.errors import SmoothrankError
from tasks.project.progress import listener, set_listener

_ENVIRONMENT = {
    "TF_NUM_INTRAOP_THREADS": "1",
    "TF_NUM_INTEROP_THREADS": "1",
    "OMP_NUM_THREADS": "1",
}
# Python warns about semaphores that a process did not release; the system releases them itself.
_NO_WORD_OF_SEMAPHORES = "ignore:resource_tracker:UserWarning"


@contextmanager
def processes(jobs: int) -> Iterator[None]:
    """Provide up to a number of processes while the block runs; they start when there is work.

    A nested block uses the processes of the outer one.
    """
    if _open:
        yield
        return
    _open.append(_Processes(jobs))
    try:
        yield
    finally:
        _open.pop().close()


def elsewhere(work: Callable[..., Any], *arguments: Any) -> Future[Any]:
    """Submit a call to another process, or make it here and now if there is none."""
    if _open:
        return _open[-1].submit(work, *arguments)
    done: Future[Any] = Future()
    done.set_result(work(*arguments))
    return done


def result_of(future: Future[Any]) -> Any:
    """Wait for the result of another process.

    Raises
    ------
    SmoothrankError
        If the process was killed.
    """
    try:
        return future.result()
    except BrokenProcessPool:
        raise SmoothrankError(
            "a process that trains has ended before its work was done, perhaps for want of memory; "
            "the same command goes on after the last finished fit (with --jobs 1 it needs less). "
            'A program of your own that trains needs `if __name__ == "__main__":`.'
        ) from None


class _Processes:
    def __init__(self, jobs: int) -> None:
        os.environ.update(_ENVIRONMENT)
        os.environ.setdefault("PYTHONWARNINGS", _NO_WORD_OF_SEMAPHORES)
        context = get_context("spawn")
        told, self._tell = context.Pipe(duplex=False)
        ended, self._never_written = context.Pipe(duplex=False)
        self._pool = ProcessPoolExecutor(
            jobs, mp_context=context, initializer=_begin, initargs=(self._tell, ended)
        )
        threading.Thread(target=_pass_on, args=(told,), daemon=True).start()

    def submit(self, work: Callable[..., Any], *arguments: Any) -> Future[Any]:
        """Submit a call, and shield a process started for it from Ctrl-C: this one will end it."""
        before = signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGINT})
        try:
            return self._pool.submit(work, *arguments)
        finally:
            signal.pthread_sigmask(signal.SIG_SETMASK, before)

    def close(self) -> None:
        """End the processes at once, whatever they are doing."""
        self._tell.close()
        self._never_written.close()
        self._pool.shutdown(cancel_futures=True)


_open: list[_Processes] = []


def _begin(tell: Connection, ended: Connection) -> None:
    set_listener(_Teller(tell))
    threading.Thread(target=_end, args=(ended,), daemon=True).start()


def _end(ended: Connection) -> None:
    """End when the other side of the pipe is gone: closed, or its process killed."""
    ended.poll(None)
    os._exit(0)


def _pass_on(told: Connection) -> None:
    with suppress(EOFError):
        while True:
            name, arguments = told.recv()
            getattr(listener(), name)(*arguments)


class _Teller:
    """A listener that reports to another process; messages are short enough to be atomic."""

    def __init__(self, tell: Connection) -> None:
        self._tell = tell

    def begin(self, total: int, deadline: float = math.inf) -> None:
        self._tell.send(("begin", (total, deadline)))

    def fitted(self, part: Hashable, n_fits: int) -> None:
        self._tell.send(("fitted", (part, n_fits)))

    def scored(self, auc: float) -> None:
        self._tell.send(("scored", (auc,)))

    def step(self, name: str) -> None:
        self._tell.send(("step", (name,)))

    def note(self, text: str) -> None:
        self._tell.send(("note", (text,)))
