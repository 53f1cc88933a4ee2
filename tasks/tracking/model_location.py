"""Where a registered model lies: a folder of the project's own MLflow store, or a copy of a team's.

The tables of the project's own are queried directly, in a hundredth of a second; importing MLflow
takes two seconds. MLflow is asked only if they have no answer; it also says what is wrong with an
address.
"""

from __future__ import annotations

import re
import sqlite3
from collections.abc import Iterator, Sequence
from contextlib import closing, contextmanager
from pathlib import Path
from typing import Any
from urllib.parse import quote

from smoothrank.errors import SmoothrankError
from tasks.project.database_check import check_database
from tasks.project.mlflow_database import mlflow_path
from tasks.project.mlflow_store import ensure_mlflow_store, mlflow_store
from tasks.project.paths import project_home
from tasks.project.secrets import without_secrets
from tasks.tracking.artifacts import local_folder
from tasks.tracking.mlflow_runs import mlflow_client

_VERSION = re.compile(r"models:/(?P<name>[^/@]+)/(?P<version>\d+)")
_ALIAS = re.compile(r"models:/(?P<name>[^/@]+)@(?P<alias>[^/@]+)")
_MODEL = re.compile(r"models:/(?P<model>m-[0-9a-f]+)")
_OF_RUN = re.compile(r"runs:/(?P<run>[0-9a-f]+)/(?P<model>[^/]+)")

_QUESTIONS = {
    _MODEL: "SELECT artifact_location FROM logged_models WHERE model_id = :model"
    " AND lifecycle_stage = 'active'",
    _VERSION: "SELECT storage_location FROM model_versions"
    " WHERE name = :name AND version = :version AND current_stage <> 'Deleted_Internal'",
    _ALIAS: "SELECT storage_location FROM model_versions JOIN registered_model_aliases"
    " USING (name, version) WHERE name = :name AND alias = :alias"
    " AND current_stage <> 'Deleted_Internal'",
    _OF_RUN: "SELECT artifact_location FROM logged_models"
    " WHERE source_run_id = :run AND name = :model AND lifecycle_stage = 'active'",
}


class NoModelError(SmoothrankError):
    """There is no model at an address."""


def is_address(source: str) -> bool:
    """Return whether a text is an MLflow address, not a folder."""
    return source.startswith(("models:/", "runs:/"))


@contextmanager
def model_folder(address: str, parts: Sequence[str] = ()) -> Iterator[Path]:
    """Yield the folder of a model that is registered or was logged; perhaps a copy for the while.

    Parameters
    ----------
    address : str
        `models:/NAME@ALIAS`, `models:/NAME/VERSION`, `models:/ID` or `runs:/ID/model`.
    parts : sequence of str
        What is needed of it, where it must be copied; by default all.

    Raises
    ------
    NoModelError
        If there is no such model.
    StoreError
        If the store that is named cannot be asked.
    """
    with local_folder(_location(address), parts) as folder:
        if not folder.is_dir():
            raise NoModelError(
                f"the model {address} is registered, but its folder {folder} is gone"
            )
        yield folder


def _location(address: str) -> str:
    """Return the address of a model's files."""
    if mlflow_store().kind != "own":
        ensure_mlflow_store()
        return _ask_mlflow(address)
    database = mlflow_path()
    check_database(database)
    if not database.exists():
        raise NoModelError(
            f"there is no model {address}: no model was ever made in {project_home()}; "
            "`smoothrank retrain` makes one"
        )
    return look_up(database, address) or _ask_mlflow(address)


def look_up(database: Path, address: str) -> str | None:
    """Return the location from the tables, or None if they have none, or have changed."""
    for form, question in _QUESTIONS.items():
        if asked := form.fullmatch(address):
            reading = f"file:{quote(str(database))}?mode=ro"
            try:
                with closing(sqlite3.connect(reading, timeout=60.0, uri=True)) as tables:
                    found = tables.execute(question, asked.groupdict()).fetchall()
            except sqlite3.Error:
                return None
            return found[0][0] if len(found) == 1 else None
    return None


def _ask_mlflow(address: str) -> str:
    client = mlflow_client()
    from mlflow.exceptions import MlflowException

    try:
        return _place(client, address)
    except MlflowException as error:
        reason = without_secrets(" ".join(str(error).split()))
        raise NoModelError(f"there is no model {address}: {reason}{_known(client)}") from error


def _place(client: Any, address: str) -> str:
    """Return the location from MLflow, asking the client's own store."""
    if asked := _ALIAS.fullmatch(address):
        found = client.get_model_version_by_alias(asked["name"], asked["alias"])
        return str(client.get_model_version_download_uri(found.name, found.version))
    if asked := _VERSION.fullmatch(address):
        return str(client.get_model_version_download_uri(asked["name"], asked["version"]))
    if asked := _MODEL.fullmatch(address):
        return str(client.get_logged_model(asked["model"]).artifact_location)
    if asked := _OF_RUN.fullmatch(address):
        run = client.get_run(asked["run"])
        for output in run.outputs.model_outputs if run.outputs else []:
            model = client.get_logged_model(output.model_id)
            if model.name == asked["model"]:
                return str(model.artifact_location)
        return f"{run.info.artifact_uri}/{asked['model']}"
    forms = "models:/NAME@champion, models:/NAME/VERSION or runs:/ID/model"
    raise NoModelError(f"there is no model {address}: name one as {forms}{_known(client)}")


def _known(client: Any) -> str:
    """Name the registered models, for the message that says that one is not there."""
    names = [found.name for found in client.search_registered_models()]
    return f" (registered are: {', '.join(names)})" if names else ""
