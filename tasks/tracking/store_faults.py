"""What a team's MLflow server refuses in the middle of a run, as one line."""

from __future__ import annotations

import os
from collections.abc import Iterator
from contextlib import contextmanager

from tasks.project.mlflow_store import MlflowStore, StoreError, mlflow_store
from tasks.project.secrets import without_secrets


@contextmanager
def plain_store_faults() -> Iterator[None]:
    """Raise a fault of a server or database that is named as a `StoreError`."""
    store = mlflow_store()
    if store.kind == "own":
        yield
        return
    from mlflow.exceptions import MlflowException

    try:
        yield
    except MlflowException as error:
        raise StoreError(_said(store, error.error_code, str(error))) from None


def _said(store: MlflowStore, code: str, message: str) -> str:
    if code == "PERMISSION_DENIED":
        user = os.environ.get("MLFLOW_TRACKING_USERNAME", "this user")
        return (
            f"the MLflow server at {store.shown} does not permit {user} to write here; ask its "
            "administrator for the permission EDIT on the experiment and MANAGE on the model of "
            "the data set"
        )
    reason = without_secrets(" ".join(message.split()))[:300]
    return (
        f"MLflow at {store.shown} failed in the middle of the work: {reason}; finished fits are "
        "kept, and the same command goes on with them"
    )
