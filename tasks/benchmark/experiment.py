"""One experiment of the benchmark: a method on a data set, run once and kept.

The result is stored under a checksum of all that decides it: data, parameters, parts and code. A
benchmark that was stopped resumes where it was, and a changed one runs only what it must.
"""

from __future__ import annotations

import hashlib
import json
import warnings
from dataclasses import asdict, dataclass, replace
from pathlib import Path
from time import perf_counter
from typing import Any

from smoothrank.datasets.catalogue.fetch import write_whole
from smoothrank.selection.experiment import ExperimentResult, run_experiment
from smoothrank.selection.methods import method
from smoothrank.selection.splits import Parts
from tasks.problem.problem import Problem, load_data
from tasks.project.paths import state_folder


@dataclass(frozen=True)
class Measured:
    """An experiment's result, and how long it took.

    Parameters
    ----------
    result : ExperimentResult
        The result.
    seconds : float
        Wall time of all fits.
    """

    result: ExperimentResult
    seconds: float


def experiment_key(problem: Problem, parts: Parts) -> str:
    """Return a checksum of all that decides the result."""
    facts = json.dumps([problem.key, asdict(parts)])
    return hashlib.sha256(facts.encode()).hexdigest()[:32]


def experiment(problem: Problem, parts: Parts) -> Measured:
    """Return the stored result, or run the experiment and store it."""
    path = state_folder("benchmark") / f"{experiment_key(problem, parts)}.json"
    stored = _read(path)
    if stored is not None:
        return stored
    measured = _run(problem, parts)
    write_whole(path, json.dumps(_plain(measured)).encode())
    return measured


def stored_experiment(problem: Problem, parts: Parts) -> Measured | None:
    """Return the result, if it is there already."""
    return _read(state_folder("benchmark") / f"{experiment_key(problem, parts)}.json")


def _run(problem: Problem, parts: Parts) -> Measured:
    from sklearn.exceptions import ConvergenceWarning

    data = load_data(problem)
    begin = perf_counter()
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", ConvergenceWarning)
        result = run_experiment(
            replace(method(problem.method), grid=problem.grid),
            data.X,
            data.y,
            parts,
            selection=problem.selection,
            scales=problem.scales,
            solver=problem.solver,
        )
    return Measured(result, perf_counter() - begin)


def _plain(measured: Measured) -> dict[str, Any]:
    fold_aucs = [
        [value, scale, list(aucs)] for (value, scale), aucs in measured.result.fold_aucs.items()
    ]
    result = {**vars(measured.result), "fold_aucs": fold_aucs}
    return {"result": result, "seconds": measured.seconds}


def _read(path: Path) -> Measured | None:
    """Return a stored result; None if there is none, or it is damaged."""
    try:
        stored = json.loads(path.read_text("utf-8"))
        fold_aucs = {
            (value, scale): tuple(aucs) for value, scale, aucs in stored["result"]["fold_aucs"]
        }
        result = ExperimentResult(**{**stored["result"], "fold_aucs": fold_aucs})
        return Measured(result, float(stored["seconds"]))
    except (OSError, ValueError, TypeError, KeyError):
        return None
