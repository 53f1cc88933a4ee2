"""Register a version of the model: challenger at once, champion if it passes the gate."""

from __future__ import annotations

import json
import logging
import os
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

from tasks.assessment.rival import UNSEEN, Rival, find_rival
from tasks.problem.candidates import is_foreign
from tasks.problem.problem import Problem, load_data
from tasks.problem.training_rows import training_rows_files
from tasks.project.mlflow_store import TRACKING, mlflow_store
from tasks.project.run_faults import check_own_database
from tasks.results.evaluation import Evaluation
from tasks.results.registration import Registration
from tasks.results.tracked_run import TrackedRun
from tasks.steps.gate import Decision, decide
from tasks.tracking.champion import CHALLENGER, CHAMPION, crown, model_name, named
from tasks.tracking.mlflow_runs import AttemptRuns
from tasks.validation.result import ValidationResult


def register(
    problem: Problem,
    runs: AttemptRuns,
    tracked: TrackedRun,
    validation: ValidationResult,
    model_folder: str,
    evaluation: Evaluation,
) -> Registration:
    """Register the model as challenger, and decide whether it may be champion; see `promote`."""
    client, parent, name = runs.client, tracked.run_id, model_name(problem.name)
    for file, content in training_rows_files(load_data(problem).split).items():
        runs.write_file(parent, file, content)
    version = _version(client, name, tracked)
    _name_version(client, tracked.model_id, name, version)
    client.set_registered_model_alias(name, CHALLENGER, version)
    decision = _decided(client.get_run(parent).data.tags)
    if decision is None:
        champion = client.get_registered_model(name).aliases.get(CHAMPION)
        rival = find_rival(client, name, champion and str(champion), problem, model_folder)
        decision = decide(
            problem.gate,
            validation_passed=validation.passed,
            gap=None if is_foreign(problem) else evaluation.gap,
            kkt_residual=None if is_foreign(problem) else evaluation.kkt_residual,
            comparison=rival.comparison,
            obstacle=rival.obstacle,
            where=rival.where,
        )
        _write_decision(runs, tracked.run_id, (name, version), rival, decision)
    return Registration(name, int(version), decision.promoted, decision.reason)


def promote(runs: AttemptRuns, registered: Registration) -> None:
    """Make the version champion if it passed; the last thing that a run does.

    Raises
    ------
    RunStoppedError
        If the database is not whole.
    """
    check_own_database()
    if registered.promoted:
        crown(runs.client, registered.model_name, registered.model_version)


def _version(client: Any, name: str, tracked: TrackedRun) -> str:
    """Return the version of this run, creating it if need be."""
    from mlflow.exceptions import MlflowException

    try:
        client.create_registered_model(name)
    except MlflowException as error:
        if error.error_code != "RESOURCE_ALREADY_EXISTS":
            raise
    found = client.search_model_versions(f"{named(name)} and run_id = '{tracked.run_id}'")
    if found:
        return str(found[0].version)
    logging.getLogger("mlflow.store.model_registry.abstract_store").setLevel(logging.WARNING)
    model = tracked.model_id
    with _set_for_the_process(mlflow_store().tracking):
        made = client.create_model_version(name, f"models:/{model}", tracked.run_id, model_id=model)
    return str(made.version)


@contextmanager
def _set_for_the_process(store: str) -> Iterator[None]:
    """Name a store to MLflow, which looks for the model there and not in the client's.

    MLflow would keep it as `MLFLOW_TRACKING_URI`, as if the user had named it.
    """
    import mlflow

    before = os.environ.get(TRACKING)
    mlflow.set_tracking_uri(store)
    try:
        yield
    finally:
        mlflow.set_tracking_uri(before)  # type: ignore[arg-type] # None: as if never set


def _name_version(client: Any, model: str, name: str, version: str) -> None:
    """Make MLflow's page of the model show its version; otherwise it says `Not registered`."""
    from mlflow.utils.mlflow_tags import MLFLOW_MODEL_VERSIONS

    versions = json.dumps([{"name": name, "version": version}])
    client.set_logged_model_tags(model, {MLFLOW_MODEL_VERSIONS: versions})


def _decided(tags: dict[str, str]) -> Decision | None:
    """Return the decision recorded before this attempt was killed."""
    if "gate.reason" not in tags:
        return None
    return Decision(tags["gate.promoted"] == "true", tags["gate.reason"])


def _write_decision(
    runs: AttemptRuns, parent: str, version: tuple[str, str], rival: Rival, decision: Decision
) -> None:
    tags = {
        "gate.promoted": str(decision.promoted).lower(),
        "gate.reason": decision.reason,
        "gate.champion_version": rival.version or "none",
        "gate.compared_on": rival.basis,
        "model_name": version[0],
        "model_version": version[1],
    }
    points = {"gate.promoted": float(decision.promoted)}
    if rival.n_unseen is not None and rival.n_unseen_positive is not None:
        points["gate.unseen_rows"] = float(rival.n_unseen)
        points["gate.unseen_positives"] = float(rival.n_unseen_positive)
    if rival.comparison is not None:
        measure = "test_auc" if rival.basis == UNSEEN else "cv_auc"
        points |= {
            f"gate.{measure}": rival.comparison.auc_new,
            f"gate.champion_{measure}": rival.comparison.auc_old,
            "gate.auc_difference": rival.comparison.difference,
            "gate.standard_error": rival.comparison.standard_error,
            "gate.p_worse": rival.comparison.p_worse,
        }
    runs.write(parent, [(name, value, 0) for name, value in points.items()], tags=tags)
