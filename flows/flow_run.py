"""What our Prefect flows have in common."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager


@contextmanager
def without_heartbeat() -> Iterator[None]:
    """Let flows end at once: the thread that sends Prefect's heartbeats sleeps up to a second.

    The lock of an attempt tells of a killed process instead; see `end_abandoned_runs`.
    """
    from prefect.settings import PREFECT_FLOWS_HEARTBEAT_FREQUENCY, temporary_settings

    with temporary_settings({PREFECT_FLOWS_HEARTBEAT_FREQUENCY: None}):
        yield


def flow_run_id() -> str | None:
    """The id of the Prefect flow run that this is, if it is one."""
    from prefect.runtime import flow_run

    return str(flow_run.id) if flow_run.id else None
