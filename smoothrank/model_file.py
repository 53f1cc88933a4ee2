"""The saved model: a folder of `model.json` and `arrays.npz`, without pickle.

`model.json` is canonical JSON (sorted keys, fixed layout) that holds the sha256 of `arrays.npz`
and of its own content, so that a change of any byte of either file is noticed when loading.
"""

from __future__ import annotations

import hashlib
import io
import json
import tempfile
from dataclasses import asdict
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np
import numpy.typing as npt

import smoothrank
from smoothrank.errors import SmoothrankError

if TYPE_CHECKING:
    from smoothrank.prototype_base import BasePrototypeClassifier

SCHEMA = 1
MODEL_FILE = "model.json"
ARRAYS_FILE = "arrays.npz"
_SCALER_PREFIX = "scaler."


class ModelFileError(SmoothrankError):
    """A saved model is missing, damaged, changed, or of another version."""


def save_model(model: BasePrototypeClassifier, path: Path) -> Path:
    """Write a fitted prototype classifier to the folder `path`, or leave nothing there.

    Parameters
    ----------
    model : SmoothRankingPrototype or RankingCGPrototype
        A fitted model. Its callback is not saved.
    path : Path
        A folder that does not exist yet, or holds an earlier model, which is replaced.

    Returns
    -------
    Path
        The folder.
    """
    from sklearn.utils.validation import check_is_fitted

    check_is_fitted(model)
    folder = path.resolve()
    if folder.exists() and not _is_saved_model(folder):
        raise ModelFileError(
            f"{path} exists and is not a saved model. Choose another place, or remove it first."
        )
    arrays = _npz(_arrays(model))
    content = _content(model, hashlib.sha256(arrays).hexdigest())
    folder.parent.mkdir(parents=True, exist_ok=True)
    with tempfile.TemporaryDirectory(prefix=f".{folder.name}.", dir=folder.parent) as scratch:
        new, old = Path(scratch) / "new", Path(scratch) / "old"
        new.mkdir()
        (new / ARRAYS_FILE).write_bytes(arrays)
        (new / MODEL_FILE).write_bytes(_canonical(content | {"sha256": _digest(content)}))
        if folder.exists():
            folder.rename(old)
        new.rename(folder)
    return path


def _is_saved_model(folder: Path) -> bool:
    """Whether a folder holds a model of ours and nothing else."""
    if not folder.is_dir() or {path.name for path in folder.iterdir()} != {MODEL_FILE, ARRAYS_FILE}:
        return False
    try:
        content = json.loads((folder / MODEL_FILE).read_bytes())
    except (OSError, ValueError):
        return False
    return isinstance(content, dict) and {"schema", "smoothrank", "sha256"} <= content.keys()


def load_model(path: str | Path) -> BasePrototypeClassifier:
    """Read a model that `save` wrote; its scores are the same bit by bit.

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
        return _rebuild(content, arrays)
    except (KeyError, TypeError, ValueError) as error:
        raise ModelFileError(f"{folder} is not a complete model: {error!r}.") from error


def _arrays(model: BasePrototypeClassifier) -> dict[str, npt.NDArray[Any]]:
    found = model.model_
    arrays: dict[str, npt.NDArray[Any]] = {
        "scaled_prototypes": found.prototypes,
        "prototypes": model.prototypes_,
        "means": found.means,
        "spreads": found.spreads,
        "weights": found.weights,
        "weights_path": np.concatenate(model.weights_path_),
        "classes": model.classes_,
    }
    if hasattr(model, "feature_names_in_"):
        arrays["feature_names"] = model.feature_names_in_.astype(str)
    if found.scaler is not None:
        arrays |= {_SCALER_PREFIX + key: value for key, value in found.scaler.arrays().items()}
    if arrays["classes"].dtype == object:
        arrays["classes"] = _plain_labels(model.classes_)
    return arrays


def _plain_labels(classes: npt.NDArray[Any]) -> npt.NDArray[Any]:
    plain = np.array(classes.tolist())
    if plain.dtype == object or plain.tolist() != classes.tolist():
        raise ModelFileError(
            f"Labels {classes.tolist()} cannot be saved; use numbers, booleans or strings."
        )
    return plain


def _npz(arrays: dict[str, npt.NDArray[Any]]) -> bytes:
    buffer = io.BytesIO()
    np.savez(buffer, allow_pickle=False, **arrays)
    return buffer.getvalue()


def _content(model: BasePrototypeClassifier, arrays_sha256: str) -> dict[str, Any]:
    parameters = {key: value for key, value in model.get_params().items() if key != "callback"}
    return {
        "schema": SCHEMA,
        "smoothrank": smoothrank.__version__,
        "estimator": type(model).__name__,
        "parameters": {key: _plain(value) for key, value in parameters.items()},
        "labels_are_objects": bool(model.classes_.dtype == object),
        "n_features": int(model.n_features_in_),
        "intercept": float(model.intercept_),
        "calibration": list(model.calibration_),
        "solver": model.solver_,
        "history": [asdict(iteration) for iteration in model.history_],
        "arrays_sha256": arrays_sha256,
    }


def _plain(value: Any) -> Any:
    return value.item() if isinstance(value, np.generic) else value


def _canonical(content: dict[str, Any]) -> bytes:
    return (json.dumps(content, sort_keys=True, indent=1, allow_nan=False) + "\n").encode()


def _digest(content: dict[str, Any]) -> str:
    return hashlib.sha256(_canonical(content)).hexdigest()


def _read_content(folder: Path) -> dict[str, Any]:
    raw = _read_bytes(folder / MODEL_FILE)
    try:
        content = json.loads(raw)
        claimed = content.pop("sha256")
        schema = content["schema"]
    except (ValueError, KeyError, AttributeError, TypeError, RecursionError) as error:
        raise ModelFileError(f"{folder / MODEL_FILE} is not a model description.") from error
    if schema != SCHEMA:
        raise ModelFileError(
            f"{folder} has schema {schema!r}; this version of smoothrank reads {SCHEMA}. "
            "Use the version that wrote it, or fit again."
        )
    if claimed != _digest(content) or raw != _canonical(content | {"sha256": claimed}):
        raise ModelFileError(f"{folder / MODEL_FILE} was changed: its checksum does not hold.")
    return dict(content)


def _read_arrays(folder: Path, sha256: str) -> dict[str, npt.NDArray[Any]]:
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
            f"{path} cannot be read ({error.strerror}). Give the folder that `save` wrote."
        ) from error


def _rebuild(
    content: dict[str, Any], arrays: dict[str, npt.NDArray[Any]]
) -> BasePrototypeClassifier:
    from smoothrank.column_generation import Iteration, PrototypeModel
    from smoothrank.prototypes import RankingCGPrototype, SmoothRankingPrototype
    from smoothrank.scaling import scaler_from_arrays

    estimators: dict[str, type[BasePrototypeClassifier]] = {
        "RankingCGPrototype": RankingCGPrototype,
        "SmoothRankingPrototype": SmoothRankingPrototype,
    }
    model = estimators[content["estimator"]](**content["parameters"])
    scaler_arrays = {
        key.removeprefix(_SCALER_PREFIX): value
        for key, value in arrays.items()
        if key.startswith(_SCALER_PREFIX)
    }
    scaler = scaler_from_arrays(model.scale, scaler_arrays) if scaler_arrays else None
    model.model_ = PrototypeModel(
        arrays["scaled_prototypes"], arrays["means"], arrays["spreads"], arrays["weights"], scaler
    )
    model.prototypes_ = arrays["prototypes"]
    model.weights_ = arrays["weights"]
    model.history_ = [Iteration(**record) for record in content["history"]]
    ends = np.cumsum([iteration.n_prototypes for iteration in model.history_])
    model.weights_path_ = np.split(arrays["weights_path"], ends[:-1])
    model.classes_ = (
        arrays["classes"].astype(object) if content["labels_are_objects"] else arrays["classes"]
    )
    model.n_features_in_ = content["n_features"]
    if "feature_names" in arrays:
        model.feature_names_in_ = arrays["feature_names"].astype(object)
    model.intercept_ = content["intercept"]
    model.calibration_ = tuple(content["calibration"])
    model.solver_ = content["solver"]
    return model
