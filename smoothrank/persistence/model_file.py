"""The saved model: a folder of `model.json` and `arrays.npz`, without pickle.

`model.json` is canonical JSON (sorted keys, fixed layout) that holds the sha256 of `arrays.npz`
and of its own content, so that a changed byte in either file is detected on loading.
"""

from __future__ import annotations

import hashlib
import io
import json
import tempfile
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

import smoothrank
from smoothrank.persistence.encoder_content import ModelFileError
from smoothrank.persistence.model_content import Arrays, Content, describe, rebuild

if TYPE_CHECKING:
    from smoothrank.estimators.ranking_classifier import RankingClassifier
    from smoothrank.tables.tabular_model import TabularModel

__all__ = ["ModelFileError", "load_model", "load_tabular_model", "save_model"]

SCHEMA = 5
READABLE = (1, 2, 3, 4, 5)
"""Schema 1 has the prototype classifiers only, schema 2 no table encoder and no threshold,
schema 3 no column families, schema 4 neither `SmoothRanking` nor `KernelRanking`."""

MODEL_FILE = "model.json"
ARRAYS_FILE = "arrays.npz"


def save_model(model: RankingClassifier | TabularModel, path: str | Path) -> Path:
    """Write a fitted model to the folder `path`, all of it or nothing.

    Parameters
    ----------
    model : classifier or TabularModel
        A fitted classifier of smoothrank, alone or with its encoder. A callback is not saved.
    path : str or Path
        A folder that does not exist yet, or holds an earlier model, which is replaced.

    Returns
    -------
    Path
        The folder.
    """
    description, found = describe(model)
    folder = Path(path).resolve()
    if folder.exists() and not _is_saved_model(folder):
        raise ModelFileError(
            f"{path} exists and is not a saved model. Choose another place, or remove it first."
        )
    arrays = _npz(found)
    content = {
        "schema": SCHEMA,
        "smoothrank": smoothrank.__version__,
        "arrays_sha256": hashlib.sha256(arrays).hexdigest(),
        **description,
    }
    folder.parent.mkdir(parents=True, exist_ok=True)
    with tempfile.TemporaryDirectory(prefix=f".{folder.name}.", dir=folder.parent) as scratch:
        new, old = Path(scratch) / "new", Path(scratch) / "old"
        new.mkdir()
        (new / ARRAYS_FILE).write_bytes(arrays)
        (new / MODEL_FILE).write_bytes(canonical_json(content | {"sha256": _digest(content)}))
        if folder.exists():
            folder.rename(old)
        new.rename(folder)
    return Path(path)


def _is_saved_model(folder: Path) -> bool:
    """Return whether a folder holds a model of ours and nothing else."""
    if not folder.is_dir() or {path.name for path in folder.iterdir()} != {MODEL_FILE, ARRAYS_FILE}:
        return False
    try:
        content = json.loads((folder / MODEL_FILE).read_bytes())
    except (OSError, ValueError):
        return False
    return isinstance(content, dict) and {"schema", "smoothrank", "sha256"} <= content.keys()


def load_model(path: str | Path) -> Any:
    """Return a model that `save_model` wrote, a classifier or a `TabularModel`, bit by bit.

    Parameters
    ----------
    path : str or Path
        The folder.

    Raises
    ------
    ModelFileError
        When a file is missing or a byte of it has changed, or the version is not known.
    """
    folder = Path(path)
    content = _read_content(folder)
    arrays = _read_arrays(folder, content["arrays_sha256"])
    try:
        return rebuild(content, arrays)
    except (KeyError, TypeError, ValueError) as error:
        raise ModelFileError(f"{folder} is not a complete model: {error!r}.") from error


def load_tabular_model(path: str | Path) -> TabularModel:
    """Return a model that `save_model` wrote with its encoder, which takes raw rows.

    Raises
    ------
    ModelFileError
        As `load_model` does, and when the model was saved without its encoder.
    """
    from smoothrank.tables.tabular_model import TabularModel

    model = load_model(path)
    if not isinstance(model, TabularModel):
        raise ModelFileError(
            f"{path} holds a {type(model).__name__} without its encoder, which takes encoded "
            "rows only. Save a TabularModel, or load it with smoothrank.load_model."
        )
    return model


def _npz(arrays: Arrays) -> bytes:
    buffer = io.BytesIO()
    np.savez(buffer, allow_pickle=False, **arrays)
    return buffer.getvalue()


def canonical_json(content: Content) -> bytes:
    return (json.dumps(content, sort_keys=True, indent=1, allow_nan=False) + "\n").encode()


def _digest(content: Content) -> str:
    return hashlib.sha256(canonical_json(content)).hexdigest()


def _read_content(folder: Path) -> Content:
    raw = _read_bytes(folder / MODEL_FILE)
    try:
        content = json.loads(raw)
        claimed = content.pop("sha256")
        schema = content["schema"]
    except (ValueError, KeyError, AttributeError, TypeError, RecursionError) as error:
        raise ModelFileError(f"{folder / MODEL_FILE} is not a model description.") from error
    if schema not in READABLE:
        known = f"{READABLE[0]} to {READABLE[-1]}"
        raise ModelFileError(
            f"{folder} has schema {schema!r}; this version of smoothrank reads {known}. "
            "Use the version that wrote it, or fit again."
        )
    if claimed != _digest(content) or raw != canonical_json(content | {"sha256": claimed}):
        raise ModelFileError(f"{folder / MODEL_FILE} was changed: its checksum does not hold.")
    return dict(content)


def _read_arrays(folder: Path, sha256: str) -> Arrays:
    raw = _read_bytes(folder / ARRAYS_FILE)
    if hashlib.sha256(raw).hexdigest() != sha256:
        raise ModelFileError(f"{folder / ARRAYS_FILE} was changed: its checksum does not hold.")
    with np.load(io.BytesIO(raw), allow_pickle=False) as file:
        return {key: file[key] for key in file.files}


def _read_bytes(path: Path) -> bytes:
    try:
        return path.read_bytes()
    except OSError as error:
        raise ModelFileError(
            f"{path} cannot be read ({error.strerror}). Give the folder that `save_model` wrote."
        ) from error
