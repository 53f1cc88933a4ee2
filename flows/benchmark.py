"""The benchmark flow: every method on every data set; wiring only."""

from __future__ import annotations

import hashlib
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from pathlib import Path

from prefect import flow, task
from prefect.futures import as_completed

from flows.benchmark_problems import Pair, benchmark_problems
from flows.flow_run import flow_run_id, quoted
from flows.requests import BenchmarkRequest
from flows.servers.abandoned_runs import end_abandoned_runs
from smoothrank.selection.splits import Parts
from tasks.benchmark.experiment import Measured, experiment_key, stored_experiment
from tasks.benchmark.experiment import experiment as run_experiment
from tasks.benchmark.lines import Line, make_line, read_lines, without_clock, write_lines
from tasks.benchmark.parts import parts_of, read_parts
from tasks.benchmark.track_experiment import track_experiment, tracked_keys
from tasks.problem.problem import Problem
from tasks.project.progress import listener
from tasks.project.run_faults import RunStoppedError, stopping_faults
from tasks.tracking.attempt import attempt
from tasks.workers.processes import processes
from tasks.workers.training_processes import work_on


@task(task_run_name="{name}", persist_result=False)
def experiment(problem: Problem, parts: Parts, name: str) -> Measured:
    """Measure a method on a data set, in a process."""
    del name
    measured: Measured = work_on(problem, run_experiment, parts)
    return measured


@task(persist_result=False)
def track(problem: Problem, key: str, measured: Measured) -> str:
    """Write a result to MLflow; return the id of its run."""
    return track_experiment(problem, key, measured)


@dataclass
class BenchmarkOutcome:
    """The result of a benchmark.

    Parameters
    ----------
    lines : list of Line
        The results.
    failed : dict
        Why a data set and method have no result.
    stored : int
        How many of the results were already stored.
    """

    lines: list[Line] = field(default_factory=list)
    failed: dict[Pair, str] = field(default_factory=dict)
    stored: int = 0


@flow(persist_result=False, validate_parameters=False)
def benchmark(
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
    problems, missing = benchmark_problems(request)
    parts = _parts(problems, request.splits)
    tracked = tracked_keys()
    others = _other_lines(request)
    outcome = BenchmarkOutcome(failed=dict(missing))
    listener().begin(len(problems))
    for problem, measured in _measure(problems, parts, request.jobs, outcome):
        key = experiment_key(problem, parts[problem.name])
        if key not in tracked:
            track(*quoted(problem, key, measured))
        line = make_line(problem, measured)
        outcome.lines.append(without_clock(line) if request.stable else line)
        write_lines([*others, *outcome.lines], Path(request.output))
        listener().fitted(line.pair, 1)
    return outcome


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
    """Yield each result as soon as it is available: stored ones first, then those that are run."""
    waiting = []
    for problem in problems:
        stored = stored_experiment(problem, parts[problem.name])
        if stored is None:
            waiting.append(problem)
        else:
            outcome.stored += 1
            yield problem, stored
    with processes(jobs):
        futures = {
            experiment.submit(*quoted(problem, parts[problem.name], _name(problem))): problem
            for problem in waiting
        }
        for future in as_completed(list(futures)):
            problem = futures[future]
            listener().step(_name(problem))
            try:
                with stopping_faults():
                    measured = future.result()
            except RunStoppedError:
                raise
            except Exception as error:
                outcome.failed[problem.name, problem.method] = f"{type(error).__name__}: {error}"
                continue
            yield problem, measured


def _name(problem: Problem) -> str:
    return f"{problem.method} on {problem.name}"
