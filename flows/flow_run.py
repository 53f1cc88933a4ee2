"""Shared code of the Prefect flows."""

from __future__ import annotations

import gc
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from functools import cache
from typing import Any, Generic, ParamSpec, Self, TypeVar

from prefect import Flow, Task, tags
from prefect.context import SettingsContext, get_settings_context
from prefect.futures import PrefectFuture
from prefect.runtime import flow_run
from prefect.task_runners import ThreadPoolTaskRunner
from prefect.utilities.annotations import quote

from flows.servers.abandoned_runs import process_tag
from flows.servers.team_prefect import plain_prefect_faults
from tasks.project.config import load_params
from tasks.project.paths import project_home
from tasks.project.progress import listener
from tasks.project.run_faults import stopping_faults

P = ParamSpec("P")
R = TypeVar("R")


class Step(Generic[P, R]):
    """A task that reports its name to the listener when it is called or submitted.

    Its arguments are data: Prefect does not search them for results to wait for.
    """

    def __init__(self, task: Task[P, R]) -> None:
        self.task: Any = task

    def __call__(self, *args: P.args, **kwargs: P.kwargs) -> R:
        """Run the task, and wait for it."""
        listener().step(self.task.name)
        result: R = self.task(*quoted(*args), **kwargs)
        return result

    def submit(self, *args: P.args, **kwargs: P.kwargs) -> PrefectFuture[R]:
        """Start the task concurrently with what follows."""
        listener().step(self.task.name)
        future: PrefectFuture[R] = self.task.submit(*quoted(*args), **kwargs)
        return future


def step(task: Task[P, R]) -> Step[P, R]:
    """Report a task to the listener whenever it begins; goes above `@task`."""
    return Step(task)


def quoted(*arguments: Any) -> list[Any]:
    """Mark arguments of a task as data, not results to wait for."""
    return [quote(argument) for argument in arguments]


def run_flow(flow: Flow[..., R], jobs: int, parameters: Mapping[str, Any]) -> R:
    """Run a flow whose tasks wait for the given number of processes.

    The flow run is tagged with this process, so that a killed one is known by it.
    """
    with stopping_faults(), plain_prefect_faults(), without_heartbeat(), tags(process_tag()):
        result: R = flow.with_options(task_runner=task_runner(jobs))(**parameters)
    return result


@contextmanager
def without_heartbeat() -> Iterator[None]:
    """End flows without delay: the thread that sends Prefect's heartbeats sleeps up to a second.

    The lock of an attempt reveals a killed process instead; see `end_abandoned_runs`. The settings
    are copied, since Prefect's `temporary_settings` takes a tenth of a second to read them again.
    """
    present = get_settings_context()
    flows = present.settings.flows.model_copy(update={"heartbeat_frequency": None})
    settings = present.settings.model_copy(update={"flows": flows})
    with SettingsContext(profile=present.profile, settings=settings):
        yield


def task_runner(jobs: int | None = None) -> Any:
    """Return threads that wait for a number of processes, by default that of `params.yaml`.

    There is one more thread than processes, so that no process waits for work.
    """
    return _ProjectThreads() if jobs is None else ThreadPoolTaskRunner(max_workers=jobs + 1)


class _ProjectThreads(ThreadPoolTaskRunner[Any]):
    """Threads whose number is read from `params.yaml` when a flow run begins."""

    def duplicate(self) -> Self:
        return type(self)(max_workers=load_params(project_home()).training.jobs + 1)


def retrain_run_name() -> str:
    """Return what Prefect calls the present retraining: its method and its data."""
    given = flow_run.parameters
    method = given.get("method") or load_params(project_home()).training.method
    return f"{method} on {given['source']}"


def flow_run_id() -> str | None:
    """Return the id of the current Prefect flow run, if there is one."""
    return str(flow_run.id) if flow_run.id else None


@cache
def freeze_imports() -> None:
    """Keep what is loaded by now out of garbage collections, which take half a second each."""
    gc.freeze()
