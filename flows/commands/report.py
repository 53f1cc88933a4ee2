"""`smoothrank report`: compare the benchmark's results with the paper's tables."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Annotated

import typer

from flows.commands.options import AsJson


def report(
    results: Annotated[
        Path,
        typer.Option(
            help="The benchmark's results, a file or a folder of files; some methods or data "
            "sets are enough."
        ),
    ] = Path("reports/benchmark.csv"),
    output: Annotated[Path, typer.Option(help="Folder to write to.")] = Path("reports"),
    figure: Annotated[
        Path | None, typer.Option(help="Folder of Figure 1; the --output folder by default.")
    ] = None,
    as_json: AsJson = False,
) -> None:
    """Write index.html, one page with the paper's tables next to ours, and the tables as files."""
    from tasks.reporting.paper.page import N_DATASETS, N_METHODS, write_report

    written = write_report(results, output, figure)
    found = written.results
    facts = {
        "page": str(written.page),
        "tables": [str(path) for path in written.tables],
        "results": len(found.table),
        "datasets": len(found.datasets),
        "complete_datasets": len(found.complete),
        "methods": list(found.methods),
        "figure": written.has_figure,
    }
    if as_json:
        typer.echo(json.dumps(facts))
        return
    typer.echo(
        f"{len(found.table)} of {N_DATASETS * N_METHODS} results: {len(found.datasets)} data sets, "
        f"{len(found.methods)} methods, {len(found.complete)} data sets with every method"
    )
    if not written.has_figure:
        typer.echo("Figure 1 is not there yet: `smoothrank figure` makes it", err=True)
    typer.echo(f"written: {written.page} and {len(written.tables)} files in {output / 'tables'}")
