"""`smoothrank benchmark` and `split`: the comparison of methods from the command line."""

from __future__ import annotations

import json
from dataclasses import asdict
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from flows.commands.options import AsJson

if TYPE_CHECKING:
    from flows.benchmark import BenchmarkOutcome
    from tasks.project.config import Params

SOME_FAILED = 3
Datasets = Annotated[
    str | None,
    typer.Option(help="Comma-separated names, or all; by default as in params.yaml."),
]
Methods = Annotated[
    str | None,
    typer.Option(help="Comma-separated names, or all; by default as in params.yaml."),
]


def benchmark(
    datasets: Datasets = None,
    methods: Methods = None,
    selection: Annotated[
        str | None, typer.Option(help="paper or honest; by default as in params.yaml.")
    ] = None,
    jobs: Annotated[
        int | None,
        typer.Option(
            min=1, help="Experiments to run at the same time; by default as in params.yaml."
        ),
    ] = None,
    output: Annotated[
        Path, typer.Option(help="CSV file; lines for other data sets and methods are kept.")
    ] = Path("reports/benchmark.csv"),
    splits: Annotated[
        Path | None, typer.Option(help="The file that `smoothrank split` wrote.")
    ] = None,
    stable: Annotated[
        bool,
        typer.Option(
            "--stable",
            help="Leave out seconds and round gaps up, so that every machine writes the same.",
        ),
    ] = False,
    as_json: AsJson = False,
) -> None:
    """Run the paper's experiment: every method on every data set.

    Each result is kept: a run that was stopped resumes where it was, and one after a change runs
    only what depends on the change. Exits with 3 if some could not be run, after all others.
    """
    from flows.launch import run_benchmark
    from flows.requests import BenchmarkRequest
    from flows.terminal.interrupt import exit_on_ctrl_c
    from flows.terminal.progress_bar import ProgressBar
    from flows.terminal.watched_run import watched_run
    from tasks.project.config import load_params
    from tasks.project.paths import project_home
    from tasks.project.progress import listening

    params = load_params(project_home())
    request = BenchmarkRequest(
        datasets=chosen_datasets(datasets, params),
        methods=chosen_methods(methods, params),
        selection=selection or params.benchmark.selection,
        jobs=jobs or params.training.jobs,
        output=str(output),
        splits=str(splits) if splits else None,
        stable=stable,
    )
    with (
        ProgressBar() as bar,
        listening(bar),
        exit_on_ctrl_c(bar.close),
        watched_run(bar.close),
    ):
        outcome = run_benchmark(request)
    if as_json:
        typer.echo(json.dumps(_facts(outcome, output)))
    else:
        _print(outcome, output)
    if outcome.failed:
        raise typer.Exit(SOME_FAILED)


def split(
    datasets: Datasets = None,
    selection: Annotated[
        str | None, typer.Option(help="paper or honest; by default as in params.yaml.")
    ] = None,
    output: Annotated[Path, typer.Option(help="File to write.")] = Path("reports/splits.json"),
    as_json: AsJson = False,
) -> None:
    """Split the rows of data sets: which of them train, validate and test."""
    from tasks.benchmark.parts import make_parts, write_parts
    from tasks.problem.problem import make_problem
    from tasks.problem.source import fetch_source
    from tasks.project.config import load_params
    from tasks.project.paths import project_home

    params = load_params(project_home())
    rule = selection or params.benchmark.selection
    any_method = params.benchmark.methods[0]
    parts = {
        name: make_parts(make_problem(fetch_source(name, None, None), any_method, rule, params))
        for name in chosen_datasets(datasets, params)
    }
    write_parts(parts, output)
    sizes = {
        name: {"train": len(one.train), "test": len(one.test), "folds": len(one.folds)}
        for name, one in parts.items()
    }
    if as_json:
        typer.echo(json.dumps({"file": str(output), "datasets": sizes}))
        return
    typer.echo(f"{len(parts)} data sets split, written to {output}")


def chosen_datasets(given: str | None, params: Params) -> tuple[str, ...]:
    """Return the data sets that were asked for, all of them known."""
    from smoothrank.datasets.catalogue.catalogue import catalogue, entry

    wanted = given if given is not None else params.benchmark.datasets
    if wanted == "all":
        return tuple(catalogue())
    return tuple(entry(name).name for name in _names(wanted))


def chosen_methods(given: str | None, params: Params) -> tuple[str, ...]:
    """Return the methods that were asked for, all of them known; `all` means the paper's."""
    from smoothrank.selection.methods import method
    from tasks.project.config import PAPER_METHOD_NAMES

    if given == "all":
        return PAPER_METHOD_NAMES
    wanted = given if given is not None else params.benchmark.methods
    return tuple(method(name).name for name in _names(wanted))


def _names(wanted: str | tuple[str, ...]) -> list[str]:
    parts = wanted.split(",") if isinstance(wanted, str) else wanted
    names = list(dict.fromkeys(part.strip() for part in parts if part.strip()))
    if not names:
        raise typer.BadParameter("name at least one, or all")
    return names


def _facts(outcome: BenchmarkOutcome, output: Path) -> dict[str, object]:
    return {
        "file": str(output),
        "results": [asdict(line) for line in outcome.lines],
        "stored": outcome.stored,
        "failed": [
            {"dataset": dataset, "method": method, "reason": reason}
            for (dataset, method), reason in outcome.failed.items()
        ],
    }


def _print(outcome: BenchmarkOutcome, output: Path) -> None:
    typer.echo(f"{'method':<22} {'data sets':>9} {'mean test AUC':>14} {'features':>9} {'time':>9}")
    for method in dict.fromkeys(line.method for line in outcome.lines):
        lines = [line for line in outcome.lines if line.method == method]
        auc = sum(line.test_auc for line in lines) / len(lines)
        used = sum(line.features_used for line in lines) / len(lines)
        seconds = sum(line.seconds or 0.0 for line in lines)
        time = f"{seconds:.0f} s" if seconds else "–"
        typer.echo(f"{method:<22} {len(lines):>9} {auc:>14.4f} {used:>9.1f} {time:>9}")
    ran = len(outcome.lines) - outcome.stored
    typer.echo(f"{ran} run, {outcome.stored} already stored; all in {output}")
    for (dataset, method), reason in outcome.failed.items():
        typer.echo(f"no result for {method} on {dataset}: {reason}", err=True)
