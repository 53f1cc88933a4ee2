"""`smoothrank predict`: score the rows of a file with a model."""

from __future__ import annotations

import json
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from flows.commands import options as given

if TYPE_CHECKING:
    from smoothrank.datasets.options import ReadOptions
    from tasks.steps.predict import ScoredFile


@given.takes(read=given.read_options)
def predict(
    model: Annotated[
        str,
        typer.Argument(
            metavar="MODEL",
            help="models:/NAME@champion, models:/NAME/VERSION, or the folder of a saved model.",
        ),
    ],
    file: Annotated[Path, typer.Argument(metavar="FILE", help="A table: CSV, Parquet, Excel, …")],
    out: Annotated[
        Path, typer.Option("-o", "--out", help="A .csv, .tsv or .parquet file to write.")
    ],
    explain: Annotated[
        bool, typer.Option("--explain", help="Add why each row has its score.")
    ] = False,
    threshold: given.Threshold = None,
    cost_fp: given.CostFp = None,
    cost_fn: given.CostFn = None,
    top: Annotated[
        int | None,
        typer.Option(min=1, help="Call this many rows positive, those that score highest."),
    ] = None,
    strict: Annotated[
        bool, typer.Option("--strict", help="Refuse unseen levels and unexpected missing values.")
    ] = False,
    prefix: Annotated[
        str | None, typer.Option(help="Put this before the names of the added columns.")
    ] = None,
    as_written: Annotated[
        bool,
        typer.Option(
            "--as-written", help="Leave texts as they are that a spreadsheet takes for formulas."
        ),
    ] = False,
    *,
    read: ReadOptions,
    as_json: given.AsJson = False,
) -> None:
    """Score the rows of a file: add the columns score, probability, class and note.

    The rows are taken as they are in the file; the model takes care of encoding, scaling and
    missing values. A row is of the positive class if its probability reaches the threshold: the
    model's own, 0.5 unless retrain was told another, or the one given here. The note says which
    values of a row the model had never seen, could not read, or missed. With --explain, the columns
    prototype_1 (the heaviest), prototype_2, … and intercept add up to the score. For a model of
    smoothrank-small, so do the columns part_NAME, one for each column of the table, and typical,
    the score of a typical row; and because says the largest parts in words. In a .csv or .tsv file
    texts that begin with =, +, - or @ get an apostrophe, so that no spreadsheet computes them.
    """
    from tasks.steps.predict import ScoringOptions, score_file
    from tasks.tracking.served_model import load_served_model

    options = ScoringOptions(
        explain=explain,
        prefix=prefix,
        strict=strict,
        threshold=threshold,
        cost_fp=cost_fp,
        cost_fn=cost_fn,
        top=top,
        as_written=as_written,
        read=read,
    )
    scored = score_file(load_served_model(model), file, out, options)
    if as_json:
        typer.echo(json.dumps(_facts(model, file, scored), ensure_ascii=False))
        return
    for line in _lines(scored):
        typer.echo(line)
    if scored.drift is not None and (moved := scored.drift.line()):
        typer.echo(moved, err=True)


def _facts(model: str, file: Path, scored: ScoredFile) -> dict[str, object]:
    return {
        "model": model,
        "file": str(file),
        "out": str(scored.out),
        "rows": scored.rows,
        "classes": scored.classes,
        "threshold": scored.rule.threshold,
        "top": scored.rule.top,
        "tied": scored.rule.tied,
        "rows_with": scored.troubles,
        "columns": scored.columns,
        "drift": None if scored.drift is None else scored.drift.to_dict(),
    }


def _lines(scored: ScoredFile) -> list[str]:
    counts = ", ".join(f"{count} {label}" for label, count in scored.classes.items())
    lines = [
        f"{scored.rows} rows scored ({counts}), written to {scored.out}",
        scored.rule.sentence(scored.classes[scored.rule.positive], scored.rows),
    ]
    words = {
        "unseen": "a level never seen",
        "missing": "missing values",
        "unreadable": "values that cannot be read",
    }
    found = [(count, words[kind]) for kind in words if (count := scored.troubles.get(kind))]
    if found:
        rows = "row" if found[0][0] == 1 else "rows"
        first, *rest = (f"{count} with {said}" for count, said in found)
        said = ", ".join([first.replace(" with", f" {rows} with", 1), *rest])
        lines.append(f"{said}: see column {scored.columns['note']}")
    if scored.columns["score"] == "smoothrank_score":
        lines.append("the file already has columns with these names: see smoothrank_score, …")
    return lines
