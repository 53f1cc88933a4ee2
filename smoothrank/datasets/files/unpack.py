"""The contents of a file, unpacked if its name ends in .gz, .zip or .zst, up to a limit."""

from __future__ import annotations

import errno
import gzip
import io
import zipfile
import zlib
from pathlib import Path
from typing import IO, Any

from smoothrank.datasets.errors import DatasetError, TableFormatError
from smoothrank.datasets.files.paths import EXPECTED, PACKED_ENDINGS, TABLE_ENDINGS
from smoothrank.datasets.files.regular import read_bytes

MAX_BYTES = 2 * 1024**3
"""The most that is read of one file, packed or not."""

MAX_RATIO = 300
"""A file that grows by more than this factor when unpacked is a decompression bomb."""

SMALL = 64 * 1024**2
"""What may be unpacked from however few bytes."""

_CHUNK = 1024**2


def read_contents(path: Path) -> tuple[str, bytes]:
    """Return the ending of the table inside, such as ".csv", and its contents.

    Raises
    ------
    DatasetError
        If its ending is unknown.
    TableFormatError
        If the file cannot be read or unpacked, is too large, or holds no table or several.
    """
    data = read_own_file(path)
    packed = path.suffix.lower()
    if packed not in PACKED_ENDINGS:
        return _known(path, packed), data
    try:
        return _unpack(path, packed, data)
    except (OSError, EOFError, zlib.error, zipfile.BadZipFile, RuntimeError, ValueError) as error:
        if isinstance(error, DatasetError):
            raise
        reason = " ".join(str(error).split())
        raise TableFormatError(f"cannot unpack {path}: {reason}") from None


def read_own_file(path: Path) -> bytes:
    """Return the bytes of a user's file as they are.

    Raises
    ------
    TableFormatError
        If it is not a regular file, cannot be read, or is too large.
    """
    try:
        return read_bytes(path, MAX_BYTES)
    except OSError as error:
        advice = "; take a sample of its rows" if error.errno == errno.EFBIG else ""
        raise TableFormatError(f"cannot read {path}: {error.strerror or error}{advice}") from None


def _unpack(path: Path, packed: str, data: bytes) -> tuple[str, bytes]:
    if packed == ".zip":
        with zipfile.ZipFile(io.BytesIO(data)) as archive:
            member = _only_table(path, archive)
            check_unpacked_size(path, archive, len(data))
            with archive.open(member) as stream:
                return Path(member.filename).suffix.lower(), _read(path, stream, len(data))
    ending = _known(path, Path(path.stem).suffix.lower())
    if packed == ".gz":
        with gzip.open(io.BytesIO(data)) as stream:
            return ending, _read(path, stream, len(data))
    import pyarrow as pa

    with pa.input_stream(pa.BufferReader(data), compression="zstd") as stream:
        return ending, _read(path, stream, len(data))


def _only_table(path: Path, archive: zipfile.ZipFile) -> zipfile.ZipInfo:
    members = [m for m in archive.infolist() if not m.is_dir() and not _is_litter(m.filename)]
    tables = [m for m in members if Path(m.filename).suffix.lower() in TABLE_ENDINGS]
    if len(tables) != 1:
        names = ", ".join(m.filename for m in (tables or members)[:5]) or "nothing"
        how_many = "no table" if not tables else f"{len(tables)} tables"
        raise TableFormatError(f"{path} has {how_many} inside ({names}) and must have one")
    return tables[0]


def _is_litter(name: str) -> bool:
    return name.startswith("__MACOSX/") or Path(name).name.startswith(".")


def check_unpacked_size(path: Path, archive: zipfile.ZipFile, packed: int) -> None:
    """Refuse an archive whose declared size is too large."""
    total = sum(member.file_size for member in archive.infolist())
    _check_size(path, total, packed)


def _read(path: Path, stream: IO[bytes] | Any, packed: int) -> bytes:
    """Read a stream to its end, but not beyond the limit."""
    parts, total = [], 0
    while part := stream.read(_CHUNK):
        parts.append(part)
        total += len(part)
        _check_size(path, total, packed)
    return b"".join(parts)


def _check_size(path: Path, unpacked: int, packed: int) -> None:
    if unpacked > MAX_BYTES:
        raise TableFormatError(f"{path} is more than {_megabytes(MAX_BYTES)} unpacked; {_limit()}")
    if unpacked > max(SMALL, MAX_RATIO * packed):
        raise TableFormatError(
            f"{path} grows more than {MAX_RATIO} times when it is unpacked, as no table does; "
            "unpack it yourself if you trust it"
        )


def _known(path: Path, ending: str) -> str:
    if ending == ".xls":
        raise DatasetError(f"{path} is an old Excel file; save it as .xlsx")
    if ending not in TABLE_ENDINGS:
        raise DatasetError(f"cannot read {path}: expected {EXPECTED}")
    return ending


def _megabytes(size: int) -> str:
    return f"{size / 1024**2:,.0f} MB"


def _limit() -> str:
    return f"at most {_megabytes(MAX_BYTES)} are read, so take a sample of its rows"
