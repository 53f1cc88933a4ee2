"""`smoothrank figure`: make the paper's Figure 1."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Annotated

import typer

from flows.commands.options import AsJson


def figure(
    output: Annotated[Path, typer.Option(help="Folder to write to.")] = Path("reports"),
    seed: Annotated[
        int | None, typer.Option(min=0, help="Seed of the data; by default as in params.yaml.")
    ] = None,
    rows: Annotated[
        int | None,
        typer.Option(min=8, help="Number of training rows; by default as in params.yaml."),
    ] = None,
    noise: Annotated[
        float | None,
        typer.Option(min=0.0, help="Spread of the clusters; by default as in params.yaml."),
    ] = None,
    iterations: Annotated[
        int | None,
        typer.Option(min=2, help="Largest number of prototypes; by default as in params.yaml."),
    ] = None,
    smooth_c: Annotated[
        float | None,
        typer.Option(
            "--smooth-c",
            min=1e-12,
            help="C of the smooth method; by default as in params.yaml.",
        ),
    ] = None,
    as_json: AsJson = False,
) -> None:
    """Make Figure 1: the noisy XOR problem, and test AUC by iteration of three methods.

    Writes figure1.svg, figure1.png, figure1.csv (the curves) and figure1_points.csv.
    """
    from smoothrank.datasets.xor import largest_drop, total_change, total_drop
    from tasks.benchmark.figure import LABELS, XorSettings, compute_figure, write_figure
    from tasks.project.config import load_params
    from tasks.project.paths import project_home

    default = load_params(project_home()).figure
    settings = XorSettings(
        seed=default.seed if seed is None else seed,
        rows=rows or default.rows,
        noise=default.noise if noise is None else noise,
        iterations=iterations or default.iterations,
        C=smooth_c or default.smooth_c,
    )
    data = compute_figure(settings)
    files = write_figure(data, output)
    measures = {
        method: {
            "iterations": len(aucs),
            "last_auc": round(aucs[-1], 6),
            "total_drop": round(total_drop(aucs), 6),
            "largest_drop": round(largest_drop(aucs), 6),
            "total_change": round(total_change(aucs), 6),
        }
        for method in LABELS
        if (aucs := data.test_auc(method))
    }
    if as_json:
        typer.echo(json.dumps({"files": [str(path) for path in files], "methods": measures}))
        return
    for method, values in measures.items():
        typer.echo(
            f"{LABELS[method]:32} {values['iterations']} iterations, test AUC "
            f"{values['last_auc']:.3f} at the end, {values['total_drop']:.3f} lost on the way"
        )
    typer.echo(f"written: {', '.join(str(path) for path in files)}")
