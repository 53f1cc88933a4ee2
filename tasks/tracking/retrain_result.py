"""The outcome of a run, as the command prints it."""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import asdict, dataclass, field
from typing import Any

from tasks.problem.problem import Problem
from tasks.problem.table_notes import table_notes

Facts = dict[str, Any]

JSON_KEYS = (
    *("dataset", "method", "selection", "C", "scale", "cv_auc_mean", "cv_auc_std"),
    *("test_auc", "test_auc_low", "test_auc_high", "n_prototypes", "gap", "seconds"),
    *("mlflow_run_id", "model_name", "model_version", "promoted", "reason"),
    "notes",
    *("test_average_precision", "test_brier", "test_recall_at_precision", "precision"),
    *("threshold", "confusion", "peers", "report"),
)

MEASURES = ("test_average_precision", "test_brier", "test_recall_at_precision")


@dataclass(frozen=True)
class RetrainOutcome:
    """What a retraining came to.

    Parameters
    ----------
    dataset, method, selection : str
        What was learnt from, how, and how it was chosen.
    C : float
        The chosen value of the method's parameter.
    scale : str or None
        The chosen scaling.
    cv_auc_mean, cv_auc_std : float
        Validation AUC of the chosen candidate over folds.
    test_auc, test_auc_low, test_auc_high : float
        AUC on the held-out rows, and its 95 % interval.
    n_prototypes : int
        Prototypes of the model.
    gap : float
        The largest optimality gap of its fit.
    seconds : float
        Wall time of the run.
    mlflow_run_id, mlflow_experiment_id : str
        The parent run in MLflow.
    model_name, model_version : str, int
        The version in the registry.
    promoted, reason : bool, str
        Whether it became champion, and why or why not.
    n_train, n_test : int
        Rows of both parts.
    report : str
        The report file.
    test_average_precision, test_brier, test_recall_at_precision : float
        What is measured on the held-out rows beside AUC; see `tasks.assessment.measures.Measures`.
    precision : float
        The precision at which the recall is measured.
    threshold : float
        The probability from which on a row is called positive.
    confusion : dict
        The held-out rows by class and by what the model says.
    peers : list of dict
        Other models on the same rows; see `tasks.assessment.peers.Peer`.
    skipped : bool
        Whether nothing was done because nothing had changed; the numbers are then those of the
        last run.
    notes : tuple of str
        What reading and encoding did to the table, a plain sentence each.
    """

    dataset: str
    method: str
    selection: str
    C: float
    scale: str | None
    cv_auc_mean: float
    cv_auc_std: float
    test_auc: float
    test_auc_low: float
    test_auc_high: float
    n_prototypes: int
    gap: float
    seconds: float
    mlflow_run_id: str
    mlflow_experiment_id: str
    model_name: str
    model_version: int
    promoted: bool
    reason: str
    n_train: int = 0
    n_test: int = 0
    report: str = ""
    test_average_precision: float = math.nan
    test_brier: float = math.nan
    test_recall_at_precision: float = math.nan
    precision: float = 0.5
    threshold: float = 0.5
    confusion: dict[str, int] = field(default_factory=dict)
    peers: list[Facts] = field(default_factory=list)
    skipped: bool = False
    notes: tuple[str, ...] = ()

    def to_json(self) -> dict[str, Any]:
        """What `--json` prints; a number that is not known is null."""
        facts = {key: asdict(self)[key] for key in JSON_KEYS}
        peers = {peer.pop("name"): peer for peer in facts["peers"]}
        known = {key: None if value != value else value for key, value in facts.items()}
        return known | {"peers": peers}


def make_outcome(
    problem: Problem,
    parts: Facts,
    chosen: Facts,
    evaluation: Facts,
    tracked: Facts,
    given: Facts,
    peers: list[Facts],
) -> RetrainOutcome:
    """Put the outcome together from what the steps found."""
    tested = ("test_auc", "test_auc_low", "test_auc_high", *MEASURES)
    names = (*tested, "n_prototypes", "gap", "precision", "threshold", "confusion")
    return RetrainOutcome(
        dataset=problem.name,
        method=problem.method,
        selection=problem.selection,
        C=chosen["value"],
        scale=chosen["scale"],
        cv_auc_mean=chosen["cv_auc_mean"],
        cv_auc_std=chosen["cv_auc_std"],
        **{name: evaluation[name] for name in names},
        seconds=0.0,
        mlflow_run_id=tracked["run_id"],
        mlflow_experiment_id=tracked["experiment_id"],
        **given,
        peers=peers,
        n_train=parts["n_train"],
        n_test=parts["n_test"],
        notes=table_notes(problem),
    )


def last_outcome(problem: Problem) -> RetrainOutcome | None:
    """The outcome of the last run that succeeded, if data and parameters are still the same."""
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
        C=metrics["C"],
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
        confusion=_numbered(metrics, "confusion."),
        peers=_peers(metrics),
        skipped=True,
    )


def _numbered(metrics: Mapping[str, float], prefix: str) -> dict[str, int]:
    return {
        name.removeprefix(prefix): int(value)
        for name, value in metrics.items()
        if name.startswith(prefix)
    }


def _peers(metrics: Mapping[str, float]) -> list[Facts]:
    """The peers as a run has them among its metrics, `peer.NAME.MEASURE`."""
    found: dict[str, Facts] = {}
    for key, value in metrics.items():
        if key.startswith("peer."):
            _, name, measure = key.split(".")
            found.setdefault(name, {"name": name})[measure] = value
    return list(found.values())
