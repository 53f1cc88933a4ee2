"""What orchestration and tracking cost: the retrain flow against its bare fits.

    python -m benchmarks.overhead [--dataset pima] [--repeats 3]

In turns, in one process and a new project folder: `bare`, the 13 × 5 fits, the choice and the
refit; `checks`, what is neither fitted nor orchestrated nor tracked (validation, the split and the
evaluation on the test part) as plain functions; and `flow`, the whole flow as the command runs it,
with every record in Prefect and MLflow, figures, registration and report.

    overhead = (flow − bare − checks) / bare

so that figures count as tracking. Imports and the start of the Prefect server are not counted. The
seconds are the least of the repeats, on the clock and of this process's processor time. The last
line is one JSON object.
"""

from __future__ import annotations

import argparse
import json
import os
import tempfile
from pathlib import Path
from time import perf_counter, process_time
from typing import Any

from flows.quiet import quiet
from flows.retrain import RetrainRequest, run_retrain
from flows.servers import stop_servers
from smoothrank.honest import fit_fold
from tasks.choose import choose
from tasks.config import Params
from tasks.evaluate import evaluate
from tasks.fetch import fetch_source
from tasks.problem import Problem, load_data, make_problem
from tasks.refit import refit
from tasks.split import folds, split
from tasks.train import make_estimator
from tasks.validate_source import validate_source

WARM_UP = "glass0"


def bare(problem: Problem) -> None:
    """Make the fits of the flow and nothing else."""
    data = load_data(problem)
    X, y = data.X[data.train], data.y[data.train]
    chosen = choose(problem, fits(problem))
    make_estimator(problem, chosen["value"], chosen["scale"]).fit(X, y)


def fits(problem: Problem) -> list[dict[str, Any]]:
    """The fits of all values of C on all folds."""
    data = load_data(problem)
    X, y = data.X[data.train], data.y[data.train]
    trained = []
    for value in problem.grid:
        estimator = make_estimator(problem, value, None)
        found = [fit_fold(estimator, X, y, *fold) for fold in folds(problem, data)]
        trained.append({"value": value, "fits": {"none": [vars(fit) for fit in found]}})
    return trained


def checks(problem: Problem, folder: str) -> None:
    """Validate, split and evaluate, without Prefect and MLflow."""
    with quiet():
        validate_source(problem.source)
    split(problem)
    evaluate(problem, folder)


def timed(work: Any, *arguments: Any) -> tuple[float, float]:
    """Wall and processor seconds."""
    wall, processor = perf_counter(), process_time()
    work(*arguments)
    return perf_counter() - wall, process_time() - processor


def flow(name: str, repeat: int) -> None:
    """Run the flow; another seed each time, so that it does not find its fits done."""
    home = Path(os.environ["SMOOTHRANK_HOME"])
    (home / "params.yaml").write_text(f"selection: {{seed: {repeat}}}\n")
    run_retrain(RetrainRequest(name, selection="paper"))


def main() -> None:
    """Run the command."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0] if __doc__ else None)
    parser.add_argument("--dataset", default="pima")
    parser.add_argument("--repeats", type=int, default=3)
    arguments = parser.parse_args()
    problem = make_problem(fetch_source(arguments.dataset), "smooth", "paper", Params())
    found: dict[str, list[tuple[float, float]]] = {"bare": [], "checks": [], "flow": []}
    with tempfile.TemporaryDirectory() as home:
        os.environ["SMOOTHRANK_HOME"] = home
        try:
            flow(WARM_UP, 0)
            folder = refit(problem, choose(problem, fits(problem)))
            for repeat in range(arguments.repeats):
                found["bare"].append(timed(bare, problem))
                found["checks"].append(timed(checks, problem, folder))
                found["flow"].append(timed(flow, arguments.dataset, repeat))
        finally:
            stop_servers()
    wall = {key: min(seconds for seconds, _ in times) for key, times in found.items()}
    processor = {key: min(seconds for _, seconds in times) for key, times in found.items()}
    both = {**summary(wall, ""), **summary(processor, "processor_")}
    print(json.dumps({"dataset": arguments.dataset, **both}))


def summary(seconds: dict[str, float], prefix: str) -> dict[str, float]:
    """The seconds, and what orchestration and tracking add in shares of the bare fits."""
    added = seconds["flow"] - seconds["bare"] - seconds["checks"]
    return {
        **{f"{prefix}seconds_{key}": round(value, 2) for key, value in seconds.items()},
        f"{prefix}overhead": round(added / seconds["bare"], 3),
    }


if __name__ == "__main__":
    main()
