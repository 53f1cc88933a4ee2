"""What serves a schedule: a deployment on the project's Prefect server, and its runner."""

from __future__ import annotations

import asyncio
import os
import signal
import sys
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from multiprocessing import active_children
from typing import Any
from uuid import UUID

import psutil
from prefect.client.orchestration import get_client
from prefect.client.schemas.filters import (
    DeploymentFilter,
    DeploymentFilterId,
    FlowRunFilter,
    FlowRunFilterState,
    FlowRunFilterStateType,
)
from prefect.client.schemas.objects import StateType
from prefect.client.schemas.schedules import construct_schedule
from prefect.runner import Runner
from prefect.schedules import Cron, Interval
from prefect.schedules import Schedule as Times
from prefect.types.entrypoint import EntrypointType

from flows.flow_run import freeze_imports
from flows.requests import Schedule
from flows.schedule import say, scheduled_retrain
from flows.servers.abandoned_runs import crash_flow_runs
from flows.servers.project_servers import ensure_prefect_server, prefect_state
from flows.servers.schedule_record import ScheduleError, claim_schedule
from flows.servers.team_prefect import named_prefect_api, prefect_page
from flows.terminal.command_name import same_command
from flows.time_zone import local_time_zone
from smoothrank.errors import SmoothrankError
from tasks.project.mlflow_store import ensure_mlflow_store

SECONDS_BETWEEN_LOOKS = 2.0
SECONDS_TO_END = 1.4  # then the process ends, whatever it is still waiting for


def serve(schedule: Schedule, started: Callable[[str], None], ended: Callable[[], None]) -> None:
    """Serve a schedule until interrupted; see `flows.launch.run_schedule`."""
    times = _times(schedule)
    ensure_mlflow_store()
    claim_schedule(schedule.name, schedule.when())
    started(prefect_page(ensure_prefect_server()))
    freeze_imports()  # or a garbage collection of a second delays the end
    with _watched_server():
        _run(schedule, times, ended)
    ended()


@contextmanager
def _watched_server() -> Iterator[None]:
    """Start the Prefect server again, where it was, if it is lost while the block runs.

    Prefect waits for one of a team by itself.
    """
    ended = threading.Event()

    def watch() -> None:
        while not ended.wait(SECONDS_BETWEEN_LOOKS):
            if prefect_state().address is None:
                say("the Prefect server does not answer; it is started again")
                with suppress(SmoothrankError):
                    ensure_prefect_server()

    if not named_prefect_api():
        threading.Thread(target=watch, daemon=True).start()
    yield
    ended.set()


def _run(schedule: Schedule, times: Times, ended: Callable[[], None]) -> None:
    """Serve until interrupted."""
    runner: Any = Runner(name=schedule.name, limit=1, pause_on_shutdown=True)
    deployment: UUID = runner.add_flow(
        scheduled_retrain,
        name=schedule.name,
        schedule=times,
        parameters=schedule.parameters(),
        entrypoint_type=EntrypointType.MODULE_PATH,
    )
    asyncio.run(_until_interrupted(runner, deployment, ended))


async def _until_interrupted(runner: Any, deployment: UUID, ended: Callable[[], None]) -> None:
    """Let the runner work; at a signal kill the run that it has started, and stop it."""
    work = asyncio.create_task(runner.start())
    await asyncio.sleep(0)  # it first sets handlers of its own, which ours replace
    stops: list[asyncio.Task[None]] = []

    async def stop() -> None:
        with suppress(Exception):
            await asyncio.to_thread(_tell_prefect, deployment)
        if runner.started:
            await runner.astop()
        else:
            work.cancel()

    def interrupted() -> None:
        if not stops:
            _kill_the_run(ended)
            stops.append(asyncio.create_task(stop()))

    for sign in (signal.SIGINT, signal.SIGTERM):
        asyncio.get_running_loop().add_signal_handler(sign, interrupted)
    try:
        await work
    except (asyncio.CancelledError, Exception):
        if not stops:
            raise


def _kill_the_run(ended: Callable[[], None]) -> None:
    """Kill the run in progress, print how to resume it, and make this process end soon."""
    for run in active_children():
        _kill_with_its_processes(run.pid)

    def end() -> None:
        ended()
        sys.stdout.flush()
        os._exit(0)

    limit = threading.Timer(SECONDS_TO_END, end)
    limit.daemon = True
    limit.start()
    say(f"ending; a run in progress is stopped, and this command resumes it: {same_command()}")


def _kill_with_its_processes(pid: int | None) -> None:
    """Kill a run together with the processes that train for it.

    They would end by themselves, but one that is still loading its packages only some time later.
    """
    with suppress(psutil.NoSuchProcess):
        run = psutil.Process(pid)
        for process in (run, *run.children(recursive=True)):
            with suppress(psutil.NoSuchProcess):
                process.kill()


def _tell_prefect(deployment: UUID) -> None:
    """Schedule no more runs, and mark the killed ones as crashed."""
    begun = FlowRunFilterStateType(any_=[StateType.RUNNING, StateType.PENDING])
    with get_client(sync_client=True) as client:
        client.pause_deployment(deployment)
        killed = client.read_flow_runs(
            flow_run_filter=FlowRunFilter(state=FlowRunFilterState(type=begun)),
            deployment_filter=DeploymentFilter(id=DeploymentFilterId(any_=[deployment])),
        )
    crash_flow_runs(
        [str(run.id) for run in killed],
        "Stopped together with its schedule; the next run resumes where it stopped.",
    )


def _times(schedule: Schedule) -> Times:
    """Return the times as Prefect takes them."""
    if schedule.interval is not None:
        return Interval(schedule.interval)
    cron, zone = schedule.cron or "", local_time_zone()
    try:
        construct_schedule(cron=cron, timezone=zone)
    except ValueError:
        raise ScheduleError(
            f"{cron!r} is not a cron time; it needs five fields: minute, hour, day, month and day "
            'of the week, such as "0 3 * * *" for three each night'
        ) from None
    return Cron(cron, timezone=zone)
