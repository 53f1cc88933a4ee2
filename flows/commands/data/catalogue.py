"""`smoothrank data`: list, fetch, verify, describe and validate data sets."""

from __future__ import annotations

import json
from dataclasses import asdict
from typing import TYPE_CHECKING, Annotated, Any

import typer

from flows.commands import options as given
from flows.commands.data.own_files import accept, export
from flows.commands.data.validate import validate
from flows.terminal.short_path import short_path

if TYPE_CHECKING:
    from smoothrank.datasets.options import ReadOptions

data = typer.Typer(
    help="The data sets: list, fetch, verify, describe, validate, accept, export.",
    no_args_is_help=True,
)


# A code of its own: 1 means a crash, 2 a usage error.
SOME_ARE_MISSING = 3


@data.command("list")
def list_datasets(as_json: given.AsJson = False) -> None:
    """List the paper's data sets and whether they are here."""
    from smoothrank.datasets.catalogue.catalogue import catalogue
    from smoothrank.datasets.catalogue.fetch import file_state

    rows = [{**asdict(entry), "state": file_state(entry.name)} for entry in catalogue().values()]
    if as_json:
        _print_json(rows)
        return
    columns = ["name", "rows", "features", "n_train", "n_test", "imbalance", "state"]
    _print_table(columns, [[row[column] for column in columns] for row in rows])


@data.command()
def fetch(
    names: Annotated[
        list[str] | None, typer.Argument(help="Names of data sets; all by default.")
    ] = None,
    as_json: given.AsJson = False,
) -> None:
    """Fetch data sets into the data folder, and a complete folder into DVC's cache.

    Exits with 3 if one could not be fetched, after fetching the others. Files that are here and
    unchanged are left alone; changed ones are replaced.
    """
    from smoothrank.datasets.catalogue.catalogue import catalogue, data_folder, entry
    from tasks.steps.fetch import fetch_datasets, is_complete, store_in_dvc_cache

    chosen = [entry(name).name for name in names] if names else list(catalogue())
    folder = data_folder()
    report = fetch_datasets(_with_progress(chosen, "Fetching"), folder)
    wanted = not report.missing and (not names or is_complete(folder))
    changed = bool(report.fetched)
    problem = store_in_dvc_cache(folder, changed=changed) if wanted else None
    if as_json:
        _print_json({"folder": str(folder), **asdict(report), "dvc_problem": problem})
    else:
        typer.echo(
            f"{len(report.fetched)} fetched, {len(report.present)} already here, "
            f"{len(report.missing)} missing, in {short_path(folder)}"
        )
        for name in report.replaced:
            typer.echo(f"  {name} had been changed and was replaced")
    for reason in report.missing.values():
        typer.echo(f"missing: {reason}", err=True)
    if problem:
        typer.echo(f"not put into DVC's cache: {problem}", err=True)
    if report.missing:
        raise typer.Exit(SOME_ARE_MISSING)


@data.command()
def verify(as_json: given.AsJson = False) -> None:
    """Compare every file of the data folder with its checksum.

    Exits with 1 if one differs, with 3 if some are missing and none differs.
    """
    from smoothrank.datasets.catalogue.catalogue import catalogue, data_folder
    from smoothrank.datasets.catalogue.fetch import file_state

    folder = data_folder()
    states = {entry.file: file_state(entry.name, folder) for entry in catalogue().values()}
    wrong = {file: state for file, state in states.items() if state != "ok"}
    if as_json:
        _print_json({"folder": str(folder), "files": states, "ok": not wrong})
    else:
        for file, state in wrong.items():
            typer.echo(f"{state}: {short_path(folder / file)}", err=True)
        typer.echo(f"{len(states) - len(wrong)} of {len(states)} files are as in the catalogue")
    if wrong:
        if not as_json:
            typer.echo("`smoothrank data fetch` brings the originals back", err=True)
        raise typer.Exit(SOME_ARE_MISSING if set(wrong.values()) == {"missing"} else 1)


@data.command()
@given.takes(read=given.read_options)
def describe(
    name: Annotated[str, typer.Argument(help="A name from the catalogue, or a file of your own.")],
    target: given.Target = None,
    positive: given.Positive = None,
    *,
    read: ReadOptions,
    as_json: given.AsJson = False,
) -> None:
    """Show the size, classes and columns of a data set, and how a file of your own was read."""
    from smoothrank.datasets import load_dataset, load_file
    from smoothrank.datasets.catalogue.catalogue import catalogue
    from smoothrank.datasets.files.paths import is_own_file

    is_file = name not in catalogue() and is_own_file(name)
    if not is_file and (target or positive):
        raise typer.BadParameter("--target and --positive are for files of your own")
    dataset = load_file(name, target, positive, read) if is_file else load_dataset(name)
    positives = int((dataset.y == 1).sum())
    facts: dict[str, Any] = {
        "name": dataset.name,
        "rows": len(dataset.y),
        "positives": positives,
        "negatives": len(dataset.y) - positives,
        "target": dataset.schema.target.name,
        "positive": dataset.schema.positive,
        "rows_with_missing_values": int(dataset.X.isna().any(axis=1).sum()),
        "checksum": dataset.checksum,
    }
    if dataset.name in catalogue() and not is_file:
        known = catalogue()[dataset.name]
        facts |= {"source": known.source, "features": known.features}
        facts |= {"n_train": known.n_train, "n_test": known.n_test}
    columns = [asdict(attribute) for attribute in dataset.schema.attributes]
    if as_json:
        _print_json({**facts, "notes": list(dataset.notes), "columns": columns})
        return
    for fact, value in facts.items():
        typer.echo(f"{fact.replace('_', ' ')}: {value}")
    for note in dataset.notes:
        typer.echo(f"note: {note}")
    _print_table(["column", "kind", "values"], [_column_row(column) for column in columns])


data.command()(validate)
data.command()(accept)
data.command()(export)


def _column_row(column: dict[str, Any]) -> list[Any]:
    if column["levels"]:
        values = _levels(column["levels"])
    elif column["low"] is None:
        values = ""
    else:
        values = f"{column['low']:g} to {column['high']:g}"
    return [column["name"], column["kind"], values + (", some missing" * column["nullable"])]


def _levels(levels: tuple[str, ...], most: int = 12) -> str:
    shown = ", ".join(levels[:most])
    return shown if len(levels) <= most else f"{shown}, … ({len(levels)} levels)"


def _with_progress(names: list[str], label: str) -> Any:
    """Go through the names behind a bar on stderr, if a person is looking."""
    from rich.console import Console
    from rich.progress import track

    console = Console(stderr=True)
    return track(names, label, console=console, transient=True, disable=not console.is_terminal)


def _print_table(columns: list[str], rows: list[list[Any]]) -> None:
    from rich.console import Console
    from rich.table import Table

    table = Table(*columns, box=None, pad_edge=False)
    for row in rows:
        table.add_row(*map(str, row))
    console = Console(highlight=False, markup=False)
    if not console.is_terminal:
        console.width = 200
    console.print(table)


def _print_json(value: Any) -> None:
    typer.echo(json.dumps(value, indent=2, ensure_ascii=False))
