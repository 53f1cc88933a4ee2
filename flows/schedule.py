"""The scheduled flow: retrain unless nothing has changed, and print the result in one line."""

# Annotations are not deferred here: the flow is sent to the process of a run as a function without
# its module, where Prefect could not read them.

import time
from typing import Any

import typer
from prefect import State, flow
from prefect.states import Completed

from flows.flow_run import retrain_run_name, task_runner
from flows.requests import dataset_name
from smoothrank.errors import SmoothrankError
from tasks.project.progress import Nobody, listening
from tasks.project.retrain_options import DEFAULTS, RetrainOptions
from tasks.results.outcome import RetrainOutcome


@flow(
    name="scheduled-retrain",
    flow_run_name=retrain_run_name,
    task_runner=task_runner(),
    persist_result=False,
)
def scheduled_retrain(
    source: str,
    target: str | None = None,
    positive: str | None = None,
    method: str | None = None,
    selection: str = "honest",
    only_if_changed: bool = True,
    options: RetrainOptions = DEFAULTS,
) -> State[dict[str, Any]]:
    """Retrain on a data set or file unless nothing has changed since the last success."""
    from flows.retrain import retrain  # the serving process does not need it
    from flows.servers.missed_runs import skip_missed_runs

    name = dataset_name(source)
    skip_missed_runs()
    try:
        with listening(_Notes(name)):
            outcome = retrain.fn(
                source, target, positive, method, selection, only_if_changed, options=options
            )
    except SmoothrankError as error:
        say(f"{name}: failed, and the champion stays: {error}")
        raise
    message = outcome_text(outcome)
    say(f"{name}: {message}")
    return Completed(message=message, data=outcome)


class _Notes(Nobody):
    """Prints the notes of a run for the user, with the time."""

    def __init__(self, name: str) -> None:
        self._name = name

    def note(self, text: str) -> None:
        """Print a note."""
        say(f"{self._name}: {text}")


def outcome_text(outcome: RetrainOutcome) -> str:
    """Return the result of a run in one line."""
    if outcome.skipped:
        return f"nothing has changed since version {outcome.model_version}; no work was done"
    result = "champion" if outcome.promoted else "not promoted"
    return (
        f"version {outcome.model_version}, test AUC {outcome.test_auc:.3f} "
        f"({outcome.test_auc_low:.3f} to {outcome.test_auc_high:.3f}), "
        f"{result}: {outcome.reason}"
    )


def say(text: str) -> None:
    """Print a line with the time."""
    typer.echo(f"{time.strftime('%Y-%m-%d %H:%M:%S')} {text}")
