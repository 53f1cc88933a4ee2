"""`smoothrank retrain`: the retrain flow from the command line."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Annotated

import typer

from flows.commands import options as given

if TYPE_CHECKING:
    from tasks.project.retrain_options import RetrainOptions
    from tasks.results.outcome import RetrainOutcome
    from tasks.steps.validate import ValidationFailed


@given.takes(options=given.retrain_options)
def retrain(
    source: Annotated[
        str,
        typer.Argument(metavar="NAME|FILE", help="A name from `smoothrank data list`, or a file."),
    ] = "abalone9-18",
    target: given.Target = None,
    positive: given.Positive = None,
    method: given.MethodName = None,
    selection: Annotated[
        str,
        typer.Option(help="honest: chosen on validation rows alone; paper: by the paper's rule."),
    ] = "honest",
    jobs: Annotated[
        int | None,
        typer.Option(min=1, help="How many processes train at the same time."),
    ] = None,
    *,
    options: RetrainOptions,
    as_json: given.AsJson = False,
) -> None:
    """Validate, train, choose, test, track and register a model for a data set or file.

    Exits with 1 if the data does not meet its expectations. A run that was stopped resumes where
    it stopped when the same command is given again.
    """
    from flows.launch import run_retrain
    from flows.requests import RetrainRequest
    from flows.terminal.interrupt import exit_on_ctrl_c
    from flows.terminal.progress_bar import LINE_SECONDS, ProgressBar
    from flows.terminal.state_note import new_project_note
    from flows.terminal.watched_run import watched_run
    from tasks.project.progress import listening
    from tasks.steps.validate import ValidationFailed

    say_where_state_is = new_project_note()
    request = RetrainRequest(source, target, positive, method, selection, jobs, options=options)
    try:
        with (
            ProgressBar(LINE_SECONDS) as bar,
            listening(bar),
            exit_on_ctrl_c(bar.close),
            watched_run(bar.close),
        ):
            outcome = run_retrain(request)
    except ValidationFailed as error:
        _print_failures(error, source)
        raise typer.Exit(error.result.exit_code) from None
    if as_json:
        typer.echo(json.dumps(outcome.to_json(), ensure_ascii=False))
    else:
        _print(outcome)
        say_where_state_is()


def _print(outcome: RetrainOutcome) -> None:
    from tasks.steps.report import summary

    rows = [*summary(outcome), ("MLflow run", _address(outcome)), ("report", outcome.report)]
    width = max(len(name) for name, _ in rows)
    for name, value in rows:
        typer.echo(f"{name:<{width}}  {value}")


def _address(outcome: RetrainOutcome) -> str:
    """Return where the run can be seen, or how to start the page."""
    from flows.servers.mlflow_pages import run_page
    from flows.servers.project_servers import running_servers
    from flows.terminal.command_name import command_name

    server = running_servers().get("mlflow")
    if server:
        return run_page(server, outcome.mlflow_experiment_id, outcome.mlflow_run_id)
    return f"{outcome.mlflow_run_id} (see it: {command_name()} ui {outcome.dataset})"


def _print_failures(error: ValidationFailed, source: str) -> None:
    from flows.terminal.failure_lines import failure_lines
    from tasks.validation.suites.accept import accepting

    first, *rest = failure_lines(error.result)
    typer.echo("\n".join([f"{first}; nothing was trained", *rest]), err=True)
    if error.result.acceptable:
        typer.echo(accepting(source), err=True)
