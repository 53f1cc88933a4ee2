"""The outcome of a run: from its steps, or from an earlier run in MLflow."""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import fields

from smoothrank.selection.methods import method
from tasks.problem.problem import Problem
from tasks.problem.table_notes import table_notes
from tasks.results.chosen import Chosen
from tasks.results.confusion import Confusion
from tasks.results.evaluation import Evaluation
from tasks.results.outcome import RetrainOutcome
from tasks.results.peers import Peer
from tasks.results.registration import Registration
from tasks.results.split import SplitSummary
from tasks.results.tracked_run import TrackedRun

MEASURES = ("test_average_precision", "test_brier", "test_recall_at_precision")


def make_outcome(
    problem: Problem,
    parts: SplitSummary,
    chosen: Chosen,
    evaluation: Evaluation,
    tracked: TrackedRun,
    registered: Registration,
    peers: tuple[Peer, ...],
) -> RetrainOutcome:
    """Return the outcome, assembled from the results of the steps."""
    return RetrainOutcome(
        dataset=problem.name,
        method=problem.method,
        selection=problem.selection,
        C=chosen.value,
        scale=chosen.scale,
        cv_auc_mean=chosen.cv_auc_mean,
        cv_auc_std=chosen.cv_auc_std,
        test_auc=evaluation.test_auc,
        test_auc_low=evaluation.test_auc_low,
        test_auc_high=evaluation.test_auc_high,
        n_prototypes=evaluation.n_prototypes,
        gap=evaluation.gap,
        seconds=0.0,
        mlflow_run_id=tracked.run_id,
        mlflow_experiment_id=tracked.experiment_id,
        model_name=registered.model_name,
        model_version=registered.model_version,
        promoted=registered.promoted,
        reason=registered.reason,
        n_train=parts.n_train,
        n_test=parts.n_test,
        test_average_precision=evaluation.test_average_precision,
        test_brier=evaluation.test_brier,
        test_recall_at_precision=evaluation.test_recall_at_precision,
        precision=evaluation.precision,
        threshold=evaluation.threshold,
        confusion=evaluation.confusion,
        peers=peers,
        notes=table_notes(problem),
    )


def last_outcome(problem: Problem) -> RetrainOutcome | None:
    """Return the outcome of the last successful run; None if data or parameters have changed."""
    from tasks.tracking.mlflow_runs import IDENTITY, last_finished

    last = last_finished(problem.name, problem.method, problem.selection)
    if last is None or last.data.tags.get(IDENTITY) != problem.identity:
        return None
    tags, metrics, params = last.data.tags, last.data.metrics, last.data.params
    names = ("cv_auc_mean", "cv_auc_std", "test_auc", "test_auc_low", "test_auc_high")
    scale = params["chosen_scale"]
    return RetrainOutcome(
        dataset=problem.name,
        method=problem.method,
        selection=problem.selection,
        C=metrics.get(method(problem.method).parameter, problem.grid[0]),
        scale=None if scale == "none" else scale,
        **{name: metrics[name] for name in names},
        n_prototypes=int(metrics["n_prototypes"]),
        gap=metrics.get("gap", math.nan),
        seconds=0.0,
        mlflow_run_id=last.info.run_id,
        mlflow_experiment_id=last.info.experiment_id,
        model_name=tags["model_name"],
        model_version=int(tags["model_version"]),
        promoted=tags["gate.promoted"] == "true",
        reason="data and parameters are those of the last run",
        n_train=int(params["n_train"]),
        n_test=int(params["n_test"]),
        **{name: metrics.get(name, math.nan) for name in MEASURES},
        precision=problem.evaluation.precision,
        threshold=metrics.get("threshold", 0.5),
        confusion=tracked_confusion(metrics),
        peers=tracked_peers(metrics),
        skipped=True,
    )


def tracked_confusion(metrics: Mapping[str, float]) -> Confusion | None:
    """Return the counts of a run's test rows; None if it was tracked without them."""
    names = [field.name for field in fields(Confusion)]
    if not all(f"confusion.{name}" in metrics for name in names):
        return None
    return Confusion(*(int(metrics[f"confusion.{name}"]) for name in names))


def tracked_peers(metrics: Mapping[str, float]) -> tuple[Peer, ...]:
    """Return the peers as a run has them among its metrics, `peer.NAME.MEASURE`."""
    keys = [key.split(".") for key in metrics if key.startswith("peer.")]
    return tuple(_peer(name, metrics) for name in dict.fromkeys(name for _, name, _ in keys))


def _peer(name: str, metrics: Mapping[str, float]) -> Peer:
    def measure(key: str, unknown: float = math.nan) -> float:
        return metrics.get(f"peer.{name}.{key}", unknown)

    return Peer(
        name=name,
        test_auc=measure("test_auc"),
        test_average_precision=measure("test_average_precision"),
        test_brier=measure("test_brier"),
        seconds=measure("seconds"),
        n_train=int(measure("n_train", 0)),
        difference=measure("difference"),
        p=measure("p"),
    )
