"""`smoothrank schedule`: retrain at set times, when there is something new to learn from."""

from __future__ import annotations

from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from flows.commands import options as given

if TYPE_CHECKING:
    from smoothrank.datasets.options import ReadOptions
    from tasks.project.retrain_options import RetrainOptions


@given.takes(options=given.retrain_options)
def schedule(
    source: Annotated[
        str, typer.Argument(metavar="NAME|FILE", help="A data set's name, or a file.")
    ],
    cron: Annotated[
        str | None,
        typer.Option(help='Times as cron writes them, such as "0 3 * * *": at three each night.'),
    ] = None,
    interval: Annotated[
        float | None, typer.Option(min=1.0, help="Seconds from one run to the next.")
    ] = None,
    target: given.Target = None,
    positive: given.Positive = None,
    method: given.MethodName = None,
    selection: Annotated[str, typer.Option(help="honest or paper.")] = "honest",
    force: Annotated[
        bool, typer.Option("--force", help="Retrain even if nothing has changed.")
    ] = False,
    *,
    options: RetrainOptions,
) -> None:
    """Retrain at set times, until Ctrl-C or `smoothrank stop`.

    Each run validates the data, retrains and lets the gate decide about the champion. When data
    and parameters are those of the last run that succeeded, it says so and does no work. A run in
    progress at the end is stopped; the same command resumes it.
    """
    from flows.launch import run_schedule
    from flows.requests import Schedule

    if (cron is None) == (interval is None):
        raise typer.BadParameter("give either --cron or --interval")
    wanted = Schedule(
        _checked(source, target, positive, options.read),
        cron,
        interval,
        target,
        positive,
        method,
        selection,
        force,
        options,
    )

    def started(address: str) -> None:
        typer.echo(f"{wanted.name} is retrained {wanted.when()}; runs: {address}/runs")
        typer.echo("Ctrl-C or `smoothrank stop` ends it")

    @cache
    def ended() -> None:
        typer.echo(f"the schedule of {wanted.name} has ended")

    run_schedule(wanted, started, ended)


def _checked(source: str, target: str | None, positive: str | None, read: ReadOptions) -> str:
    """Return the name, or the whole path of a file that can be read."""
    from smoothrank.datasets import load_file
    from smoothrank.datasets.catalogue.catalogue import catalogue, entry
    from smoothrank.datasets.files.paths import is_own_file

    path = Path(source)
    if source in catalogue() or not is_own_file(source):
        if target or positive:
            raise typer.BadParameter("--target and --positive are for files of your own")
        return entry(source).name
    load_file(path, target, positive, read)
    return str(path.resolve())
