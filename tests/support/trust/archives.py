"""Archives that are not what they seem: bombs, arrays that lie about their size, foreign code."""

from __future__ import annotations

import io
import json
import zipfile
from collections.abc import Callable
from typing import Any

import numpy as np

Arrays = dict[str, Any]


def as_bytes(data: bytes) -> np.ndarray:
    """Return bytes as skops' are kept."""
    return np.frombuffer(data, dtype=np.uint8)


def zipped(members: dict[str, bytes], packing: int = zipfile.ZIP_STORED) -> bytes:
    """Return a zip archive."""
    whole = io.BytesIO()
    with zipfile.ZipFile(whole, "w", packing) as archive:
        for name, data in members.items():
            archive.writestr(name, data)
    return whole.getvalue()


def bomb(name: str, size: int = 300_000_000) -> bytes:
    """Return an archive that is a thousand times larger when unpacked."""
    whole = io.BytesIO()
    with (
        zipfile.ZipFile(whole, "w", zipfile.ZIP_DEFLATED) as archive,
        archive.open(name, "w") as member,
    ):
        block = bytes(10_000_000)
        for _ in range(size // len(block)):
            member.write(block)
    return whole.getvalue()


def foreign(module: str, name: str) -> bytes:
    """Return a description of a function that is none of ours."""
    node = {"__class__": name, "__module__": module, "__loader__": "FunctionNode", "__id__": 1,
            "content": {"module_path": module, "function": name}}  # fmt: skip
    return json.dumps(node | {"protocol": 2, "_skops_version": "0.13"}).encode()


def with_schema(data: np.ndarray, schema: bytes) -> np.ndarray:
    """Replace the description in what skops wrote."""
    return _changed(data, lambda name, held: schema if name == "schema.json" else held)


def with_huge_arrays(data: np.ndarray) -> np.ndarray:
    """Let every array declare a trillion numbers."""
    return _changed(data, lambda name, held: huge_array() if name.endswith(".npy") else held)


def _changed(data: np.ndarray, change: Callable[[str, bytes], bytes]) -> np.ndarray:
    with zipfile.ZipFile(io.BytesIO(data.tobytes())) as archive:
        members = {name: change(name, archive.read(name)) for name in archive.namelist()}
    return as_bytes(zipped(members))


def huge_array(shape: tuple[int, ...] = (10**12,)) -> bytes:
    """Return an array in numpy's format that declares far more than it has."""
    whole = io.BytesIO()
    header = {"descr": "<f8", "fortran_order": False, "shape": shape}
    np.lib.format.write_array_header_1_0(whole, header)
    return whole.getvalue() + bytes(80)


def npz(arrays: Arrays) -> bytes:
    """Return arrays as `save_model` writes them."""
    whole = io.BytesIO()
    np.savez(whole, **arrays)
    return whole.getvalue()


def objects_array() -> bytes:
    """Return an array that declares objects, which only pickle could read."""
    whole = io.BytesIO()
    header = {"descr": "|O", "fortran_order": False, "shape": (10,)}
    np.lib.format.write_array_header_1_0(whole, header)
    return whole.getvalue() + bytes(80)
