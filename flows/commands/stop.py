"""`smoothrank stop`: end what is running in the background."""

from __future__ import annotations

import json
import os
import signal
import sys
import time
from collections.abc import Iterable
from contextlib import suppress
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from flows.commands.options import AsJson
from smoothrank.errors import SmoothrankError

if TYPE_CHECKING:
    from tasks.tracking.attempt import Attempt

SECONDS_TO_INTERRUPT = 10.0  # it takes two


class StillAtWorkError(SmoothrankError):
    """A run is in progress that would be interrupted."""


def stop(
    everywhere: Annotated[
        bool, typer.Option("--all", help="Stop those of all your projects, even deleted ones.")
    ] = False,
    yes: Annotated[
        bool, typer.Option("--yes", "-y", help="Interrupt a run in progress without asking.")
    ] = False,
    as_json: AsJson = False,
) -> None:
    """Stop the schedules and the Prefect and MLflow servers of this project.

    What they have stored stays; the next command that needs a server starts it again. A run in
    progress is interrupted only after asking; its own command resumes it.
    """
    from flows.servers.project_servers import stop_servers
    from flows.servers.user_servers import end_server, other_servers
    from tasks.project.paths import project_home

    here = project_home()
    others = other_servers(here) if everywhere else []
    homes = [here, *sorted({Path(one.home) for one in others})]
    _ask(homes, yes)
    schedules = _stop_work(homes)
    servers = stop_servers()
    servers += [f"{one.title} server of {one.home}" for one in others if end_server(one)]
    if as_json:
        typer.echo(json.dumps({"schedules": schedules, "servers": servers}, ensure_ascii=False))
        return
    for name in schedules:
        typer.echo(f"stopped the schedule of {name}")
    for title in servers:
        typer.echo(f"stopped the {title}{'' if ' server of ' in title else ' server'}")
    if not schedules and not servers:
        typer.echo("nothing was running")


def _ask(homes: Iterable[Path], yes: bool) -> None:
    """Ask whether runs in progress may be interrupted; without a terminal they may not."""
    runs = _runs(homes)
    if yes or not runs:
        return
    named = ", ".join(f"{run.method} on {run.dataset} (process {run.pid})" for run in runs)
    if not sys.stdin.isatty():
        raise StillAtWorkError(
            f"a run is in progress and would be interrupted: {named}; wait until it has ended, "
            "or use `smoothrank stop --yes`"
        )
    typer.echo(f"a run is in progress: {named}")
    typer.confirm("Interrupt it? Its own command resumes it", abort=True)


def _runs(homes: Iterable[Path]) -> list[Attempt]:
    from tasks.tracking.attempt import running_attempts

    return [run for home in homes for run in running_attempts(home)]


def _stop_work(homes: list[Path]) -> list[str]:
    """Stop schedules and the runs in progress; return the names of the schedules."""
    from flows.servers.schedule_record import stop_schedules

    stopped = [name for home in homes for name in stop_schedules(home)]
    for run in _runs(homes):
        with suppress(ProcessLookupError, PermissionError):
            os.kill(run.pid, signal.SIGINT)
    deadline = time.monotonic() + SECONDS_TO_INTERRUPT
    while _runs(homes) and time.monotonic() < deadline:
        time.sleep(0.1)
    return stopped
