"""Classifiers of other packages in a saved model: written and read by skops, without pickle.

skops writes an estimator as a description of its parts, each with its type, and builds it again
only from types that are trusted. Trusted here are names of scikit-learn and classes of NumPy and
SciPy and nothing else: no function and no class of any other module is ever imported for a model.
"""

from __future__ import annotations

import io
import zipfile
from importlib import import_module
from typing import Any

import numpy as np
import numpy.typing as npt

from smoothrank.persistence.encoder_content import ModelFileError
from smoothrank.persistence.skops_archive import canonical
from smoothrank.persistence.stored_arrays import check_declared_size, check_not_packed

TRUSTED = ("sklearn.", "numpy.", "scipy.")


def estimator_bytes(estimator: Any) -> npt.NDArray[np.uint8]:
    """Return an estimator as bytes.

    Raises
    ------
    ModelFileError
        If it has parts whose types are not trusted.
    """
    from skops.io import dumps

    try:
        data = canonical(dumps(estimator))
    except Exception as error:
        raise ModelFileError(
            f"A {type(estimator).__name__} cannot be saved: {error}. Take a classifier of "
            "scikit-learn, or a pipeline of its parts."
        ) from error
    _check_types(data, type(estimator).__name__)
    return np.frombuffer(data, dtype=np.uint8)


def estimator_from(data: npt.NDArray[np.uint8]) -> Any:
    """Return the estimator that `estimator_bytes` described, if all its types are trusted."""
    from skops.io import loads

    if data.dtype != np.uint8 or data.ndim != 1:
        raise ModelFileError("its estimator is not one that skops wrote.")
    raw = data.tobytes()
    _check_sizes(raw)
    return loads(raw, trusted=_check_types(raw, "The estimator of this model"))


def _check_sizes(raw: bytes) -> None:
    """Refuse what would be larger unpacked than it is, and arrays that declare another size."""
    with zipfile.ZipFile(io.BytesIO(raw)) as archive:
        check_not_packed(archive, len(raw))
        for member in archive.infolist():
            if member.filename.endswith(".npy"):
                check_declared_size(member.filename, archive.read(member))


def check_savable(estimator: Any) -> None:
    """Refuse an estimator that could not be saved, before anything is trained."""
    estimator_bytes(estimator)


def _check_types(data: bytes, name: str) -> list[str]:
    """Return the types of a description that skops does not trust by itself, if we do."""
    from skops.io import get_untrusted_types

    found = [str(one) for one in get_untrusted_types(data=data)]
    refused = [one for one in found if not _is_trusted(one)]
    if refused:
        raise ModelFileError(
            f"{name} has parts that are not trusted: {', '.join(sorted(refused))}. Only types of "
            "scikit-learn, NumPy and SciPy are saved and loaded."
        )
    return found


def _is_trusted(name: str) -> bool:
    """Return whether a name is one of scikit-learn's, or a class of NumPy or SciPy.

    Their functions include some that read and write files, or run a text as a program; those that
    only compute are trusted by skops itself.
    """
    if name.startswith("sklearn."):
        return True
    if not name.startswith(TRUSTED):
        return False
    module, _, attribute = name.rpartition(".")
    try:
        return isinstance(getattr(import_module(module), attribute, None), type)
    except ImportError:
        return False
