"""Write an experiment of the benchmark to MLflow: a parent, and a child for each value."""

from __future__ import annotations

import math
import os
import time

import numpy as np

from smoothrank.selection.choice import Candidate
from smoothrank.selection.methods import method
from tasks.benchmark.experiment import Measured
from tasks.problem.problem import Problem
from tasks.tracking.attempt import Attempt
from tasks.tracking.mlflow_runs import (
    ATTEMPT,
    IDENTITY,
    PARENT,
    PART,
    AttemptRuns,
    ensure_experiment,
    mlflow_client,
)
from tasks.tracking.provenance import provenance, solver_tags

EXPERIMENT = "benchmark"
"""The MLflow experiment that holds all of the benchmark."""


def tracked_keys() -> set[str]:
    """Return the keys of the experiments that are complete in MLflow."""
    experiment = ensure_experiment(EXPERIMENT)
    client, found, token = mlflow_client(), set(), None
    where = f"tags.`{PART}` = '{PARENT}' and attributes.status = 'FINISHED'"
    while True:
        page = client.search_runs([experiment], where, max_results=1000, page_token=token)
        found |= {run.data.tags[ATTEMPT] for run in page}
        token = page.token
        if not token:
            return found


def track_experiment(problem: Problem, key: str, measured: Measured) -> str:
    """Write the runs of one experiment; those that a killed process began are completed.

    Returns
    -------
    str
        The id of the parent run.
    """
    started = time.time_ns() // 1_000_000
    attempt = Attempt(key, started, os.getpid(), problem.name, problem.method)
    runs = AttemptRuns(attempt, ensure_experiment(EXPERIMENT))
    result = measured.result
    about = {"dataset": problem.name, "method": problem.method, "selection": problem.selection}
    name = f"{problem.method} on {problem.name}"
    parent = runs.run(PARENT, name, {**about, IDENTITY: problem.identity})
    for place, (candidate, aucs) in enumerate(result.fold_aucs.items(), 1):
        _track_candidate(runs, parent, about, candidate, aucs, place)
    metrics = {
        "cv_auc_mean": result.cv_auc,
        "cv_auc_std": result.cv_auc_std,
        "test_auc": result.test_auc,
        "features_used": float(result.n_used),
        "gap": result.gap,
        "worst_gap": result.worst_gap,
        "fit_seconds": measured.seconds,
        **method(problem.method).logged(result.value),
    }
    params = {
        **about,
        "grid": list(problem.grid),
        "chosen_scale": result.scale or "none",
        "split_seed": problem.split.seed,
        "test_share": problem.split.test_share,
        "solver": problem.solver,
    }
    points = [(name, value, 0) for name, value in metrics.items() if math.isfinite(value)]
    tags = provenance(problem.source) | solver_tags(problem.solver)
    runs.write(parent, points, params, tags)
    runs.end(parent)
    return parent


def _track_candidate(
    runs: AttemptRuns,
    parent: str,
    about: dict[str, str],
    candidate: Candidate,
    aucs: tuple[float, ...],
    place: int,
) -> None:
    value, scale = candidate
    chosen = method(about["method"])
    name = chosen.label(value) if scale is None else f"{chosen.label(value)}, {scale}"
    run = runs.run(name, name, {"mlflow.parentRunId": parent, **about}, place)
    points = [("cv_auc_mean", float(np.mean(aucs)), 0)]
    points += [("fold_auc", auc, fold) for fold, auc in enumerate(aucs, 1)]
    runs.write(run, points, {**chosen.logged(value), "scale": scale or "none"})
    runs.end(run)
