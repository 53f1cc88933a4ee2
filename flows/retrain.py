"""The retrain flow: wiring only. Every step is a plain function of `tasks`.

`flows.retrain.retrain` is the Prefect flow; it is made when it is asked for, so that importing
this module loads nothing.
"""

from __future__ import annotations

import gc
from collections.abc import Callable
from dataclasses import asdict, dataclass, replace
from functools import cache
from time import perf_counter
from typing import Any

from flows.abandoned import end_abandoned_runs
from flows.flow_run import flow_run_id, without_heartbeat
from smoothrank.errors import SmoothrankError
from tasks.attempt import Attempt, attempt
from tasks.choose import choose
from tasks.config import load_params
from tasks.evaluate import evaluate
from tasks.fetch import fetch_source
from tasks.home import project_home
from tasks.outcome import RetrainOutcome, last_outcome, make_outcome
from tasks.problem import Problem, make_problem
from tasks.progress import listener
from tasks.refit import refit
from tasks.register import register
from tasks.report import report
from tasks.split import split
from tasks.track import track, track_failure
from tasks.train import Trained, forget_fits, train
from tasks.validate_source import ValidationFailed, validate_source, with_known_target


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
        A name that `smoothrank.methods` knows.
    selection : {"honest", "paper"}
        How C is chosen.
    jobs : int, optional
        Values of C trained at the same time; that of `params.yaml` unless given.
    only_if_changed : bool
        Do nothing if data and parameters are those of the last run that succeeded.
    """

    source: str
    target: str | None = None
    positive: str | None = None
    method: str = "smooth"
    selection: str = "honest"
    jobs: int | None = None
    only_if_changed: bool = False


def run_retrain(request: RetrainRequest) -> RetrainOutcome:
    """Run the flow in this process, on the project's Prefect server, which is started if need be.

    Raises
    ------
    ValidationFailed
        If the data does not meet its expectations.
    SmoothrankError
        If something that was asked for cannot be had.
    """
    from flows.quiet import quiet
    from flows.servers import ensure_prefect_server

    params = load_params(project_home())
    found = fetch_source(request.source, request.target, request.positive)
    make_problem(found, request.method, request.selection, params)
    ensure_prefect_server()
    with quiet(), without_heartbeat():
        from prefect.task_runners import ThreadPoolTaskRunner

        jobs = request.jobs or params.training.jobs
        flow = retrain_flow().with_options(task_runner=ThreadPoolTaskRunner(max_workers=jobs))
        facts = asdict(request)
        facts.pop("jobs")
        return RetrainOutcome(**flow(**facts))


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
) -> dict[str, Any]:
    """Fetch, validate, split, train, choose, refit, evaluate, track, register, report."""
    begin = perf_counter()
    _spare_imports("flow")
    params = load_params(project_home())
    found = _step("fetch", source, target, positive)

    def problem() -> Any:
        return make_problem(with_known_target(found), method, selection, params)

    first = problem()
    end_abandoned_runs(first.key)
    if only_if_changed and (last := last_outcome(first)) is not None:
        return asdict(last)
    try:
        validation = _step("validate", found)
    except ValidationFailed as error:
        with attempt(first.key, first.name, method, flow_run_id()) as present:
            track_failure(first, present, str(error), error.result.to_dict())
        raise
    known = problem()
    with attempt(known.key, known.name, method, flow_run_id()) as present:
        try:
            outcome = _learn(known, present, validation, begin)
        except SmoothrankError as error:
            track_failure(known, present, str(error), validation)
            raise
    forget_fits(known)
    return asdict(outcome)


def _learn(
    problem: Problem, present: Attempt, validation: dict[str, Any], begin: float
) -> RetrainOutcome:
    parts = _step("split", problem)
    listener().begin(len(problem.grid) * len(problem.scales) * parts["n_folds"])
    trained = _train(problem, len(problem.scales) * parts["n_folds"])
    chosen = _step("choose", problem, trained)
    model = _step("refit", problem, chosen)
    evaluation = _step("evaluate", problem, model)
    _spare_imports("tracking")
    tracked = _step(
        "track", problem, present, validation, parts, trained, chosen, model, evaluation
    )
    registered = _step("register", problem, present, tracked, validation, model, evaluation)
    outcome = make_outcome(problem, parts, chosen, evaluation, tracked, registered)
    outcome = replace(outcome, seconds=perf_counter() - begin)
    return replace(outcome, report=_step("report", outcome, model, tracked["folder"]))


@cache
def _spare_imports(stage: str) -> None:
    """Keep what is loaded by now out of garbage collections, which take half a second each."""
    if stage == "tracking":
        import mlflow.pyfunc  # noqa: F401
    gc.freeze()


def _train(problem: Problem, n_fits: int) -> list[Trained]:
    """One task for each C; those that were done before are not done again."""
    listener().step("train")
    futures = [_tasks()["train"].submit(problem, value) for value in problem.grid]
    trained = []
    for value, future in zip(problem.grid, futures, strict=True):
        trained.append(future.result())
        listener().fitted(value, n_fits)
    return trained


def _step(name: str, *arguments: Any) -> Any:
    """Run one step as a Prefect task; its arguments are data, not results to wait for."""
    from prefect.utilities.annotations import quote

    listener().step(name)
    return _tasks()[name](*(quote(argument) for argument in arguments))


@cache
def _tasks() -> dict[str, Any]:
    """The steps as Prefect tasks."""
    from prefect import Task
    from prefect.cache_policies import NO_CACHE

    steps: dict[str, Callable[..., Any]] = {
        "fetch": fetch_source,
        "validate": validate_source,
        "split": split,
        "choose": choose,
        "refit": refit,
        "evaluate": evaluate,
        "track": track,
        "register": register,
        "report": report,
    }
    made = {
        name: Task(step, name=name, cache_policy=NO_CACHE, persist_result=False)
        for name, step in steps.items()
    }
    made["train"] = Task(
        train,
        name="train",
        task_run_name="train C={value:g}",
        cache_key_fn=_result_key,
        persist_result=True,
        result_serializer="json",
        cache_result_in_memory=False,
    )
    return made


def _result_key(context: Any, arguments: dict[str, Any]) -> str:
    """The name of a stored result: data, parameters and code are in the problem's key."""
    del context
    return f"train-{arguments['problem'].key}-{arguments['value']!r}"
