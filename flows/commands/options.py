"""Options that several commands share, each written once."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated

import typer

if TYPE_CHECKING:
    from smoothrank.datasets.options import ColumnOptions, ReadOptions
    from tasks.project.retrain_options import RetrainOptions

Target = Annotated[str | None, typer.Option(help="The target column of your file.")]
Positive = Annotated[str | None, typer.Option(help="The positive label of your file.")]
AsJson = Annotated[bool, typer.Option("--json", help="Print JSON instead of text.")]

Sep = Annotated[str | None, typer.Option(help="Your file's separator; recognised unless given.")]
Decimal = Annotated[str | None, typer.Option(help="Its decimal mark, . or ,")]
Thousands = Annotated[str | None, typer.Option(help="Its mark between thousands.")]
Encoding = Annotated[str | None, typer.Option(help="Its text encoding, such as latin-1.")]
DateFormat = Annotated[str | None, typer.Option(help="Its date format, such as %d.%m.%Y.")]

Drop = Annotated[list[str] | None, typer.Option(help="A column to leave out; may be repeated.")]
Id = Annotated[
    str | None, typer.Option("--id", help="The column that names a row; it is left out.")
]
KeepOnly = Annotated[
    str | None, typer.Option(help="Comma-separated columns; all others are left out.")
]
Group = Annotated[
    str | None, typer.Option(help="Rows of one value of this column stay in one part.")
]
Time = Annotated[str | None, typer.Option(help="Train on the past of this column, test on later.")]
Threshold = Annotated[
    float | None, typer.Option(help="The probability from which on a row is positive.")
]
CostFp = Annotated[float | None, typer.Option(help="What a false positive costs.")]
CostFn = Annotated[float | None, typer.Option(help="What a false negative costs.")]
Budget = Annotated[
    str | None,
    typer.Option(
        help="How long the run may take, such as 60s, 5m or 1h; by the number of rows unless given."
    ),
]


def read_options(
    sep: str | None,
    decimal: str | None,
    thousands: str | None,
    encoding: str | None,
    date_format: str | None,
) -> ReadOptions:
    """Put together how a file is written."""
    from smoothrank.datasets.options import ReadOptions

    return ReadOptions(sep, decimal, thousands, encoding, date_format)


def column_options(drop: list[str] | None, id_: str | None, keep_only: str | None) -> ColumnOptions:
    """Put together which columns are learnt from."""
    from smoothrank.datasets.options import ColumnOptions

    kept = tuple(name.strip() for name in (keep_only or "").split(",") if name.strip())
    return ColumnOptions(tuple(drop or ()), id_, kept)


def retrain_options(
    read: ReadOptions,
    columns: ColumnOptions,
    group: str | None,
    time: str | None,
    decision: tuple[float | None, float | None, float | None],
    budget: str | None,
) -> RetrainOptions:
    """Put together what is asked of a retraining; a value that cannot be is a user's mistake."""
    from pydantic import ValidationError

    from tasks.project.retrain_options import DecisionOptions, RetrainOptions, SplitOptions

    threshold, cost_fp, cost_fn = decision
    try:
        return RetrainOptions(
            read=read,
            columns=columns,
            split=SplitOptions(group=group, time=time),
            decision=DecisionOptions(threshold=threshold, cost_fp=cost_fp, cost_fn=cost_fn),
            budget=None if budget is None else seconds_of(budget),
        )
    except ValidationError as error:
        fault = error.errors()[0]
        name = str(fault["loc"][-1]).replace("_", "-")
        raise typer.BadParameter(f"--{name}: {fault['msg'].lower()}") from None


def seconds_of(text: str) -> float:
    """Read a time such as 60s, 5m or 1h; a number alone is seconds."""
    from tasks.project import duration

    try:
        return duration.seconds_of(text)
    except ValueError:
        raise typer.BadParameter(
            f"--budget is a time such as 60s, 5m or 1h, not {text!r}"
        ) from None
