"""Training processes: prepared in the background, and given only methods that they know.

A built-in method is trained in another process, if there is one; a user's own, which other
processes do not know, in this one.
"""

from __future__ import annotations

import gc
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from functools import cache
from typing import Any

import numpy as np

from smoothrank.selection.methods import Method, method
from tasks.problem.problem import Problem, load_data
from tasks.workers.processes import elsewhere, processes, result_of


@contextmanager
def training_processes(problem: Problem, jobs: int) -> Iterator[None]:
    """Provide training processes; they load what they need while this one does the same."""
    with processes(jobs):
        if _is_built_in(problem.method):
            for _ in range(jobs):
                elsewhere(_prepare, problem)
        yield


def work_on(problem: Problem, work: Callable[..., Any], *facts: Any) -> Any:
    """Do `work(problem, *facts)` in a process that knows the method, and wait for it."""
    if _is_built_in(problem.method):
        return result_of(elsewhere(work, problem, *facts))
    return work(problem, *facts)


def _is_built_in(name: str) -> bool:
    return method(name).make.__module__ == Method.__module__


def _prepare(problem: Problem) -> None:
    """Load what fits need; nobody waits for it, and a failure will be reported by the fit."""
    _warm_up(problem.method)
    load_data(problem)


@cache
def _warm_up(name: str) -> None:
    """Load the packages of a method, by a fit of four rows that have nothing to do with the data.

    What is loaded by then is kept out of garbage collections, which take half a second each.
    """
    chosen = method(name)
    rows, labels = np.arange(4.0)[:, None], np.array([-1, -1, 1, 1])
    chosen.make(chosen.grid[0]).fit(rows, labels)
    gc.freeze()
