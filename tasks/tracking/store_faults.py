"""What MLflow's store fails at in the middle of the work, as one line."""

from __future__ import annotations

import os
from collections.abc import Iterator
from contextlib import contextmanager

from tasks.project.mlflow_store import MlflowStore, StoreError, mlflow_store
from tasks.project.run_faults import RESUMES, RunStoppedError, stopping_faults
from tasks.project.secrets import without_secrets


@contextmanager
def plain_store_faults() -> Iterator[None]:
    """Raise a fault of the store, or of the disk, as one line.

    Raises
    ------
    StoreError
        If a team's server does not permit it.
    RunStoppedError
        If the store or the disk fails: what was begun can be resumed.
    """
    store = mlflow_store()
    if store.kind == "own":
        with stopping_faults():
            yield
        return
    from mlflow.exceptions import MlflowException

    try:
        with stopping_faults():
            yield
    except MlflowException as error:
        if error.error_code == "PERMISSION_DENIED":
            raise StoreError(_not_permitted(store)) from None
        reason = without_secrets(" ".join(str(error).split()))[:300]
        raise RunStoppedError(
            f"MLflow at {store.shown} failed in the middle of the work: {reason}; {RESUMES}"
        ) from None


def _not_permitted(store: MlflowStore) -> str:
    user = os.environ.get("MLFLOW_TRACKING_USERNAME", "this user")
    return (
        f"the MLflow server at {store.shown} does not permit {user} to write here; ask its "
        "administrator for the permission EDIT on the experiment and MANAGE on the model of "
        "the data set"
    )
