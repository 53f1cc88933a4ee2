"""Arrays of a saved model: every size is checked before anything is unpacked or allocated.

`save_model` does not compress, so an archive whose members together are larger than itself is not
one of ours: it is a bomb, or its members overlap.
"""

from __future__ import annotations

import io
import math
import struct
import zipfile
import zlib
from typing import Any

import numpy as np
import numpy.typing as npt

from smoothrank.persistence.encoder_content import ModelFileError

Arrays = dict[str, npt.NDArray[Any]]

MOST_ARRAY_BYTES = 2 * 1024**3
"""The most that is read of a model's arrays."""

_KINDS = "biufU"
_LARGEST_EXTENT = 10**9
_MOST_SAID = 200
_ZIP_FAULTS = (
    *(zipfile.BadZipFile, zlib.error, struct.error, KeyError, EOFError, OSError),
    *(RuntimeError, ValueError),  # encrypted or packed in an unknown way; not an array
)
_HEADERS = {
    (1, 0): np.lib.format.read_array_header_1_0,
    (2, 0): np.lib.format.read_array_header_2_0,
}


def read_arrays(raw: bytes) -> Arrays:
    """Return the arrays of an npz archive by name.

    Raises
    ------
    ModelFileError
        If it is not such an archive, would be larger unpacked than it is, or has an array of
        another size than it declares, of objects, or of numbers that are not finite.
    """
    try:
        with zipfile.ZipFile(io.BytesIO(raw)) as archive:
            check_not_packed(archive, len(raw))
            names = [member.filename for member in archive.infolist()]
            if len(set(names)) < len(names):
                raise ModelFileError("its archive has two arrays of the same name.")
            return {name.removesuffix(".npy"): _array(name, archive.read(name)) for name in names}
    except ModelFileError:
        raise
    except _ZIP_FAULTS as error:
        reason = str(error).partition("\n")[0].rstrip(".")[:_MOST_SAID]
        raise ModelFileError(f"its arrays cannot be read: {reason}.") from error


def check_not_packed(archive: zipfile.ZipFile, size: int) -> None:
    """Refuse an archive that is larger unpacked than packed.

    Raises
    ------
    ModelFileError
        If the declared sizes of its members exceed its own.
    """
    unpacked = sum(member.file_size for member in archive.infolist())
    if unpacked > size:
        raise ModelFileError(
            f"its archive of {size:,} bytes would have {unpacked:,} unpacked; saved models are "
            "not compressed."
        )


def check_declared_size(name: str, data: bytes) -> None:
    """Refuse an array in numpy's format that is of objects, or declares another size than it has.

    Raises
    ------
    ModelFileError
        If it does.
    ValueError
        If its header cannot be read.
    """
    stream = io.BytesIO(data)
    version = np.lib.format.read_magic(stream)
    if version not in _HEADERS:
        raise ModelFileError(f"its array {name!r} has an unknown version.")
    shape, _, dtype = _HEADERS[version](stream)
    declared = math.prod(shape) * dtype.itemsize
    if dtype.hasobject or dtype.itemsize == 0:
        raise ModelFileError(f"its array {name!r} holds {dtype}, neither numbers nor texts.")
    if declared != len(data) - stream.tell() or max(shape, default=0) > _LARGEST_EXTENT:
        raise ModelFileError(f"its array {name!r} has not the size that it declares.")


def _array(name: str, data: bytes) -> npt.NDArray[Any]:
    check_declared_size(name, data)
    array = np.lib.format.read_array(io.BytesIO(data), allow_pickle=False)
    if array.dtype.kind not in _KINDS:
        raise ModelFileError(f"its array {name!r} holds {array.dtype}, neither numbers nor texts.")
    if array.dtype.kind == "f" and not np.isfinite(array).all():
        raise ModelFileError(f"its array {name!r} has numbers that are not finite.")
    return np.asarray(array)
