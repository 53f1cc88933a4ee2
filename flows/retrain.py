"""The retrain flow: wiring only. Every task calls a plain function of `tasks`."""

from __future__ import annotations

import gc
import hashlib
from collections.abc import Sequence
from dataclasses import replace
from functools import cache, partial
from time import monotonic
from typing import Any

from prefect import State, flow, task
from prefect.states import Cancelled
from prefect.transactions import get_transaction

from flows.flow_run import flow_run_id, freeze_imports, retrain_run_name, step
from flows.search import Search
from flows.servers.abandoned_runs import end_abandoned_runs
from smoothrank.selection.choice import Candidate
from tasks.assessment.drift import note_drift
from tasks.assessment.peers import compare_peers, fit_peers
from tasks.problem.problem import Problem, make_problem
from tasks.problem.source import Source, fetch_source
from tasks.problem.table_notes import table_notes, table_size
from tasks.project.config import load_params
from tasks.project.mlflow_store import StoreError
from tasks.project.paths import project_home
from tasks.project.progress import listener
from tasks.project.retrain_options import DEFAULTS, RetrainOptions
from tasks.project.run_faults import RunStoppedError
from tasks.reporting.run.figures import draw_choice as draw_choice_figures
from tasks.reporting.run.figures import draw_model as draw_model_figures
from tasks.results.chosen import Chosen
from tasks.results.drift import Drift
from tasks.results.evaluation import Evaluation
from tasks.results.fits import Trained
from tasks.results.outcome import RetrainOutcome
from tasks.results.peers import FittedPeer
from tasks.results.registration import Registration
from tasks.results.search import SearchRecord
from tasks.results.split import SplitSummary
from tasks.results.tracked_run import TrackedRun
from tasks.steps.choose import choose as choose_candidate
from tasks.steps.evaluate import evaluate as evaluate_model
from tasks.steps.refit import refit as refit_model
from tasks.steps.register import promote
from tasks.steps.register import register as register_model
from tasks.steps.report import Findings
from tasks.steps.report import report as write_report
from tasks.steps.split import split as split_rows
from tasks.steps.train import Share, is_whole
from tasks.steps.train import train as train_share
from tasks.steps.validate import ValidationFailed, validate_source, with_known_target
from tasks.tracking.attempt import Attempt, attempt
from tasks.tracking.mlflow_runs import AttemptRuns
from tasks.tracking.retrain_result import last_outcome, make_outcome
from tasks.tracking.retrain_run import (
    begin_tracking,
    end_tracking,
    track_failure,
    track_search,
    track_value,
)
from tasks.tracking.retrain_run import track as track_model
from tasks.tracking.store_faults import plain_store_faults
from tasks.validation.result import ValidationResult
from tasks.workers.fit_notes import forget_fits
from tasks.workers.training_processes import training_processes, work_on


@step
@task(persist_result=False)
def fetch(source: str, target: str | None, positive: str | None, options: RetrainOptions) -> Source:
    """Find the data set or file."""
    return fetch_source(source, target, positive, options)


@step
@task(persist_result=False)
def validate(source: Source) -> ValidationResult:
    """Validate the data against its expectations."""
    return validate_source(source)


@step
@task(persist_result=False)
def split(problem: Problem) -> SplitSummary:
    """Split the rows."""
    return split_rows(problem)


@step
@task(persist_result=False)
def drift(problem: Problem, runs: AttemptRuns) -> Drift | None:
    """Compare the rows with those that the champion was trained on."""
    return note_drift(problem, runs)


def _result_key(context: Any, arguments: dict[str, Any]) -> str:
    """Return the name of a stored result; data, parameters and code are in the problem's key."""
    del context
    share = hashlib.sha256(repr(arguments["share"]).encode()).hexdigest()[:8]
    return f"share-{arguments['problem'].key}-{arguments['value']!r}-{share}"


@task(
    task_run_name="train {label}",
    cache_key_fn=_result_key,
    persist_result=True,
    result_serializer="json",
    cache_result_in_memory=False,
)
def train(
    problem: Problem, value: float, share: Share, deadline: float, label: str
) -> dict[str, Any] | State[Any]:
    """Train in a process; a result cut short by the budget is not kept."""
    trained: Trained = work_on(problem, train_share, value, share, deadline)
    if is_whole(problem, share, trained):
        return trained.to_json()
    if present := get_transaction():
        present.write_on_commit = False  # or Prefect would take up "nothing" the next time
    return Cancelled(message=f"the budget ended before {label} was whole")


@step
@task(persist_result=False)
def choose(
    problem: Problem, trained: list[Trained], finalists: Sequence[Candidate], search: SearchRecord
) -> Chosen:
    """Choose a candidate by validation AUC."""
    return choose_candidate(problem, trained, finalists, search)


@step
@task(persist_result=False)
def refit(problem: Problem, chosen: Chosen) -> str:
    """Fit the chosen model to all training rows, in a process; return its folder."""
    folder: str = work_on(problem, refit_model, chosen)
    return folder


@step
@task(persist_result=False)
def peers(problem: Problem) -> Sequence[FittedPeer]:
    """Fit the baseline models, in a process."""
    fitted: Sequence[FittedPeer] = work_on(problem, fit_peers)
    return fitted


@step
@task(persist_result=False)
def evaluate(problem: Problem, model: str) -> Evaluation:
    """Measure the model on the test rows."""
    return evaluate_model(problem, model)


@step
@task(name="draw choice", persist_result=False)
def draw_choice(problem: Problem, trained: list[Trained], chosen: Chosen) -> dict[str, bytes]:
    """Draw the candidates of the choice."""
    return draw_choice_figures(problem, trained, chosen)


@step
@task(name="draw model", persist_result=False)
def draw_model(problem: Problem, model: str, evaluation: Evaluation) -> dict[str, bytes]:
    """Draw the model and its errors, in a process."""
    figures: dict[str, bytes] = work_on(problem, draw_model_figures, model, evaluation)
    return figures


@step
@task(persist_result=False)
def track(
    problem: Problem,
    runs: AttemptRuns,
    trained: list[Trained],
    chosen: Chosen,
    model: str,
    evaluation: Evaluation,
) -> TrackedRun:
    """Write the model and its measures to MLflow."""
    return track_model(problem, runs, trained, chosen, model, evaluation)


@step
@task(persist_result=False)
def register(
    problem: Problem,
    runs: AttemptRuns,
    tracked: TrackedRun,
    validation: ValidationResult,
    model: str,
    evaluation: Evaluation,
) -> Registration:
    """Register a version, and let the gate decide whether it is to be champion."""
    return register_model(problem, runs, tracked, validation, model, evaluation)


@step
@task(persist_result=False)
def report(
    problem: Problem,
    outcome: RetrainOutcome,
    model: str,
    found: Findings,
    trained: list[Trained],
    chosen: Chosen,
) -> str:
    """Write the report; return its path."""
    return write_report(problem, outcome, model, found, trained, chosen)


@flow(flow_run_name=retrain_run_name, persist_result=False, validate_parameters=True)
def retrain(
    source: str,
    target: str | None = None,
    positive: str | None = None,
    method: str | None = None,
    selection: str = "honest",
    only_if_changed: bool = False,
    jobs: int | None = None,
    options: RetrainOptions = DEFAULTS,
) -> RetrainOutcome:
    """Fetch, validate, split, train, choose, refit, evaluate, track, register, report."""
    began = monotonic()
    freeze_imports()
    params = load_params(project_home())
    found = fetch(source, target, positive, options)

    def problem() -> Problem:
        known = with_known_target(found)
        return make_problem(known, method, selection, params, options, stable=True)

    first = problem()
    with plain_store_faults():
        end_abandoned_runs(first.key)
        if only_if_changed and (last := last_outcome(first)) is not None:
            return last
    with training_processes(first, jobs or params.training.jobs):
        try:
            validation = validate(found)
        except ValidationFailed as error:
            with attempt(first.key, first.name, first.method, flow_run_id()) as present:
                track_failure(first, present, str(error), error.result)
            raise
        known = problem()
        with attempt(known.key, known.name, known.method, flow_run_id()) as present:
            try:
                with plain_store_faults():
                    outcome, is_over = _learn(known, present, validation, began)
            except (StoreError, RunStoppedError):
                raise
            except Exception as error:
                track_failure(known, present, str(error), validation)
                raise
    forget_fits(known, keep_notes=not is_over)
    return outcome


def _learn(
    problem: Problem, present: Attempt, validation: ValidationResult, began: float
) -> tuple[RetrainOutcome, bool]:
    """Return the outcome, and whether the search finished within the budget."""
    parts = split(problem)
    for line in (table_size(problem), *table_notes(problem)):
        listener().note(line)
    listener().step("train")
    search = Search(problem, train, began)
    _import_tracking()
    runs = begin_tracking(problem, present, validation, parts)
    moved = drift(problem, runs)
    listener().step("train")
    searched = search.finish(partial(track_value, problem, runs))
    trained = searched.trained
    chosen = choose(problem, trained, searched.finalists, searched.record)
    refitting = refit.submit(problem, chosen)
    comparing = peers.submit(problem)
    for record in searched.untracked:
        track_value(problem, runs, record)
    track_search(runs, chosen)
    figures = draw_choice(problem, trained, chosen)
    model = refitting.result()
    evaluation = evaluate(problem, model)
    drawing = draw_model.submit(problem, model, evaluation)
    tracked = track(problem, runs, trained, chosen, model, evaluation)
    registered = register(problem, runs, tracked, validation, model, evaluation)
    compared = compare_peers(problem, model, comparing.result())
    outcome = make_outcome(problem, parts, chosen, evaluation, tracked, registered, compared)
    outcome = replace(outcome, seconds=monotonic() - began)
    found = Findings(validation, evaluation, moved)
    page = report(problem, outcome, model, found, trained, chosen)
    outcome = replace(outcome, report=page)
    end_tracking(runs, outcome, figures | drawing.result())
    promote(runs, registered)
    return outcome, not searched.record.ended_early


@cache
def _import_tracking() -> None:
    """Import what tracking needs during training, and exempt it from garbage collection."""
    import matplotlib.backends.backend_agg  # noqa: F401
    import mlflow.pyfunc  # noqa: F401

    gc.freeze()
