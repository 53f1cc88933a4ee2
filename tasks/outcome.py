"""The outcome of a run, as the command prints it."""

from __future__ import annotations

import math
from dataclasses import asdict, dataclass
from typing import Any

from tasks.problem import Problem
from tasks.table_notes import table_notes

Facts = dict[str, Any]

JSON_KEYS = (
    *("dataset", "method", "selection", "C", "scale", "cv_auc_mean", "cv_auc_std"),
    *("test_auc", "test_auc_low", "test_auc_high", "n_prototypes", "gap", "seconds"),
    *("mlflow_run_id", "model_name", "model_version", "promoted", "reason"),
    "notes",
)


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
    skipped: bool = False
    notes: tuple[str, ...] = ()

    def to_json(self) -> dict[str, Any]:
        """What `--json` prints; a gap that is not known is null."""
        facts = {key: asdict(self)[key] for key in JSON_KEYS}
        return facts | {"gap": self.gap if self.gap == self.gap else None}


def make_outcome(
    problem: Problem, parts: Facts, chosen: Facts, evaluation: Facts, tracked: Facts, given: Facts
) -> RetrainOutcome:
    """Put the outcome together from what the steps found."""
    names = ("test_auc", "test_auc_low", "test_auc_high", "n_prototypes", "gap")
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
        n_train=parts["n_train"],
        n_test=parts["n_test"],
        notes=table_notes(problem),
    )


def last_outcome(problem: Problem) -> RetrainOutcome | None:
    """The outcome of the last run that succeeded, if data and parameters are still the same."""
    from tasks.mlflow_runs import IDENTITY, last_finished

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
        skipped=True,
    )
