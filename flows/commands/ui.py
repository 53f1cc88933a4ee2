"""`smoothrank ui`: the MLflow and Prefect pages of this project."""

from __future__ import annotations

import json
import os
import sys
from typing import TYPE_CHECKING, Annotated

import typer

from smoothrank.errors import SmoothrankError

if TYPE_CHECKING:
    from flows.servers.mlflow_pages import Pages


def ui(
    name: Annotated[
        str | None,
        typer.Argument(metavar="[NAME|FILE]", help="Show the last runs of this data set or file."),
    ] = None,
    compare: Annotated[
        bool, typer.Option("--compare", help="Open its last retrainings side by side.")
    ] = False,
    browser: Annotated[bool, typer.Option(help="Open the page in a browser.")] = True,
    as_json: Annotated[
        bool, typer.Option("--json", help="Print JSON instead of text, and open no browser.")
    ] = False,
) -> None:
    """Start the MLflow and Prefect pages on this machine, print their addresses, open MLflow.

    With the name of a data set, opens the table of its runs, and prints where its last
    retrainings, and the values that the last one chose from, are side by side.
    """
    from flows.servers.mlflow_pages import pages_of, start_page
    from flows.servers.project_servers import ensure_mlflow_server, ensure_prefect_server
    from flows.servers.team_prefect import prefect_page

    if compare and name is None:
        raise SmoothrankError("--compare needs the name of a data set or file: smoothrank ui NAME")
    mlflow = ensure_mlflow_server()
    pages = pages_of(mlflow, name) if name else None
    if compare and pages and pages.compare is None:
        raise SmoothrankError(
            f"there is only one retraining of {name} to show; --compare needs two that succeeded"
        )
    prefect = prefect_page(ensure_prefect_server())
    listed = {"mlflow": mlflow, "prefect": prefect, **_addresses(pages)}
    if as_json:
        typer.echo(json.dumps(listed))
        return
    _print(listed)
    opened = start_page(mlflow) if pages is None else pages.runs
    opened = str(pages.compare) if compare and pages else opened
    if browser and not _open(opened):
        typer.echo("no browser was found here; open the address yourself", err=True)


def _addresses(pages: Pages | None) -> dict[str, str | None]:
    if pages is None:
        return {"runs": None, "compare": None, "values": None}
    return {"runs": pages.runs, "compare": pages.compare, "values": pages.values}


def _print(listed: dict[str, str | None]) -> None:
    names = {"mlflow": "MLflow", "prefect": "Prefect"}
    for key, address in listed.items():
        if address:
            typer.echo(f"{names.get(key, key):<7}  {address}")
    if line := _how_to_stop():
        typer.echo(line)


def _how_to_stop() -> str | None:
    """Return how the project's own servers are ended; those of a team are not."""
    from flows.servers.team_prefect import named_prefect_api
    from tasks.project.mlflow_store import mlflow_store

    has_mlflow, has_prefect = mlflow_store().kind != "server", not named_prefect_api()
    if has_mlflow and has_prefect:
        return "`smoothrank stop` ends both servers"
    if has_mlflow or has_prefect:
        return f"`smoothrank stop` ends the {'MLflow' if has_mlflow else 'Prefect'} server"
    return None


def _open(address: str) -> bool:
    """Open an address in the user's browser; return whether there is one."""
    import webbrowser

    can_show = sys.platform in ("darwin", "win32") or any(
        os.environ.get(name) for name in ("BROWSER", "DISPLAY", "WAYLAND_DISPLAY")
    )
    return can_show and webbrowser.open(address)
