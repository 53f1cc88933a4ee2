"""What a benchmark runs: a problem for each data set and method."""

from __future__ import annotations

from flows.requests import BenchmarkRequest
from smoothrank.datasets.catalogue.catalogue import entry
from smoothrank.datasets.errors import DatasetError
from smoothrank.selection.methods import method
from tasks.problem.problem import Problem, make_problem
from tasks.problem.source import fetch_source
from tasks.project.config import load_params
from tasks.project.paths import project_home

Pair = tuple[str, str]
"""The names of a data set and a method."""


def benchmark_problems(request: BenchmarkRequest) -> tuple[list[Problem], dict[Pair, str]]:
    """Return what is to be run, the largest first, and the reason for what cannot be run.

    Raises
    ------
    SmoothrankError
        If there is no such data set, method or selection.
    """
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
