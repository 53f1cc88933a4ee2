"""The `smoothrank` command: the outermost layer."""

from __future__ import annotations

import os
import sys
from typing import Annotated

import typer

from flows.commands.benchmark import benchmark, split
from flows.commands.data.catalogue import data
from flows.commands.doctor import doctor
from flows.commands.figure import figure
from flows.commands.predict import predict
from flows.commands.promote import promote, rollback
from flows.commands.report import report
from flows.commands.retrain import retrain
from flows.commands.schedule import schedule
from flows.commands.stop import stop
from flows.commands.ui import ui
from smoothrank.errors import SmoothrankError

app = typer.Typer(
    help="Small prototype models that maximise AUC on imbalanced binary data.",
    no_args_is_help=True,
    add_completion=False,
    pretty_exceptions_enable=False,
)
app.add_typer(data, name="data")
app.command()(retrain)
app.command()(predict)
app.command()(promote)
app.command()(rollback)
app.command()(schedule)
app.command()(ui)
app.command()(stop)
app.command()(doctor)
app.command()(split)
app.command()(benchmark)
app.command()(figure)
app.command()(report)


def _print_version(wanted: bool) -> None:
    if wanted:
        from smoothrank import __version__

        typer.echo(f"smoothrank {__version__}")
        raise typer.Exit


@app.callback()
def _smoothrank(
    version: Annotated[
        bool,
        typer.Option(
            "--version", callback=_print_version, is_eager=True, help="Print the version and exit."
        ),
    ] = False,
) -> None:
    """Small prototype models that maximise AUC on imbalanced binary data."""


def main() -> None:
    """Run the command; a user's mistake is one line on stderr and exit code 2."""
    try:
        app()
    except SmoothrankError as error:
        typer.echo(f"smoothrank: {error}", err=True)
        raise SystemExit(2) from None
    except BrokenPipeError:  # the reader of our output has gone, as `head` does
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        raise SystemExit(141) from None


if __name__ == "__main__":
    main()
