"""The comparison in MLflow: a run for each method and seed, in the project's own store."""

from __future__ import annotations

import hashlib
import os
import time
from collections.abc import Iterable, Sequence
from statistics import fmean

from benchmarks.peers.results import Line
from tasks.tracking.attempt import Attempt
from tasks.tracking.mlflow_runs import PARENT, AttemptRuns, ensure_experiment

EXPERIMENT = "peers"


def track(lines: Iterable[Line]) -> None:
    """Write a run for each method and seed; the same results are not written twice."""
    experiment = ensure_experiment(EXPERIMENT)
    batches: dict[tuple[str, int], list[Line]] = {}
    for line in lines:
        batches.setdefault((line.method, line.seed), []).append(line)
    for (method, seed), batch in batches.items():
        _track(experiment, method, seed, sorted(batch, key=lambda line: line.dataset))


def _track(experiment: str, method: str, seed: int, batch: Sequence[Line]) -> None:
    digest = hashlib.sha256(repr(batch).encode()).hexdigest()[:32]
    attempt = Attempt(digest, time.time_ns() // 1_000_000, os.getpid(), EXPERIMENT, method)
    runs = AttemptRuns(attempt, experiment)
    if PARENT in runs.known:
        return
    run = runs.run(PARENT, f"{method}, seed {seed}", {"method": method})
    briers = [line.brier for line in batch if line.brier is not None]
    points = [
        ("mean_test_auc", fmean(line.test_auc for line in batch), 0),
        ("mean_size", fmean(line.size for line in batch), 0),
        ("seconds", sum(line.seconds for line in batch), 0),
        *([("mean_brier", fmean(briers), 0)] if briers else []),
        *(("test_auc", line.test_auc, step) for step, line in enumerate(batch)),
    ]
    runs.write(run, points, {"method": method, "seed": seed, "datasets": len(batch)})
    runs.end(run)
