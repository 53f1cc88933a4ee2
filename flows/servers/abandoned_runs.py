"""Runs whose process was killed: Prefect and MLflow are told."""

from __future__ import annotations

import re
import socket
from typing import Any
from uuid import UUID

import psutil

from tasks.tracking.attempt import Attempt, take_abandoned
from tasks.tracking.mlflow_runs import end_abandoned

_TAG = "process "
_TAGGED = re.compile(_TAG + r"(?P<pid>\d+) of [\d.]+ on (?P<machine>.+)")
_MESSAGE = "The process was killed; the same command resumes where it stopped."


def end_abandoned_runs(key: str) -> list[Attempt]:
    """Mark what killed processes left as running: CRASHED in Prefect, KILLED in MLflow.

    Parameters
    ----------
    key : str
        The key of the run that begins; an attempt of this key is taken up again by it.
    """
    left = take_abandoned(key)
    end_abandoned(left)
    crash_flow_runs([flow_run for one in left for flow_run in one.flow_runs])
    crash_flow_runs(_of_dead_processes())
    return left


def process_tag(pid: int | None = None) -> str:
    """Return the tag of flow runs of a process: its number, when it began, and its machine."""
    process = psutil.Process(pid)
    return f"{_TAG}{process.pid} of {process.create_time():.2f} on {socket.gethostname()}"


def _of_dead_processes() -> list[str]:
    """Return the flow runs that have not ended, but whose process has.

    A process may be killed before its attempt is recorded.
    """
    from prefect.client.orchestration import get_client
    from prefect.client.schemas.filters import (
        FlowRunFilter,
        FlowRunFilterState,
        FlowRunFilterStateType,
    )
    from prefect.client.schemas.objects import StateType

    unfinished = FlowRunFilterStateType(any_=[StateType.PENDING, StateType.RUNNING])
    asked = FlowRunFilter(state=FlowRunFilterState(type=unfinished))
    with get_client(sync_client=True) as client:
        found = client.read_flow_runs(flow_run_filter=asked)
    return [str(one.id) for one in found if any(map(_is_of_the_dead, one.tags))]


def _is_of_the_dead(tag: str) -> bool:
    """Return whether a tag names a process of this machine that has ended."""
    named = _TAGGED.fullmatch(tag)
    if named is None or named["machine"] != socket.gethostname():
        return False
    try:
        return process_tag(int(named["pid"])) != tag
    except psutil.Error:
        return True


def crash_flow_runs(ids: list[str], message: str = _MESSAGE) -> None:
    """Mark flow runs and their tasks as CRASHED unless they have ended."""
    if not ids:
        return
    from prefect.client.orchestration import get_client
    from prefect.exceptions import ObjectNotFound
    from prefect.states import Crashed

    with get_client(sync_client=True) as client:
        for flow_run in map(UUID, ids):
            try:
                state = client.read_flow_run(flow_run).state
            except ObjectNotFound:
                continue
            if state is not None and not state.is_final():
                client.set_flow_run_state(flow_run, Crashed(message=message), force=True)
            _crash_tasks(client, flow_run, message)


def _crash_tasks(client: Any, flow_run: UUID, message: str) -> None:
    from prefect.client.schemas.filters import FlowRunFilter, FlowRunFilterId
    from prefect.states import Crashed

    own = FlowRunFilter(id=FlowRunFilterId(any_=[flow_run]))
    for task_run in client.read_task_runs(flow_run_filter=own):
        if task_run.state is not None and not task_run.state.is_final():
            client.set_task_run_state(task_run.id, Crashed(message=message), force=True)
