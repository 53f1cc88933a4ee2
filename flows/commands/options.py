"""Options that several commands share, each written once."""

from __future__ import annotations

from collections.abc import Callable, Container
from functools import wraps
from inspect import Parameter, Signature, signature
from typing import TYPE_CHECKING, Annotated, Any, TypeVar, get_type_hints

import typer

if TYPE_CHECKING:
    from smoothrank.datasets.options import ColumnOptions, ReadOptions
    from tasks.project.retrain_options import RetrainOptions

R = TypeVar("R")

Target = Annotated[str | None, typer.Option(help="The target column of your file.")]
Positive = Annotated[str | None, typer.Option(help="The positive label of your file.")]
MethodName = Annotated[
    str | None,
    typer.Option(
        "--method",
        help="smoothrank-small (a few columns), smoothrank-best (an average of many models), "
        "smooth (the paper's), ranking-cg, l1, linf or ranking-svm; the default is "
        "training.method of params.yaml.",
    ),
]
AsJson = Annotated[bool, typer.Option("--json", help="Print JSON instead of text.")]

Sep = Annotated[str | None, typer.Option(help="Your file's separator; detected by default.")]
Decimal = Annotated[str | None, typer.Option(help="Its decimal mark, . or ,")]
Thousands = Annotated[str | None, typer.Option(help="Its thousands separator.")]
Encoding = Annotated[str | None, typer.Option(help="Its text encoding, such as latin-1.")]
DateFormat = Annotated[str | None, typer.Option(help="Its date format, such as %d.%m.%Y.")]

Drop = Annotated[list[str] | None, typer.Option(help="A column to leave out; may be repeated.")]
Id = Annotated[
    str | None, typer.Option("--id", help="The column that identifies a row; it is left out.")
]
KeepOnly = Annotated[
    str | None, typer.Option(help="Comma-separated columns; all others are left out.")
]
Group = Annotated[
    str | None, typer.Option(help="Rows with the same value in this column stay together.")
]
Time = Annotated[
    str | None, typer.Option(help="Train on earlier rows by this column, test on later ones.")
]
Threshold = Annotated[
    float | None, typer.Option(help="The probability at or above which a row is positive.")
]
CostFp = Annotated[float | None, typer.Option(help="What a false positive costs.")]
CostFn = Annotated[float | None, typer.Option(help="What a false negative costs.")]
Budget = Annotated[
    str | None,
    typer.Option(
        help="How long the run may take, such as 60s, 5m or 1h; the default depends on the rows."
    ),
]


def takes(**groups: Callable[..., Any]) -> Callable[[Callable[..., R]], Callable[..., R]]:
    """Add groups of options to a command, each of which it receives as one object.

    Parameters
    ----------
    **groups : callable
        For each parameter of the command that the options replace in its signature, the callable
        that makes its value from them; the callable's own parameters are the options.
    """

    def decorate(command: Callable[..., R]) -> Callable[..., R]:
        expanded: list[Parameter] = []
        for parameter in _parameters(command, skipped=groups):
            group = groups.get(parameter.name)
            options = [parameter] if group is None else _parameters(group)
            kind = parameter.kind if group is None else Parameter.KEYWORD_ONLY
            expanded += [option.replace(kind=kind) for option in options]

        @wraps(command)
        def called(*arguments: Any, **given: Any) -> R:
            for name, group in groups.items():
                own = {option.name for option in _parameters(group)} & set(given)
                given[name] = group(**{option: given.pop(option) for option in own})
            return command(*arguments, **given)

        called.__annotations__ = {one.name: one.annotation for one in expanded}
        vars(called)["__signature__"] = Signature(expanded)
        return called

    return decorate


def _parameters(function: Callable[..., Any], skipped: Container[str] = ()) -> list[Parameter]:
    """Return the parameters of a function, their types as objects unless they are skipped."""

    @wraps(function)
    def typed() -> None: ...

    typed.__annotations__ = {
        name: kind
        for name, kind in function.__annotations__.items()
        if name not in skipped and name != "return"
    }
    types = get_type_hints(typed, include_extras=True)
    parameters = signature(function).parameters.values()
    return [one.replace(annotation=types.get(one.name)) for one in parameters]


def read_options(
    sep: Sep = None,
    decimal: Decimal = None,
    thousands: Thousands = None,
    encoding: Encoding = None,
    date_format: DateFormat = None,
) -> ReadOptions:
    """Collect how a file is written."""
    from smoothrank.datasets.options import ReadOptions

    return ReadOptions(sep, decimal, thousands, encoding, date_format)


def column_options(drop: Drop = None, id_: Id = None, keep_only: KeepOnly = None) -> ColumnOptions:
    """Collect which columns to learn from."""
    from smoothrank.datasets.options import ColumnOptions

    kept = tuple(name.strip() for name in (keep_only or "").split(",") if name.strip())
    return ColumnOptions(tuple(drop or ()), id_, kept)


@takes(columns=column_options, read=read_options)
def retrain_options(
    budget: Budget = None,
    *,
    columns: ColumnOptions,
    group: Group = None,
    time: Time = None,
    threshold: Threshold = None,
    cost_fp: CostFp = None,
    cost_fn: CostFn = None,
    read: ReadOptions,
) -> RetrainOptions:
    """Collect the options of a retraining; an impossible value is reported as a usage error."""
    from pydantic import ValidationError

    from tasks.project.retrain_options import DecisionOptions, RetrainOptions, SplitOptions

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
