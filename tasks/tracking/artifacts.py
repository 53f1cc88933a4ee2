"""Files of runs and models: read and written in place where they lie in a folder of this machine.

Those of a team's server lie elsewhere: MLflow carries them.
"""

from __future__ import annotations

import tempfile
from collections.abc import Iterator, Sequence
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Any
from urllib.parse import unquote, urlsplit

from smoothrank.datasets.catalogue.fetch import write_whole
from tasks.project.mlflow_store import mlflow_store

MODEL_PARTS = ("MLmodel", "artifacts")
"""What is needed of a logged model to score; the rest is code, and what MLflow itself needs."""


def is_local(address: str) -> bool:
    """Return whether an address of the store is a folder of this machine."""
    return urlsplit(address).scheme in ("", "file")


def local_path(address: str) -> Path:
    """Return the folder at an address that is one of this machine."""
    return Path(unquote(address.removeprefix("file://")))


@contextmanager
def local_folder(address: str, parts: Sequence[str] = ()) -> Iterator[Path]:
    """Yield the folder at an address; a copy if it lies elsewhere, which is gone afterwards.

    Parameters
    ----------
    address : str
        As MLflow gives it.
    parts : sequence of str
        The files and folders in it that are needed, as far as they are there; by default all.
    """
    if is_local(address):
        yield local_path(address)
        return
    from mlflow.exceptions import MlflowException

    with tempfile.TemporaryDirectory(prefix="smoothrank-") as scratch:
        if not parts:
            yield _download(address, scratch)
            return
        for part in parts:
            with suppress(MlflowException):
                _download(f"{address}/{part}", scratch)
        yield Path(scratch)


def _download(address: str, folder: str) -> Path:
    from mlflow.artifacts import download_artifacts

    store = mlflow_store().tracking
    return Path(download_artifacts(artifact_uri=address, dst_path=folder, tracking_uri=store))


def write_artifact(client: Any, run: str, address: str, file: str, content: bytes) -> None:
    """Write a file of a run whose files have this address."""
    if is_local(address):
        write_whole(local_path(address) / file, content)
        return
    with tempfile.TemporaryDirectory(prefix="smoothrank-") as scratch:
        path = Path(scratch) / Path(file).name
        path.write_bytes(content)
        folder = str(Path(file).parent)
        client.log_artifact(run, str(path), None if folder == "." else folder)
