"""Run a flow in this process.

Prefect takes a second to import and reads its settings then: a request is checked, and the server
started, before the module of the flow is imported.
"""

from __future__ import annotations

import logging
import os
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from contextlib import nullcontext
from dataclasses import asdict
from pathlib import Path
from typing import TYPE_CHECKING

from flows.benchmark_problems import benchmark_problems
from flows.requests import BenchmarkRequest, RetrainRequest, Schedule
from flows.servers.project_servers import ensure_prefect_server
from flows.servers.team_prefect import named_prefect_api
from flows.terminal.quiet import quiet
from tasks.benchmark.lines import read_lines
from tasks.preflight.disk import check_disk
from tasks.preflight.job_count import jobs_worth_starting
from tasks.preflight.refusals import check_readable, check_savable_method
from tasks.preflight.warm_up import load_ahead
from tasks.problem.method_choice import method_of
from tasks.problem.problem import Problem, make_problem
from tasks.problem.source import fetch_source
from tasks.project.config import Params, load_params
from tasks.project.mlflow_store import ensure_mlflow_store, mlflow_store
from tasks.project.paths import project_home
from tasks.results.outcome import RetrainOutcome
from tasks.steps.validate import with_known_target
from tasks.workers.training_processes import training_processes

if TYPE_CHECKING:
    from flows.benchmark import BenchmarkOutcome

# Prefect writes a line for each step to the terminal; its pages show the same and more.
# A run that is stopped leaves a semaphore, about which Python warns.
QUIET_SCHEDULE = {
    "PREFECT_LOGGING_HANDLERS_CONSOLE_LEVEL": "CRITICAL",
    "PYTHONWARNINGS": "ignore::UserWarning",
}


def run_retrain(request: RetrainRequest) -> RetrainOutcome:
    """Run the retrain flow on the project's Prefect server, which is started if need be.

    Raises
    ------
    SmoothrankError
        If something that was asked for is not available; `ValidationFailed` if the data fails.
    """
    params = load_params(project_home())
    check_disk()
    problem = _readable_problem(request, params)
    with quiet():
        _check_team()
        jobs = request.jobs or jobs_worth_starting(problem, params.training.jobs)
    early = nullcontext() if request.only_if_changed else training_processes(problem, jobs)
    with quiet(), early:
        with ThreadPoolExecutor(1) as beside:
            beside.submit(load_ahead)
            ensure_prefect_server()
        from flows.flow_run import run_flow
        from flows.retrain import retrain

        given = {**vars(request), "method": problem.method}
        outcome: RetrainOutcome = run_flow(retrain, jobs, given)
        return outcome


def _check_team() -> None:
    """Ask the servers that are named, before anything is trained."""
    if mlflow_store().kind != "own":
        ensure_mlflow_store()
    if named_prefect_api():
        ensure_prefect_server()


def _readable_problem(request: RetrainRequest, params: Params) -> Problem:
    """Return what is to be learnt; a file that cannot be read is refused here."""
    found = fetch_source(request.source, request.target, request.positive, request.options)
    check_readable(found)
    known = with_known_target(found)
    problem = make_problem(
        known, request.method, request.selection, params, request.options, stable=True
    )
    check_savable_method(problem)
    return problem


def run_benchmark(request: BenchmarkRequest) -> BenchmarkOutcome:
    """Run the benchmark flow on the project's Prefect server, which is started if need be.

    Raises
    ------
    SmoothrankError
        If something that was asked for does not exist.
    """
    check_disk()
    benchmark_problems(request)
    read_lines(Path(request.output))
    with quiet():
        _check_team()
    ensure_prefect_server()
    with quiet():
        from flows.benchmark import benchmark
        from flows.flow_run import run_flow

        return run_flow(benchmark, request.jobs, asdict(request))


def run_schedule(
    schedule: Schedule, started: Callable[[str], None], ended: Callable[[], None]
) -> None:
    """Retrain at the times of a schedule, until this process is interrupted.

    The Prefect server is started if need be, and again if it is lost meanwhile. At Ctrl-C, or when
    asked to end, a run in progress is killed; the next one resumes it.

    Parameters
    ----------
    schedule : Schedule
        What, and when.
    started : callable
        Called once, with the address of the Prefect pages.
    ended : callable
        Called at the end, possibly twice; the process may end right after it.

    Raises
    ------
    SmoothrankError
        If there is no such method, the data set has a schedule that is running, or the times
        cannot be read.
    """
    method_of(schedule.method, load_params(project_home()))
    os.environ.update(QUIET_SCHEDULE, SMOOTHRANK_HOME=str(project_home()))
    logging.raiseExceptions = False  # log records that the server can no longer take are lost
    from flows.serving import serve

    serve(schedule, started, ended)
