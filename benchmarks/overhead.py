"""What orchestration and tracking cost: the retrain flow against its bare fits.

    python -m benchmarks.overhead [--dataset pima] [--jobs 1] [--repeats 9]

Measured in turn, in a new project folder and with the same training processes: `bare`, the 13 × 5
fits, the choice and the refit; `checks`, what is neither fitted nor orchestrated nor tracked
(validation, the split and the evaluation on the test part) as plain functions; and `flow`, the
whole flow as the command runs it, with every record in Prefect and MLflow, figures, registration
and report.

    overhead = (flow − bare − checks) / bare

so that figures count as tracking. `alone` is the same fits one after the other in one process,
and `overhead_alone` is the overhead with them instead of `bare`. Imports and the start of the
processes and of the Prefect server are not counted. The seconds are wall-clock means over the
repeats; the minima are given too. The last line is one JSON object.
"""

from __future__ import annotations

import argparse
import json
import os
import tempfile
from pathlib import Path
from statistics import mean
from time import perf_counter
from typing import Any

from flows.launch import run_retrain
from flows.requests import RetrainRequest
from flows.servers.project_servers import stop_servers
from flows.terminal.quiet import quiet
from smoothrank.selection.fold_fit import fit_fold
from tasks.problem.candidates import make_estimator
from tasks.problem.folds import folds
from tasks.problem.problem import Problem, load_data, make_problem
from tasks.problem.source import fetch_source
from tasks.project.config import Params
from tasks.results.fits import Trained
from tasks.steps.choose import choose
from tasks.steps.evaluate import evaluate
from tasks.steps.refit import refit
from tasks.steps.split import split
from tasks.steps.validate import validate_source
from tasks.workers.fit_notes import forget_fits
from tasks.workers.processes import elsewhere, result_of
from tasks.workers.training_processes import training_processes


def bare(problem: Problem) -> str:
    """Make the fits of the flow, in the same processes, and nothing else."""
    begun = [elsewhere(fits, problem, value) for value in problem.grid]
    chosen = choose(problem, [result_of(future) for future in begun])
    return str(result_of(elsewhere(refit, problem, chosen)))


def alone(problem: Problem) -> None:
    """Make the fits one after the other."""
    chosen = choose(problem, [fits(problem, value) for value in problem.grid])
    refit(problem, chosen)


def fits(problem: Problem, value: float) -> Trained:
    """Return the fits of one value of C on all folds."""
    data = load_data(problem)
    X, y = data.X[data.train], data.y[data.train]
    estimator = make_estimator(problem, value, None)
    found = tuple(fit_fold(estimator, X, y, *fold) for fold in folds(problem, data))
    return Trained(value, {None: found})


def checks(problem: Problem, folder: str) -> None:
    """Validate, split and evaluate, without Prefect and MLflow."""
    with quiet():
        validate_source(problem.source)
    split(problem)
    evaluate(problem, folder)


def flow(name: str, repeat: int) -> None:
    """Run the flow; another seed each time, so that it does not find its fits done."""
    home = Path(os.environ["SMOOTHRANK_HOME"])
    (home / "params.yaml").write_text(f"selection: {{seed: {1000 + repeat}}}\n")
    run_retrain(RetrainRequest(name, selection="paper"))


def timed(work: Any, *arguments: Any) -> float:
    """Return the wall-clock seconds of a call."""
    start = perf_counter()
    work(*arguments)
    return perf_counter() - start


def measure(problem: Problem, repeats: int) -> list[dict[str, float]]:
    """Run all variants in turn, after one uncounted warm-up run of each."""
    flow(problem.name, 0)
    folder = bare(problem)
    found = []
    for repeat in range(1, repeats + 1):
        seconds = {"checks": timed(checks, problem, folder)}
        forget_fits(problem)
        seconds["alone"] = timed(lambda: result_of(elsewhere(alone, problem)))
        forget_fits(problem)
        seconds["bare"] = timed(bare, problem)
        seconds["flow"] = timed(flow, problem.name, repeat)
        found.append(seconds)
        print({key: round(value, 2) for key, value in seconds.items()}, flush=True)
    return found


def overhead(seconds: dict[str, float], base: str = "bare") -> float:
    """Return what orchestration and tracking add, relative to the bare fits."""
    return (seconds["flow"] - seconds[base] - seconds["checks"]) / seconds[base]


def main() -> None:
    """Run the command."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0] if __doc__ else None)
    parser.add_argument("--dataset", default="pima")
    parser.add_argument("--jobs", type=int, default=1)
    parser.add_argument("--repeats", type=int, default=9)
    arguments = parser.parse_args()
    problem = make_problem(fetch_source(arguments.dataset), "smooth", "paper", Params())
    with tempfile.TemporaryDirectory() as home:
        os.environ["SMOOTHRANK_HOME"] = home
        try:
            with training_processes(problem, arguments.jobs):
                found = measure(problem, arguments.repeats)
        finally:
            stop_servers()
    means = {key: mean(seconds[key] for seconds in found) for key in found[0]}
    least = {key: min(seconds[key] for seconds in found) for key in found[0]}
    summary = {
        "dataset": arguments.dataset,
        "jobs": arguments.jobs,
        **{f"seconds_{key}": round(value, 2) for key, value in means.items()},
        "overhead": round(overhead(means), 3),
        "overhead_alone": round(overhead(means, "alone"), 3),
        "least_seconds": {key: round(value, 2) for key, value in least.items()},
    }
    print(json.dumps(summary))


if __name__ == "__main__":
    main()
