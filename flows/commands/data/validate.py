"""`smoothrank data validate`: validate a data set or file against its expectations."""

from __future__ import annotations

import json
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from flows.commands import options as given
from flows.terminal.failure_lines import failure_lines, warning_lines
from flows.terminal.short_path import short_path

if TYPE_CHECKING:
    from smoothrank.datasets.options import ReadOptions
    from tasks.validation.result import ValidationResult
    from tasks.validation.validate_file import OwnFile


@given.takes(read=given.read_options)
def validate(
    sources: Annotated[
        list[str] | None,
        typer.Argument(metavar="NAME|FILE…", help="Names of data sets, or all; or a file."),
    ] = None,
    target: given.Target = None,
    positive: given.Positive = None,
    suite: Annotated[
        Path | None,
        typer.Option(help="Your file's suite; .smoothrank/data/<name>/suite.json by default."),
    ] = None,
    range_margin: Annotated[
        float | None,
        typer.Option(
            min=0.0,
            help="When the first file creates the suite: how far to widen its ranges on each side, "
            "in widths of the range seen (1 by default; inf sets no ranges).",
        ),
    ] = None,
    write_suites: Annotated[
        bool,
        typer.Option("--write-suites", help="Write the suites of all known data sets instead."),
    ] = False,
    output: Annotated[
        Path | None, typer.Option(help="Also write a CSV file with one line per data set.")
    ] = None,
    *,
    read: ReadOptions,
    as_json: given.AsJson = False,
) -> None:
    """Validate data sets, or a file of your own, against their expectations.

    The first validation of a file writes its suite; later files are validated against it: columns,
    kinds, missing values, levels, classes, ranges, and the share of positives. Exits with 1 if an
    expectation fails that stops training, with 2 if a file cannot be read; what does not stop
    training is a warning. `smoothrank data accept` takes a file that differs as the new normal.
    """
    if write_suites:
        _write_suites(as_json)
        return
    from rich.console import Console
    from rich.progress import track

    from tasks.validation.validate_catalogue import validate_dataset
    from tasks.validation.validate_file import OwnFile

    names = _named(sources)
    results = []
    console, one = Console(stderr=True), len(names) == 1
    for name in track(names, "Validating", console=console, transient=True, disable=one):
        if _is_known(name):
            if target or positive or suite or range_margin is not None:
                raise typer.BadParameter(
                    "for files only: --target, --positive, --suite, --range-margin"
                )
            result, new_suite = validate_dataset(name), None
        else:
            file = OwnFile(Path(name), target, positive, read, suite_path=suite)
            result, new_suite = _validate(file, range_margin)
        results.append(result)
        if not as_json:
            _print(result, new_suite, name)
    if as_json:
        facts = [result.to_dict() for result in results]
        typer.echo(json.dumps(facts if len(names) > 1 else facts[0], ensure_ascii=False))
    if output:
        _write(results, output)
    if code := max(result.exit_code for result in results):
        raise typer.Exit(code)


def _named(sources: list[str] | None) -> list[str]:
    from smoothrank.datasets.catalogue.catalogue import catalogue

    if not sources:
        raise typer.BadParameter("name a data set or a file", param_hint="NAME|FILE")
    if sources == ["all"]:
        return list(catalogue())
    names = [[one] if Path(one).exists() else one.split(",") for one in sources]
    return list(dict.fromkeys(name for group in names for name in group if name))


def _write(results: list[ValidationResult], output: Path) -> None:
    from smoothrank.datasets.catalogue.fetch import write_whole

    lines = [f"{r.dataset},{r.expectations},{'yes' if r.passed else 'no'}\n" for r in results]
    write_whole(output, "".join(["dataset,expectations,passed\n", *lines]).encode())


def _is_known(source: str) -> bool:
    """Return whether it is the name of a data set, and not a file."""
    from smoothrank.datasets.catalogue.catalogue import catalogue
    from smoothrank.datasets.files.paths import is_own_file

    return source in catalogue() or not is_own_file(source)


def _validate(file: OwnFile, range_margin: float | None) -> tuple[ValidationResult, Path | None]:
    """Return the result, and the suite if this validation wrote it."""
    from dataclasses import replace

    from tasks.validation.suites.location import adopt_old_suite
    from tasks.validation.validate_file import validate_file

    if file.suite_path is None and (moved := adopt_old_suite(file.name)):
        typer.echo(moved, err=True)
    existed = file.suite.exists()
    if range_margin is not None:
        file = replace(file, range_margin=range_margin)
    result = validate_file(file)
    if existed and range_margin is not None:
        typer.echo(
            f"--range-margin is ignored: {short_path(file.suite)} already has its ranges; "
            "remove it, or name another --suite, to start afresh",
            err=True,
        )
    return result, None if existed or not file.suite.exists() else file.suite


def _write_suites(as_json: bool) -> None:
    from tasks.validation.validate_catalogue import write_suites

    written, missing = write_suites()
    if as_json:
        paths = [str(path) for path in written]
        typer.echo(json.dumps({"written": paths, "missing": missing}))
    else:
        typer.echo(f"{len(written)} suites written")
        if missing:
            typer.echo(f"not here: {', '.join(missing)}; see `smoothrank data fetch`", err=True)
    if missing:
        raise typer.Exit(1)


def _print(result: ValidationResult, new_suite: Path | None, source: str) -> None:
    from tasks.validation.suites.accept import accepting

    if new_suite:
        typer.echo(
            f"{result.dataset}: first validation; "
            f"its expectations are now in {short_path(new_suite)}"
        )
    if not result.passed:
        typer.echo("\n".join(failure_lines(result)))
    elif result.warnings:
        held = result.expectations - len(result.warnings)
        typer.echo(
            f"{result.dataset}: {held} of {result.expectations} expectations hold; "
            "the others are warnings"
        )
    else:
        typer.echo(f"{result.dataset}: all {result.expectations} expectations hold")
    for line in warning_lines(result):
        typer.echo(line, err=True)
    if result.acceptable and not _is_known(source):
        typer.echo(accepting(source), err=True)
