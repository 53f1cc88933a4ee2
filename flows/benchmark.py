"""The benchmark flow: every method on every data set; wiring only.

`flows.benchmark.benchmark` is the Prefect flow; it is made when it is asked for, so that importing
this module loads nothing.
"""

from __future__ import annotations

import hashlib
from collections.abc import Iterator, Mapping
from dataclasses import asdict, dataclass, field
from functools import cache
from pathlib import Path
from typing import Any

from flows.flow_run import flow_run_id, quoted, task_runner, without_heartbeat
from flows.servers.abandoned_runs import end_abandoned_runs
from smoothrank.selection.splits import Parts
from tasks.benchmark.experiment import Measured, experiment, experiment_key, stored_experiment
from tasks.benchmark.lines import Line, make_line, read_lines, without_clock, write_lines
from tasks.benchmark.parts import parts_of, read_parts
from tasks.benchmark.track_experiment import track_experiment, tracked_keys
from tasks.problem.problem import Problem, make_problem
from tasks.problem.source import fetch_source
from tasks.project.config import load_params
from tasks.project.home import project_home
from tasks.project.progress import listener
from tasks.tracking.attempt import attempt
from tasks.workers.processes import processes
from tasks.workers.training_processes import work_on

Pair = tuple[str, str]


@dataclass(frozen=True)
class BenchmarkRequest:
    """What is to be compared.

    Parameters
    ----------
    datasets, methods : tuple of str
        Names of the catalogue, and names that `smoothrank.selection.methods` knows.
    selection : {"paper", "honest"}
        How the value of the parameter is chosen.
    jobs : int
        Experiments that run at the same time, in a process each.
    output : str
        The CSV file; its lines of other data sets and methods are kept.
    splits : str, optional
        A file of `smoothrank split`; the parts are made anew without it.
    stable : bool
        Leave out what differs from one machine to the next.
    """

    datasets: tuple[str, ...]
    methods: tuple[str, ...]
    selection: str = "paper"
    jobs: int = 2
    output: str = "reports/benchmark.csv"
    splits: str | None = None
    stable: bool = False


@dataclass
class BenchmarkOutcome:
    """What came of it.

    Parameters
    ----------
    lines : list of Line
        The results.
    failed : dict
        Why a data set and method have none.
    stored : int
        How many of the results were there already.
    """

    lines: list[Line] = field(default_factory=list)
    failed: dict[Pair, str] = field(default_factory=dict)
    stored: int = 0


def run_benchmark(request: BenchmarkRequest) -> BenchmarkOutcome:
    """Run the flow in this process, on the project's Prefect server, which is started if need be.

    Raises
    ------
    SmoothrankError
        If something that was asked for does not exist.
    """
    from flows.servers.project_servers import ensure_prefect_server
    from flows.terminal.quiet import quiet

    _problems(request)
    read_lines(Path(request.output))
    ensure_prefect_server()
    with quiet(), without_heartbeat():
        flow = benchmark_flow().with_options(task_runner=task_runner(request.jobs))
        outcome: BenchmarkOutcome = flow(**asdict(request))
    return outcome


def __getattr__(name: str) -> Any:
    """Give the flow as `benchmark`, for Prefect's entry points."""
    if name == "benchmark":
        return benchmark_flow()
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")


@cache
def benchmark_flow() -> Any:
    """The Prefect flow."""
    from prefect import Flow

    return Flow(_benchmark, name="benchmark", persist_result=False, validate_parameters=False)


def _benchmark(
    datasets: tuple[str, ...],
    methods: tuple[str, ...],
    selection: str = "paper",
    jobs: int = 2,
    output: str = "reports/benchmark.csv",
    splits: str | None = None,
    stable: bool = False,
) -> BenchmarkOutcome:
    """Run what is not stored, write each result to MLflow and to the file as it comes."""
    request = BenchmarkRequest(
        tuple(datasets), tuple(methods), selection, jobs, output, splits, stable
    )
    key = _request_key(request)
    end_abandoned_runs(key)
    with attempt(key, "benchmark", ", ".join(methods), flow_run_id()):
        return _compare(request)


def _request_key(request: BenchmarkRequest) -> str:
    return "benchmark-" + hashlib.sha256(repr(request).encode()).hexdigest()[:32]


def _compare(request: BenchmarkRequest) -> BenchmarkOutcome:
    problems, missing = _problems(request)
    parts = _parts(problems, request.splits)
    tracked = tracked_keys()
    others = _other_lines(request)
    outcome = BenchmarkOutcome(failed=dict(missing))
    listener().begin(len(problems))
    for problem, measured in _measure(problems, parts, request.jobs, outcome):
        key = experiment_key(problem, parts[problem.name])
        if key not in tracked:
            _track_task()(*quoted(problem, key, measured))
        line = make_line(problem, measured)
        outcome.lines.append(without_clock(line) if request.stable else line)
        write_lines([*others, *outcome.lines], Path(request.output))
        listener().fitted(line.pair, 1)
    return outcome


def _problems(request: BenchmarkRequest) -> tuple[list[Problem], dict[Pair, str]]:
    """What is to be run, the largest first; and why some of it cannot be."""
    from smoothrank.datasets.catalogue.catalogue import entry
    from smoothrank.datasets.errors import DatasetError
    from smoothrank.selection.methods import method

    params = load_params(project_home())
    for name in request.methods:
        method(name)
    problems: list[Problem] = []
    missing: dict[Pair, str] = {}
    for name in sorted(request.datasets, key=lambda name: -entry(name).rows):
        try:
            source = fetch_source(name, None, None)
        except DatasetError as error:
            missing |= {(name, method): str(error) for method in request.methods}
            continue
        problems += [
            make_problem(source, method, request.selection, params) for method in request.methods
        ]
    return problems, missing


def _parts(problems: list[Problem], splits: str | None) -> dict[str, Parts]:
    known = read_parts(Path(splits)) if splits else None
    first_of = {problem.name: problem for problem in reversed(problems)}
    return {name: parts_of(problem, known) for name, problem in first_of.items()}


def _other_lines(request: BenchmarkRequest) -> list[Line]:
    asked = {(name, method) for name in request.datasets for method in request.methods}
    return [line for line in read_lines(Path(request.output)) if line.pair not in asked]


def _measure(
    problems: list[Problem], parts: Mapping[str, Parts], jobs: int, outcome: BenchmarkOutcome
) -> Iterator[tuple[Problem, Measured]]:
    """Give each result as soon as it is there: stored ones first, then those that are run."""
    from prefect.futures import as_completed

    waiting = []
    for problem in problems:
        stored = stored_experiment(problem, parts[problem.name])
        if stored is None:
            waiting.append(problem)
        else:
            outcome.stored += 1
            yield problem, stored
    with processes(jobs):
        task = _experiment_task()
        futures = {
            task.submit(*quoted(problem, parts[problem.name]), name=_name(problem)): problem
            for problem in waiting
        }
        for future in as_completed(list(futures)):
            problem = futures[future]
            listener().step(_name(problem))
            try:
                measured = future.result()
            except Exception as error:
                outcome.failed[problem.name, problem.method] = f"{type(error).__name__}: {error}"
                continue
            yield problem, measured


def _name(problem: Problem) -> str:
    return f"{problem.method} on {problem.name}"


@cache
def _experiment_task() -> Any:
    """An experiment as a Prefect task that waits for a process."""
    from prefect import Task
    from prefect.cache_policies import NO_CACHE

    def run(problem: Problem, parts: Parts, name: str) -> Measured:
        del name
        measured: Measured = work_on(problem, experiment, parts)
        return measured

    return Task(
        run,
        name="experiment",
        task_run_name="{name}",
        cache_policy=NO_CACHE,
        persist_result=False,
    )


@cache
def _track_task() -> Any:
    from prefect import Task
    from prefect.cache_policies import NO_CACHE

    return Task(track_experiment, name="track", cache_policy=NO_CACHE, persist_result=False)
