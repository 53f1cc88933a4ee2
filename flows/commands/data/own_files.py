"""`smoothrank data accept` and `data export`: what belongs to a user's own data."""

from __future__ import annotations

import json
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from flows.commands import options as given
from flows.terminal.short_path import short_path

if TYPE_CHECKING:
    from smoothrank.datasets.options import ReadOptions


@given.takes(read=given.read_options)
def accept(
    file: Annotated[Path, typer.Argument(metavar="FILE", help="A file that should pass.")],
    target: given.Target = None,
    positive: given.Positive = None,
    suite: Annotated[
        Path | None,
        typer.Option(help="Your file's suite; .smoothrank/data/<name>/suite.json by default."),
    ] = None,
    *,
    read: ReadOptions,
    as_json: given.AsJson = False,
) -> None:
    """Accept a file as the new normal: widen its suite until it passes without a warning.

    Levels and ranges seen before stay allowed. The old suite is kept beside the new one; what
    changes is printed. With --target or --positive, the suite is about that target from now on.
    """
    from smoothrank.datasets.catalogue.catalogue import catalogue
    from tasks.validation.suites.accept import accept_file
    from tasks.validation.suites.expectations import SuiteError
    from tasks.validation.validate_file import OwnFile

    if str(file) in catalogue():
        raise SuiteError(f"{file} is a data set of the catalogue: its suite is part of smoothrank")
    found = accept_file(OwnFile(file, target, positive, read, suite_path=suite))
    if as_json:
        facts = {
            "dataset": found.dataset,
            "suite": str(found.suite),
            "previous": None if found.previous is None else str(found.previous),
            "changes": list(found.changes),
        }
        typer.echo(json.dumps(facts, ensure_ascii=False))
        return
    for change in found.changes:
        typer.echo(f"- {change}")
    kept = f"; the old ones are in {found.previous.name}" if found.previous else ""
    typer.echo(
        f"{found.dataset}: accepted; its expectations are in {short_path(found.suite)}{kept}"
    )


def export(
    name: Annotated[str, typer.Argument(metavar="NAME", help="The name of your data set.")],
    folder: Annotated[Path, typer.Argument(metavar="FOLDER", help="A folder to make or fill.")],
    as_json: given.AsJson = False,
) -> None:
    """Copy everything that belongs to a data set of your own: suite, split, champion model.

    The data itself is where you have it; runs and older versions are in MLflow.
    """
    from tasks.tracking.export import export_user_data

    copied = export_user_data(name, folder)
    if as_json:
        facts = {"dataset": name, "folder": str(folder), "files": [str(path) for path in copied]}
        typer.echo(json.dumps(facts, ensure_ascii=False))
        return
    for path in copied:
        typer.echo(f"  {path}")
    files = "1 file" if len(copied) == 1 else f"{len(copied)} files"
    typer.echo(f"{name}: {files} copied to {short_path(folder.resolve())}")
