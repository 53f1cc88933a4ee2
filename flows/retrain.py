"""The retrain flow: wiring only. Every step is a plain function of `tasks`.

`flows.retrain.retrain` is the Prefect flow; it is made when it is asked for, so that importing
this module loads nothing.
"""

from __future__ import annotations

import gc
import hashlib
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from contextlib import nullcontext
from dataclasses import dataclass, replace
from functools import cache, partial
from time import monotonic
from typing import Any

from flows.flow_run import flow_run_id, quoted, task_runner, without_heartbeat
from flows.search import Search
from flows.servers.abandoned_runs import end_abandoned_runs
from tasks.assessment.drift import note_drift
from tasks.assessment.peers import compare_peers, fit_peers
from tasks.problem.problem import Problem, make_problem
from tasks.problem.source import fetch_source
from tasks.problem.table_notes import table_notes, table_size
from tasks.project.config import load_params
from tasks.project.home import project_home
from tasks.project.progress import listener
from tasks.project.retrain_options import DEFAULTS, RetrainOptions
from tasks.reporting.run.figures import draw_choice, draw_model
from tasks.results.fits import Trained
from tasks.results.outcome import RetrainOutcome
from tasks.steps.choose import choose
from tasks.steps.early_check import check_readable
from tasks.steps.evaluate import evaluate
from tasks.steps.first_look import first_look, load_ahead
from tasks.steps.refit import refit
from tasks.steps.register import promote, register
from tasks.steps.report import Findings, report
from tasks.steps.split import split
from tasks.steps.train import Share, forget_fits, is_whole, train
from tasks.steps.validate import ValidationFailed, validate_source, with_known_target
from tasks.tracking.attempt import Attempt, attempt
from tasks.tracking.retrain_result import last_outcome, make_outcome
from tasks.tracking.retrain_run import (
    begin_tracking,
    end_tracking,
    track,
    track_failure,
    track_search,
    track_value,
)
from tasks.validation.result import ValidationResult
from tasks.workers.training_processes import training_processes, work_on


@dataclass(frozen=True)
class RetrainRequest:
    """What is to be retrained.

    Parameters
    ----------
    source : str
        A name of the catalogue, or a file.
    target, positive : str, optional
        The target column and positive label of a file.
    method : str
        A name that `smoothrank.selection.methods` knows.
    selection : {"honest", "paper"}
        How C is chosen.
    jobs : int, optional
        Processes that train values of C; that of `params.yaml` unless given.
    only_if_changed : bool
        Do nothing if data and parameters are those of the last run that succeeded.
    options : RetrainOptions
        How the file is read, which columns are learnt from, how rows are split, where the
        classes are divided, and how long the search may take.
    """

    source: str
    target: str | None = None
    positive: str | None = None
    method: str = "smooth"
    selection: str = "honest"
    jobs: int | None = None
    only_if_changed: bool = False
    options: RetrainOptions = DEFAULTS


def run_retrain(request: RetrainRequest) -> RetrainOutcome:
    """Run the flow in this process, on the project's Prefect server, which is started if need be.

    Raises
    ------
    SmoothrankError
        If something that was asked for cannot be had; `ValidationFailed` if the data fails.
    """
    from flows.servers.project_servers import ensure_prefect_server
    from flows.terminal.quiet import quiet

    params = load_params(project_home())
    found = fetch_source(request.source, request.target, request.positive, request.options)
    check_readable(found)
    known = with_known_target(found)
    problem = make_problem(
        known, request.method, request.selection, params, request.options, stable=True
    )
    with quiet():
        jobs = request.jobs or first_look(problem, params.training.jobs)
    early = nullcontext() if request.only_if_changed else training_processes(problem, jobs)
    with quiet(), early:
        with ThreadPoolExecutor(1) as beside:
            beside.submit(load_ahead)
            ensure_prefect_server()
        flow = retrain_flow().with_options(task_runner=task_runner(jobs))
        with without_heartbeat():
            outcome: RetrainOutcome = flow(**vars(request))
            return outcome


def __getattr__(name: str) -> Any:
    """Give the flow as `retrain`, for Prefect's entry points."""
    if name == "retrain":
        return retrain_flow()
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")


@cache
def retrain_flow() -> Any:
    """The Prefect flow."""
    from prefect import Flow

    return Flow(
        _retrain,
        name="retrain",
        flow_run_name="{method} on {source}",
        persist_result=False,
        validate_parameters=True,
    )


def _retrain(
    source: str,
    target: str | None = None,
    positive: str | None = None,
    method: str = "smooth",
    selection: str = "honest",
    only_if_changed: bool = False,
    jobs: int | None = None,
    options: RetrainOptions = DEFAULTS,
) -> RetrainOutcome:
    """Fetch, validate, split, train, choose, refit, evaluate, track, register, report."""
    began = monotonic()
    _spare_imports("flow")
    params = load_params(project_home())
    found = _step("fetch", source, target, positive, options)

    def problem() -> Any:
        source = with_known_target(found)
        return make_problem(source, method, selection, params, options, stable=True)

    first = problem()
    end_abandoned_runs(first.key)
    if only_if_changed and (last := last_outcome(first)) is not None:
        return last
    with training_processes(first, jobs or params.training.jobs):
        try:
            validation = _step("validate", found)
        except ValidationFailed as error:
            with attempt(first.key, first.name, method, flow_run_id()) as present:
                track_failure(first, present, str(error), error.result)
            raise
        known = problem()
        with attempt(known.key, known.name, method, flow_run_id()) as present:
            try:
                outcome, is_over = _learn(known, present, validation, began)
            except Exception as error:
                track_failure(known, present, str(error), validation)
                raise
    forget_fits(known, keep_notes=not is_over)
    return outcome


def _learn(
    problem: Problem, present: Attempt, validation: ValidationResult, began: float
) -> tuple[RetrainOutcome, bool]:
    """Return the outcome, and whether the search came to its end before the budget did."""
    parts = _step("split", problem)
    for line in (table_size(problem), *table_notes(problem)):
        listener().note(line)
    listener().step("train")
    search = Search(problem, _tasks()["train"], began)
    _spare_imports("tracking")
    runs = begin_tracking(problem, present, validation, parts)
    drift = _step("drift", problem, runs)
    listener().step("train")
    searched = search.finish(partial(track_value, problem, runs))
    trained = searched.trained
    chosen = _step("choose", problem, trained, searched.finalists, searched.record)
    refitting = _begin("refit", problem, chosen)
    comparing = _begin("peers", problem)
    for record in searched.untracked:
        track_value(problem, runs, record)
    track_search(runs, chosen)
    figures = _step("draw choice", problem, trained, chosen)
    model = refitting.result()
    evaluation = _step("evaluate", problem, model)
    drawing = _begin("draw model", problem, model, evaluation)
    tracked = _step("track", problem, runs, trained, chosen, model, evaluation)
    registered = _step("register", problem, runs, tracked, validation, model, evaluation)
    peers = compare_peers(problem, model, comparing.result())
    outcome = make_outcome(problem, parts, chosen, evaluation, tracked, registered, peers)
    outcome = replace(outcome, seconds=monotonic() - began)
    found = Findings(validation, evaluation, drift)
    page = _step("report", problem, outcome, model, found, trained, chosen)
    outcome = replace(outcome, report=page)
    end_tracking(runs, outcome, figures | drawing.result())
    promote(runs, registered)
    return outcome, not searched.record.ended_early


@cache
def _spare_imports(stage: str) -> None:
    """Keep what is loaded by now out of garbage collections, which take half a second each."""
    if stage == "tracking":
        import matplotlib.backends.backend_agg  # noqa: F401
        import mlflow.pyfunc  # noqa: F401
    gc.freeze()


def _step(name: str, *arguments: Any) -> Any:
    """Run one step as a Prefect task."""
    listener().step(name)
    return _tasks()[name](*quoted(*arguments))


def _begin(name: str, *arguments: Any) -> Any:
    """Begin a step beside what comes next."""
    listener().step(name)
    return _tasks()[name].submit(*quoted(*arguments))


@cache
def _tasks() -> dict[str, Any]:
    """The steps as Prefect tasks."""
    from prefect import Task
    from prefect.cache_policies import NO_CACHE

    steps: dict[str, Callable[..., Any]] = {
        "fetch": fetch_source,
        "validate": validate_source,
        "drift": note_drift,
        "split": split,
        "choose": choose,
        "refit": _elsewhere(refit),
        "peers": _elsewhere(fit_peers),
        "evaluate": evaluate,
        "draw choice": draw_choice,
        "draw model": _elsewhere(draw_model),
        "track": track,
        "register": register,
        "report": report,
    }
    made = {
        name: Task(step, name=name, cache_policy=NO_CACHE, persist_result=False)
        for name, step in steps.items()
    }
    made["train"] = Task(
        _train,
        name="train",
        task_run_name="train C={value:g}{label}",
        cache_key_fn=_result_key,
        persist_result=True,
        result_serializer="json",
        cache_result_in_memory=False,
    )
    return made


def _train(problem: Problem, value: float, share: Share, deadline: float, label: str) -> Any:
    """Train in a process; what the budget ended is no result to be kept."""
    from prefect.states import Cancelled

    trained: Trained = work_on(problem, train, value, share, deadline)
    if is_whole(problem, share, trained):
        return trained.to_json()
    return Cancelled(message=f"the budget ended{label}")


def _elsewhere(work: Callable[..., Any]) -> Callable[..., Any]:
    """The same work in a process that trains."""

    def waiting(problem: Problem, *facts: Any) -> Any:
        return work_on(problem, work, *facts)

    return waiting


def _result_key(context: Any, arguments: dict[str, Any]) -> str:
    """The name of a stored result: data, parameters and code are in the problem's key."""
    del context
    share = hashlib.sha256(repr(arguments["share"]).encode()).hexdigest()[:8]
    return f"train-{arguments['problem'].key}-{arguments['value']!r}-{share}"
