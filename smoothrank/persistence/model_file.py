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
from smoothrank.persistence.plain_values import check_content
from smoothrank.persistence.stored_arrays import MOST_ARRAY_BYTES, read_arrays

if TYPE_CHECKING:
    from smoothrank.estimators.ranking_classifier import RankingClassifier
    from smoothrank.tables.tabular_model import TabularModel

__all__ = ["ModelFileError", "load_model", "load_tabular_model", "save_model"]

SCHEMA = 6
READABLE = (1, 2, 3, 4, 5, 6)
"""Schema 1 has the prototype classifiers only, schema 2 no table encoder and no threshold,
schema 3 no column families, schema 4 neither `SmoothRanking` nor `KernelRanking`, schema 5 at first
no `DictionaryRanking`, no whitened features, and trees that see features as they are. Whatever an
earlier version could not read gets the next number, and golden models
(`scripts/make_golden_models.py`)."""

_LAST_THINKABLE = 10_000

MODEL_FILE = "model.json"
ARRAYS_FILE = "arrays.npz"

MOST_JSON_BYTES = 100 * 1024**2
MOST_SAID = 200


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
        content = json.loads(_read_bytes(folder / MODEL_FILE, MOST_JSON_BYTES))
    except (ValueError, RecursionError):
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
        When a file is missing, is not a regular file or has a byte changed, when the version is
        not known, or when the contents are not those of a model: of other types, not finite, too
        large, or not fitting together.
    """
    from smoothrank.persistence.trial import try_model

    folder = Path(path)
    content = _read_content(folder)
    raw = _read_arrays_file(folder, str(content.get("arrays_sha256")))
    try:
        check_content(content)
        model = rebuild(content, read_arrays(raw))
        try_model(model)
    except ModelFileError as error:
        raise ModelFileError(f"{folder} is not a model that can be used: {error}") from error
    except Exception as error:  # parts that do not fit together raise whatever they do
        reason = " ".join(f"{type(error).__name__}: {error}".split())[:MOST_SAID]
        raise ModelFileError(
            f"{folder} is not a model that can be used: its parts do not fit together ({reason}). "
            "Use the folder that `save_model` wrote, or fit again."
        ) from error
    return model


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
    raw = _read_bytes(folder / MODEL_FILE, MOST_JSON_BYTES)
    try:
        content = json.loads(raw)
        claimed = content.pop("sha256")
        schema = content["schema"]
    except (ValueError, KeyError, AttributeError, TypeError, RecursionError) as error:
        raise ModelFileError(f"{folder / MODEL_FILE} is not a model description.") from error
    if schema in range(SCHEMA + 1, _LAST_THINKABLE):
        raise ModelFileError(
            f"{folder} was written by a newer smoothrank (schema {schema}; this version, "
            f"{smoothrank.__version__}, reads {READABLE[0]} to {SCHEMA}). "
            "Upgrade smoothrank, or fit again with this version."
        )
    if not isinstance(schema, int) or schema not in READABLE:
        raise ModelFileError(f"{folder / MODEL_FILE} is not a model description.")
    if not _is_untouched(raw, content, claimed):
        raise ModelFileError(f"{folder / MODEL_FILE} was changed: its checksum does not hold.")
    return dict(content)


def _is_untouched(raw: bytes, content: Content, claimed: object) -> bool:
    """Return whether the checksum holds, and the bytes are those that `save_model` writes."""
    try:
        return claimed == _digest(content) and raw == canonical_json(content | {"sha256": claimed})
    except (ValueError, RecursionError):  # a number that is not finite, or too deep
        return False


def _read_arrays_file(folder: Path, sha256: str) -> bytes:
    raw = _read_bytes(folder / ARRAYS_FILE, MOST_ARRAY_BYTES)
    if hashlib.sha256(raw).hexdigest() != sha256:
        raise ModelFileError(f"{folder / ARRAYS_FILE} was changed: its checksum does not hold.")
    return raw


def _read_bytes(path: Path, most: int) -> bytes:
    from smoothrank.datasets.files.regular import read_bytes

    try:
        return read_bytes(path, most)
    except (OSError, ValueError) as error:
        reason = error.strerror if isinstance(error, OSError) else error
        raise ModelFileError(
            f"{path} cannot be read ({reason}). Give the folder that `save_model` wrote."
        ) from error
