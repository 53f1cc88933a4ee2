"""`smoothrank predict`: score the rows of a file with a model."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Annotated

import typer


def predict(
    model: Annotated[
        str,
        typer.Argument(
            metavar="MODEL",
            help="models:/NAME@champion, models:/NAME/VERSION, or the folder of a saved model.",
        ),
    ],
    file: Annotated[Path, typer.Argument(metavar="FILE", help="A CSV, TSV, Parquet or KEEL file.")],
    out: Annotated[
        Path, typer.Option("-o", "--out", help="A .csv, .tsv or .parquet file to write.")
    ],
    explain: Annotated[
        bool, typer.Option("--explain", help="Add what each prototype contributes to the score.")
    ] = False,
    prefix: Annotated[
        str, typer.Option(help="Put this before the names of the added columns.")
    ] = "",
    as_json: Annotated[bool, typer.Option("--json", help="Print JSON instead of text.")] = False,
) -> None:
    """Score the rows of a file: add the columns score, probability and class.

    The rows are taken as they are in the file; encoding, scaling and missing values are the
    model's affair. Above a score of zero the class is the positive one; the probability is that
    of the positive class. With --explain, the columns prototype_1 (the heaviest), prototype_2, …
    and intercept add up to the score.
    """
    from tasks.score_file import score_file
    from tasks.served_model import load_served_model

    scored = score_file(load_served_model(model), file, out, explain=explain, prefix=prefix)
    if as_json:
        facts = {
            "model": model,
            "file": str(file),
            "out": str(scored.out),
            "rows": scored.rows,
            "classes": scored.classes,
            "drift": None if scored.drift is None else scored.drift.to_dict(),
        }
        typer.echo(json.dumps(facts, ensure_ascii=False))
        return
    counts = ", ".join(f"{count} {label}" for label, count in scored.classes.items())
    typer.echo(f"{scored.rows} rows scored ({counts}), written to {scored.out}")
    if scored.drift is not None and (line := scored.drift.line()):
        typer.echo(line, err=True)
