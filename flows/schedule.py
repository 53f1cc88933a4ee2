"""Retraining at set times: a deployment on the project's Prefect server, and what serves it.

`flows.schedule.scheduled_retrain` is the Prefect flow; it is made when it is asked for, so that
importing this module loads nothing.
"""

from __future__ import annotations

import logging
import os
import signal
import sys
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any, get_type_hints
from uuid import UUID

from flows.flow_run import task_runner
from flows.servers.schedule_record import ScheduleError, be_the_only_one
from flows.terminal.command_name import same_command
from smoothrank.errors import SmoothrankError
from tasks.project.home import project_home
from tasks.project.progress import Nobody, listening
from tasks.project.retrain_options import DEFAULTS, RetrainOptions
from tasks.results.outcome import RetrainOutcome

SECONDS_BETWEEN_LOOKS = 2.0
SECONDS_TO_END = 1.4  # then the process ends, whatever it still waits for
# Prefect writes a line for each step to the terminal; its pages show the same and more.
# A run that is stopped leaves a semaphore, of which Python warns.
QUIET = {
    "PREFECT_LOGGING_HANDLERS_CONSOLE_LEVEL": "CRITICAL",
    "PYTHONWARNINGS": "ignore::UserWarning",
}


@dataclass(frozen=True)
class Schedule:
    """What is retrained, and when.

    Parameters
    ----------
    source : str
        A name of the catalogue, or a file.
    cron : str or None
        Times as cron writes them, in the machine's time zone.
    interval : float or None
        Seconds from one run to the next; either this or `cron`.
    target, positive : str or None
        The target column and positive label of a file.
    method, selection : str
        As `smoothrank retrain` takes them.
    force : bool
        Retrain even if nothing has changed.
    options : RetrainOptions
        As `smoothrank retrain` takes them.
    """

    source: str
    cron: str | None = None
    interval: float | None = None
    target: str | None = None
    positive: str | None = None
    method: str = "smooth"
    selection: str = "honest"
    force: bool = False
    options: RetrainOptions = DEFAULTS

    @property
    def name(self) -> str:
        """The name of the data set, which the deployment bears."""
        return _name_of(self.source)

    def when(self) -> str:
        """Say at which times."""
        if self.cron:
            return f"at {self.cron} ({local_time_zone()})"
        return f"every {self.interval:g} s"

    def parameters(self) -> dict[str, Any]:
        """Give the parameters of the flow."""
        kept = ("source", "target", "positive", "method", "selection")
        return {
            **{key: getattr(self, key) for key in kept},
            "only_if_changed": not self.force,
            "options": self.options.model_dump(mode="json"),
        }


def _name_of(source: str) -> str:
    from smoothrank.datasets.files.paths import table_name

    return table_name(Path(source)) if Path(source).is_absolute() else source


def __getattr__(name: str) -> Any:
    """Give the flow as `scheduled_retrain`, for Prefect's entry points."""
    if name == "scheduled_retrain":
        return scheduled_flow()
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")


@cache
def scheduled_flow() -> Any:
    """The Prefect flow: retrain unless nothing has changed, and say in one line what came of it."""
    from prefect import Flow

    from tasks.project.config import load_params

    def scheduled_retrain(
        source: str,
        target: str | None = None,
        positive: str | None = None,
        method: str = "smooth",
        selection: str = "honest",
        only_if_changed: bool = True,
        options: RetrainOptions = DEFAULTS,
    ) -> Any:
        """Retrain on a data set or file unless nothing has changed since the last success."""
        from prefect.states import Completed

        from flows.retrain import retrain_flow

        name = _name_of(source)
        try:
            with listening(_Notes(name)):
                outcome = retrain_flow().fn(
                    source, target, positive, method, selection, only_if_changed, options=options
                )
        except SmoothrankError as error:
            _say(f"{name}: failed, and the champion stays: {error}")
            raise
        message = outcome_text(outcome)
        _say(f"{name}: {message}")
        return Completed(message=message, data=outcome)

    # It is sent to the process of a run without the names that only its annotations use.
    scheduled_retrain.__annotations__ = get_type_hints(scheduled_retrain)
    return Flow(
        scheduled_retrain,
        name="scheduled-retrain",
        flow_run_name="{method} on {source}",
        task_runner=task_runner(load_params(project_home()).training.jobs),
        persist_result=False,
    )


class _Notes(Nobody):
    """Says what the user should read of a run, with the time."""

    def __init__(self, name: str) -> None:
        self._name = name

    def note(self, text: str) -> None:
        """Say it."""
        _say(f"{self._name}: {text}")


def outcome_text(outcome: RetrainOutcome) -> str:
    """Say in a line what a run came to."""
    if outcome.skipped:
        return f"nothing has changed since version {outcome.model_version}; no work was done"
    result = "champion" if outcome.promoted else "not promoted"
    return (
        f"version {outcome.model_version}, test AUC {outcome.test_auc:.3f} "
        f"({outcome.test_auc_low:.3f} to {outcome.test_auc_high:.3f}), "
        f"{result}: {outcome.reason}"
    )


def serve(schedule: Schedule, started: Callable[[str], None], ended: Callable[[], None]) -> None:
    """Retrain at the times of the schedule, until this process is interrupted.

    The Prefect server is started if need be, and again if it is lost meanwhile. At Ctrl-C, or when
    asked to end, a run that goes on is killed; it is taken up again by the next one.

    Parameters
    ----------
    schedule : Schedule
        What, and when.
    started : callable
        Called once, with the address of the Prefect pages.
    ended : callable
        Called at the end, twice perhaps; the process may end right after it.

    Raises
    ------
    ScheduleError
        If the data set has a schedule that is running, or the times cannot be read.
    """
    from flows.servers.project_servers import ensure_prefect_server

    os.environ.update(QUIET, SMOOTHRANK_HOME=str(project_home()))
    logging.raiseExceptions = False  # log records that the server can no longer take are lost
    _times(schedule)
    be_the_only_one(schedule.name, schedule.when())
    started(ensure_prefect_server().removesuffix("/api"))
    with _watched_server():
        _serve(schedule, ended)
    ended()


@contextmanager
def _watched_server() -> Iterator[None]:
    """Start the Prefect server again, where it was, if it is lost while the block runs."""
    import threading

    from flows.servers.project_servers import ensure_prefect_server, running_servers

    ended = threading.Event()

    def watch() -> None:
        while not ended.wait(SECONDS_BETWEEN_LOOKS):
            if running_servers()["prefect"] is None:
                _say("the Prefect server does not answer; it is started again")
                with suppress(SmoothrankError):
                    ensure_prefect_server()

    threading.Thread(target=watch, daemon=True).start()
    yield
    ended.set()


def _serve(schedule: Schedule, ended: Callable[[], None]) -> None:
    """Serve until interrupted."""
    import asyncio

    from prefect.runner import Runner
    from prefect.types.entrypoint import EntrypointType

    runner: Any = Runner(name=schedule.name, limit=1, pause_on_shutdown=True)
    deployment: UUID = runner.add_flow(
        scheduled_flow(),
        name=schedule.name,
        schedule=_times(schedule),
        parameters=schedule.parameters(),
        entrypoint_type=EntrypointType.MODULE_PATH,
    )
    asyncio.run(_until_interrupted(runner, deployment, ended))


async def _until_interrupted(runner: Any, deployment: UUID, ended: Callable[[], None]) -> None:
    """Let the runner work; at a signal kill the run that it has started, and stop it."""
    import asyncio

    work = asyncio.create_task(runner.start())
    await asyncio.sleep(0)  # it sets a handler of its own at first, which ours replace
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
    """Kill the run that goes on, say how to go on, and see that this process ends soon too."""
    import threading
    from multiprocessing import active_children

    for run in active_children():
        run.kill()

    def end() -> None:
        ended()
        sys.stdout.flush()
        os._exit(0)

    limit = threading.Timer(SECONDS_TO_END, end)
    limit.daemon = True
    limit.start()
    _say(f"ending; a run that goes on is stopped, and this takes it up again: {same_command()}")


def _tell_prefect(deployment: UUID) -> None:
    """Plan no more runs, and note those that were killed as crashed."""
    from prefect.client.orchestration import get_client
    from prefect.client.schemas.filters import (
        DeploymentFilter,
        DeploymentFilterId,
        FlowRunFilter,
        FlowRunFilterState,
        FlowRunFilterStateType,
    )
    from prefect.client.schemas.objects import StateType

    from flows.servers.abandoned_runs import crash_flow_runs

    begun = FlowRunFilterStateType(any_=[StateType.RUNNING, StateType.PENDING])
    with get_client(sync_client=True) as client:
        client.pause_deployment(deployment)
        killed = client.read_flow_runs(
            flow_run_filter=FlowRunFilter(state=FlowRunFilterState(type=begun)),
            deployment_filter=DeploymentFilter(id=DeploymentFilterId(any_=[deployment])),
        )
    crash_flow_runs(
        [str(run.id) for run in killed],
        "Stopped together with its schedule; the next run goes on where it stopped.",
    )


def _times(schedule: Schedule) -> Any:
    """Give the times as Prefect takes them."""
    from prefect.client.schemas.schedules import construct_schedule
    from prefect.schedules import Cron, Interval

    if schedule.interval is not None:
        return Interval(schedule.interval)
    cron, zone = schedule.cron or "", local_time_zone()
    try:
        construct_schedule(cron=cron, timezone=zone)
    except ValueError:
        raise ScheduleError(
            f"{cron!r} is no cron time; five fields are needed: minute, hour, day, month and day "
            'of the week, such as "0 3 * * *" for three each night'
        ) from None
    return Cron(cron, timezone=zone)


def local_time_zone() -> str:
    """Give the name of the machine's time zone, so that a cron time is the one on the clock."""
    from zoneinfo import ZoneInfo

    named = os.environ.get("TZ", "").removeprefix(":") or os.path.realpath("/etc/localtime")
    name = named.rpartition("zoneinfo/")[2]
    try:
        return ZoneInfo(name).key
    except (ValueError, OSError, KeyError):
        return "UTC"


def _say(text: str) -> None:
    import typer

    typer.echo(f"{time.strftime('%Y-%m-%d %H:%M:%S')} {text}")
