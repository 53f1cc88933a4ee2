"""`smoothrank stop`: end what runs in the background for this project."""

from __future__ import annotations

import json
from typing import Annotated

import typer


def stop(
    as_json: Annotated[bool, typer.Option("--json", help="Print JSON instead of text.")] = False,
) -> None:
    """Stop the schedules and the Prefect and MLflow servers of this project.

    What they have stored stays; the next command that needs a server starts it again.
    """
    from flows.schedule_record import stop_schedules
    from flows.servers import stop_servers

    schedules = stop_schedules()
    servers = stop_servers()
    if as_json:
        typer.echo(json.dumps({"schedules": schedules, "servers": servers}, ensure_ascii=False))
        return
    for name in schedules:
        typer.echo(f"stopped the schedule of {name}")
    for title in servers:
        typer.echo(f"stopped the {title} server")
    if not schedules and not servers:
        typer.echo("nothing was running")
