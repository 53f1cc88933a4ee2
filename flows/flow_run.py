"""What our Prefect flows have in common."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any


@contextmanager
def without_heartbeat() -> Iterator[None]:
    """Let flows end at once: the thread that sends Prefect's heartbeats sleeps up to a second.

    The lock of an attempt tells of a killed process instead; see `end_abandoned_runs`. The settings
    are copied, since Prefect's `temporary_settings` takes a tenth of a second to read them anew.
    """
    from prefect.context import SettingsContext, get_settings_context

    present = get_settings_context()
    flows = present.settings.flows.model_copy(update={"heartbeat_frequency": None})
    settings = present.settings.model_copy(update={"flows": flows})
    with SettingsContext(profile=present.profile, settings=settings):
        yield


def task_runner(jobs: int) -> Any:
    """Threads that wait for so many processes; one more, so that no process waits for its work."""
    from prefect.task_runners import ThreadPoolTaskRunner

    return ThreadPoolTaskRunner(max_workers=jobs + 1)


def quoted(*arguments: Any) -> list[Any]:
    """Arguments of a task that are data, not results to wait for."""
    from prefect.utilities.annotations import quote

    return [quote(argument) for argument in arguments]


def flow_run_id() -> str | None:
    """The id of the Prefect flow run that this is, if it is one."""
    from prefect.runtime import flow_run

    return str(flow_run.id) if flow_run.id else None
