"""Register a version of the model: challenger at once, champion if it passes the gate."""

from __future__ import annotations

import json
import logging
from dataclasses import dataclass
from typing import Any

from smoothrank.errors import SmoothrankError
from smoothrank.evaluation import AucComparison, compare_auc
from smoothrank.tabular import TabularModel
from tasks.gate import Decision, decide
from tasks.home import mlflow_uri
from tasks.mlflow_runs import AttemptRuns, local_path
from tasks.problem import Problem, load_data

CHALLENGER, CHAMPION = "challenger", "champion"
Facts = dict[str, Any]


def model_name(dataset: str) -> str:
    """The name of a data set's model in the registry."""
    return f"smoothrank-{dataset}"


@dataclass(frozen=True)
class _Rival:
    """The champion on the present test rows, or why it could not be scored."""

    version: str | None
    comparison: AucComparison | None = None
    obstacle: str | None = None
    note: str = ""


def register(
    problem: Problem,
    runs: AttemptRuns,
    tracked: Facts,
    validation: Facts,
    model_folder: str,
    evaluation: Facts,
) -> Facts:
    """Register the model as challenger, and decide whether it may be champion; see `promote`.

    Returns
    -------
    dict
        `model_name`, `model_version`, `promoted` and `reason`.
    """
    client, parent, name = runs.client, tracked["run_id"], model_name(problem.name)
    version = _version(client, name, tracked)
    _name_version(client, tracked["model_id"], name, version)
    client.set_registered_model_alias(name, CHALLENGER, version)
    decision = _decided(client.get_run(parent).data.tags)
    if decision is None:
        rival = _rival(client, name, problem, model_folder)
        decision = decide(
            problem.gate,
            validation_passed=bool(validation["passed"]),
            gap=evaluation["gap"],
            comparison=rival.comparison,
            obstacle=rival.obstacle,
        )
        decision = Decision(decision.promoted, f"{decision.reason}{rival.note}")
        _write_decision(runs, tracked["run_id"], (name, version), rival, decision)
    return {
        "model_name": name,
        "model_version": int(version),
        "promoted": decision.promoted,
        "reason": decision.reason,
    }


def promote(runs: AttemptRuns, registered: Facts) -> None:
    """Make the version champion if it passed; the last thing that a run does."""
    if registered["promoted"]:
        name, version = registered["model_name"], str(registered["model_version"])
        runs.client.set_registered_model_alias(name, CHAMPION, version)


def _version(client: Any, name: str, tracked: Facts) -> str:
    """The version of this run; it is made if need be.

    MLflow looks for the model in the store that is set for the process, not in the client's.
    """
    import mlflow
    from mlflow.exceptions import MlflowException

    try:
        client.create_registered_model(name)
    except MlflowException as error:
        if error.error_code != "RESOURCE_ALREADY_EXISTS":
            raise
    found = client.search_model_versions(f"name = '{name}' and run_id = '{tracked['run_id']}'")
    if found:
        return str(found[0].version)
    logging.getLogger("mlflow.store.model_registry.abstract_store").setLevel(logging.WARNING)
    mlflow.set_tracking_uri(mlflow_uri())
    model = tracked["model_id"]
    made = client.create_model_version(name, f"models:/{model}", tracked["run_id"], model_id=model)
    return str(made.version)


def _name_version(client: Any, model: str, name: str, version: str) -> None:
    """Have MLflow's page of the model name its version; otherwise it says `Not registered`."""
    from mlflow.utils.mlflow_tags import MLFLOW_MODEL_VERSIONS

    versions = json.dumps([{"name": name, "version": version}])
    client.set_logged_model_tags(model, {MLFLOW_MODEL_VERSIONS: versions})


def _decided(tags: dict[str, str]) -> Decision | None:
    """The decision that was written before this attempt was killed."""
    if "gate.reason" not in tags:
        return None
    return Decision(tags["gate.promoted"] == "true", tags["gate.reason"])


def _rival(client: Any, name: str, problem: Problem, model_folder: str) -> _Rival:
    champion = client.get_registered_model(name).aliases.get(CHAMPION)
    if champion is None:
        return _Rival(None)
    return _score(client, name, str(champion), problem, model_folder)


def _score(client: Any, name: str, champion: str, problem: Problem, model_folder: str) -> _Rival:
    from tasks.served_model import load_served_model

    data = load_data(problem)
    try:
        place = client.get_model_version_download_uri(name, champion)
        old = load_served_model(str(local_path(place)))
        old_scores = old.decision_function(data.raw_test)
    except SmoothrankError as error:
        return _Rival(champion, obstacle=str(error))
    schema = data.dataset.schema
    if (old.target, old.positive) != (schema.target.name, schema.positive):
        told = f"it tells {old.positive!r} of {old.target!r} from the rest"
        return _Rival(champion, obstacle=told)
    new_scores = TabularModel.load(model_folder).decision_function(data.raw_test)
    comparison = compare_auc(new_scores, old_scores, data.y[data.test] == 1)
    run = client.get_run(client.get_model_version(name, champion).run_id)
    same = run.data.tags.get("data.sha256") == problem.source.checksum
    note = "" if same else "; the champion was trained on other data, and may know some of the rows"
    return _Rival(champion, comparison, note=note)


def _write_decision(
    runs: AttemptRuns, parent: str, version: tuple[str, str], rival: _Rival, decision: Decision
) -> None:
    tags = {
        "gate.promoted": str(decision.promoted).lower(),
        "gate.reason": decision.reason,
        "gate.champion_version": rival.version or "none",
        "model_name": version[0],
        "model_version": version[1],
    }
    points = [("gate.promoted", float(decision.promoted), 0)]
    if rival.comparison is not None:
        points += [
            ("gate.champion_test_auc", rival.comparison.auc_old, 0),
            ("gate.auc_difference", rival.comparison.difference, 0),
            ("gate.standard_error", rival.comparison.standard_error, 0),
            ("gate.p_worse", rival.comparison.p_worse, 0),
        ]
    runs.write(parent, points, tags=tags)
