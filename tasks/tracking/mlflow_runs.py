"""Runs in MLflow: found again by the attempt they belong to, and written in few calls.

Everything written carries the start time of the attempt, so that writing it again after a kill
changes nothing.
"""

from __future__ import annotations

import os
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any
from urllib.parse import quote

from tasks.project.identifier import identifier
from tasks.project.mlflow_store import ensure_mlflow_store, mlflow_store
from tasks.tracking.artifacts import write_artifact
from tasks.tracking.attempt import Attempt

ATTEMPT = "smoothrank.attempt"
PART = "smoothrank.part"
PARENT = "parent"
IDENTITY = "smoothrank.identity"
_MOST_METRICS = 1000
_MOST_TEXTS = 100

Points = Sequence[tuple[str, float, int]]
"""Name, value and step of metrics."""


def mlflow_client() -> Any:
    """Return a client of the store that is used here; it must exist."""
    os.environ.setdefault("MLFLOW_DISABLE_TELEMETRY", "true")
    from mlflow import MlflowClient

    store = mlflow_store()
    return MlflowClient(store.tracking, store.registry)


def ensure_experiment(name: str) -> str:
    """Return the number of the experiment of a data set, creating it if need be."""
    ensure_mlflow_store()
    client, name = mlflow_client(), identifier(name)
    found = client.get_experiment_by_name(name) or _new_experiment(client, name)
    if found.lifecycle_stage == "deleted":
        client.restore_experiment(found.experiment_id)
    return str(found.experiment_id)


def _new_experiment(client: Any, name: str) -> Any:
    """Return the experiment, made by this program or by another one at the same time.

    A server decides by itself where the files are.
    """
    from mlflow.exceptions import MlflowException

    store = mlflow_store()
    place = None if store.kind == "server" else f"{store.artifact_root}/{quote(name, safe='')}"
    kind = {"mlflow.experimentKind": "custom_model_development"}
    try:
        client.create_experiment(name, place, kind)
    except MlflowException as error:
        if error.error_code != "RESOURCE_ALREADY_EXISTS":
            raise
    return client.get_experiment_by_name(name)


@dataclass(frozen=True)
class AttemptRuns:
    """The MLflow runs of one attempt.

    Parameters
    ----------
    attempt : Attempt
        The attempt.
    experiment : str
        The number of its experiment.
    """

    attempt: Attempt
    experiment: str

    @cached_property
    def client(self) -> Any:
        """The client that writes."""
        return mlflow_client()

    @cached_property
    def known(self) -> dict[str, str]:
        """The runs that are there already, by their part."""
        runs = _runs_of(self.client, [self.experiment], self.attempt)
        return {run.data.tags[PART]: run.info.run_id for run in runs}

    def run(self, part: str, name: str, tags: Mapping[str, str], place: int = 0) -> str:
        """Return the run of this part, creating it if need be.

        Its start is as many milliseconds after that of the attempt as `place` says.
        """
        if part not in self.known:
            own = {ATTEMPT: self.attempt.id, PART: part}
            made = self.client.create_run(
                self.experiment, self.attempt.started + place, {**tags, **own}, name
            )
            self.known[part] = made.info.run_id
        return self.known[part]

    def write(
        self,
        run: str,
        points: Points = (),
        params: Mapping[str, Any] | None = None,
        tags: Mapping[str, str] | None = None,
        model: str | None = None,
    ) -> None:
        """Write metrics, parameters and tags in as few calls as MLflow takes.

        With the id of a model the metrics are on its page, too.
        """
        from mlflow.entities import Metric, Param, RunTag

        metrics = [
            Metric(key, value, self.attempt.started, step, model_id=model)
            for key, value, step in points
        ]
        texts = [Param(key, str(value)) for key, value in (params or {}).items()]
        marks = [RunTag(key, value) for key, value in (tags or {}).items()]
        first = metrics[: _MOST_METRICS - len(texts)]
        self.client.log_batch(run, first, texts[:_MOST_TEXTS], marks[:_MOST_TEXTS])
        for more in _chunks(metrics[len(first) :]):
            self.client.log_batch(run, more)

    def write_file(self, run: str, file: str, content: bytes) -> None:
        """Write a file of a run; its name may name folders."""
        write_artifact(self.client, run, f"{self._artifacts}/{run}/artifacts", file, content)

    @cached_property
    def _artifacts(self) -> str:
        return str(self.client.get_experiment(self.experiment).artifact_location)

    def end(self, run: str, status: str = "FINISHED") -> None:
        """Mark a run as ended."""
        self.client.set_terminated(run, status)


def _chunks(items: list[Any]) -> Iterable[list[Any]]:
    return (items[i : i + _MOST_METRICS] for i in range(0, len(items), _MOST_METRICS))


def _runs_of(client: Any, experiments: list[str], attempt: Attempt) -> list[Any]:
    return list(
        client.search_runs(
            experiments, f"tags.`{ATTEMPT}` = '{attempt.id}'", max_results=_MOST_METRICS
        )
    )


def end_abandoned(attempts: Iterable[Attempt]) -> None:
    """Mark as KILLED what the runs of killed processes left RUNNING."""
    left = list(attempts)
    if not left:
        return
    ensure_mlflow_store()
    client = mlflow_client()
    for one in left:
        experiment = client.get_experiment_by_name(identifier(one.dataset))
        for run in _runs_of(client, [experiment.experiment_id], one) if experiment else []:
            if run.info.status == "RUNNING":
                client.set_terminated(run.info.run_id, "KILLED")


def last_finished(dataset: str, method: str, selection: str) -> Any:
    """Return the last parent run that succeeded, or None."""
    ensure_mlflow_store()
    client = mlflow_client()
    experiment = client.get_experiment_by_name(identifier(dataset))
    if experiment is None:
        return None
    wanted = {PART: PARENT, "method": method, "selection": selection}
    where = " and ".join(f"tags.`{key}` = '{value}'" for key, value in wanted.items())
    found = client.search_runs(
        [experiment.experiment_id],
        f"{where} and attributes.status = 'FINISHED'",
        max_results=1,
        order_by=["attributes.start_time DESC"],
    )
    return found[0] if found else None
