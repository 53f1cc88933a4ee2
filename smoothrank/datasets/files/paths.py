"""Which files a table is made of: a file, a folder of Parquet files, or a pattern such as a*.pq."""

from __future__ import annotations

import glob
import hashlib
import re
import stat
from pathlib import Path
from typing import Literal

from smoothrank.datasets.errors import DatasetError, TableFormatError
from smoothrank.datasets.files.regular import kind_of, opened

TEXT_ENDINGS = (".csv", ".tsv")
PARQUET_ENDINGS = (".parquet", ".pq")
EXCEL_ENDINGS = (".xlsx", ".xlsm")
JSON_ENDINGS = (".jsonl", ".ndjson", ".json")
TABLE_ENDINGS = (*TEXT_ENDINGS, *PARQUET_ENDINGS, *EXCEL_ENDINGS, *JSON_ENDINGS)
PACKED_ENDINGS = (".gz", ".zip", ".zst")
_CHUNK = 1024**2
EXPECTED = (
    "a .csv, .tsv, .parquet, .xlsx, .jsonl, .json or .dat file, also as .gz, .zip or .zst, "
    "or a folder of Parquet files"
)


def is_own_file(source: str) -> bool:
    """Return whether a source is a file, folder or pattern, not the name of a data set."""
    path = Path(source)
    return bool(path.suffix) or is_pattern(path) or _exists(path)


def is_pattern(path: Path) -> bool:
    """Return whether a path stands for all files that match it."""
    return glob.has_magic(str(path)) and not _exists(path)


def _exists(path: Path) -> bool:
    try:
        return path.exists()
    except OSError:  # a name that is too long, or a folder that may not be entered
        return False


def table_name(path: Path) -> str:
    """Return the name of a table: `x` for x.csv.gz, the folder's for a folder or folder/*.parquet.

    A pattern is named after what is left without its wildcards: `part` for part-*.parquet.
    """
    if _exists(path) and path.is_dir():
        return path.resolve().name
    name = path.stem
    while Path(name).suffix.lower() in (*TABLE_ENDINGS, ".dat") and name != path.name:
        name = Path(name).stem
    if is_pattern(path):
        parent = path.parent
        while is_pattern(parent):
            parent = parent.parent
        name = re.sub(r"\[[^]]*\]|[*?]", "", name).strip("-_. ") or parent.resolve().name
    return name


def find_files(path: Path) -> list[Path]:
    """Return the files that a path stands for, in sorted order.

    Raises
    ------
    DatasetError
        If there are none, or several that are not Parquet.
    """
    _check_is_there(path)
    if path.is_dir():
        files = [p for p in sorted(path.rglob("*")) if _is_parquet(p.relative_to(path), p)]
        if not files:
            raise DatasetError(f"the folder {path} has no Parquet files; name one file instead")
        return files
    if is_pattern(path):
        found = map(Path, glob.glob(str(path), recursive=True))  # noqa: PTH207
        files = sorted(file for file in found if file.is_file())
        if not files:
            raise DatasetError(f"no file matches {path}")
        other = [p for p in files if p.suffix.lower() not in PARQUET_ENDINGS]
        if other and len(files) > 1:
            raise TableFormatError(
                f"{path} matches {len(files)} files, such as {other[0].name}; "
                "only Parquet files are read together, so name one of them"
            )
        return files
    return [path]


def _check_is_there(path: Path) -> None:
    """Refuse a path that leads nowhere, or to what is neither a file nor a folder."""
    try:
        mode = path.stat().st_mode
    except (OSError, ValueError) as error:
        if is_pattern(path):
            return
        reason = error.strerror if isinstance(error, OSError) else error
        said = "" if isinstance(error, FileNotFoundError) else f" that can be read: {reason}"
        raise DatasetError(f"there is no file {path}{said}") from None
    if not (stat.S_ISREG(mode) or stat.S_ISDIR(mode)):
        raise TableFormatError(f"cannot read {path}: it is {kind_of(mode)} and not a regular file")


def _is_parquet(inside: Path, path: Path) -> bool:
    hidden = any(part.startswith((".", "_")) for part in inside.parts)
    return path.suffix.lower() in PARQUET_ENDINGS and path.is_file() and not hidden


def table_checksum(path: Path, kind: Literal["sha256", "md5"] = "sha256") -> str:
    """Return the checksum of a file; of several, that of their names and checksums in order."""
    files = find_files(path)
    if files == [path]:
        return _file_checksum(path, kind)
    base = path if path.is_dir() else path.parent
    whole = hashlib.new(kind, usedforsecurity=False)
    for file in files:
        inside = file.relative_to(base) if file.is_relative_to(base) else Path(file.name)
        whole.update(f"{inside.as_posix()} {_file_checksum(file, kind)}\n".encode())
    return whole.hexdigest()


def _file_checksum(path: Path, kind: str) -> str:
    try:
        with opened(path) as file:
            digest = hashlib.new(kind, usedforsecurity=False)
            while part := file.read(_CHUNK):
                digest.update(part)
            return digest.hexdigest()
    except OSError as error:
        raise DatasetError(f"cannot read {path}: {error.strerror or error}") from None
