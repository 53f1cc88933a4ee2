"""Fetch data sets, and put a complete data folder into DVC's cache."""

from __future__ import annotations

import os
import re
import subprocess
import sys
from collections.abc import Iterable
from dataclasses import dataclass, field
from pathlib import Path

from smoothrank.datasets.catalogue.catalogue import catalogue
from smoothrank.datasets.catalogue.fetch import fetch_dataset, file_state
from smoothrank.datasets.errors import (
    ChecksumError,
    MissingDataError,
    UnreachableError,
)

_DVC_SECONDS = 120


@dataclass
class FetchReport:
    """What `fetch_datasets` did.

    Parameters
    ----------
    present : list of str
        Data sets that were here, unchanged.
    fetched : list of str
        Data sets that were written.
    replaced : list of str
        Those among them whose file had been changed.
    missing : dict of str to str
        Data sets that are unavailable, and why.
    """

    present: list[str] = field(default_factory=list)
    fetched: list[str] = field(default_factory=list)
    replaced: list[str] = field(default_factory=list)
    missing: dict[str, str] = field(default_factory=dict)


def fetch_datasets(names: Iterable[str], folder: Path) -> FetchReport:
    """Fetch the data sets that are not in the folder; continue after one that is unavailable.

    An archive that does not answer is asked once, so that a machine without a way to it waits
    for one timeout and not for one a data set.
    """
    report = FetchReport()
    unreachable: str | None = None
    for name in names:
        state = file_state(name, folder)
        if state == "ok":
            report.present.append(name)
            continue
        try:
            fetch_dataset(name, folder, unreachable=unreachable)
        except UnreachableError as error:
            unreachable = error.reason
            report.missing[name] = str(error)
            continue
        except (MissingDataError, ChecksumError) as error:
            report.missing[name] = str(error)
            continue
        report.fetched.append(name)
        if state == "changed":
            report.replaced.append(name)
    return report


def is_complete(folder: Path) -> bool:
    """Return whether the folder holds all data sets, unchanged, and nothing else."""
    files = {path.name for path in folder.iterdir()} if folder.is_dir() else set()
    return files == {entry.file for entry in catalogue().values()} and all(
        file_state(name, folder) == "ok" for name in catalogue()
    )


def store_in_dvc_cache(folder: Path, *, changed: bool = True) -> str | None:
    """Put the data folder into DVC's cache, if a `data.dvc` beside it tracks it.

    Only the catalogue's files and no others are stored, so that `data.dvc` stays as it is. With
    `changed=False` nothing is done if the cache has the folder.

    Returns
    -------
    str or None
        Why DVC did not take it, or None if it did or there is nothing to do.
    """
    pointer = folder.parent / f"{folder.name}.dvc"
    if not pointer.is_file() or not (folder.parent / ".dvc").is_dir():
        return None
    if not changed and _is_cached(pointer):
        return None
    if not is_complete(folder):
        return f"{folder} holds files that are not in the catalogue; move them elsewhere"
    command = [sys.executable, "-m", "dvc", "commit", "--quiet", "--force", pointer.name]
    try:
        done = subprocess.run(  # noqa: S603
            command,
            cwd=folder.parent,
            env={**os.environ, "DVC_NO_ANALYTICS": "1"},
            capture_output=True,
            text=True,
            timeout=_DVC_SECONDS,
            check=False,
        )
    except (OSError, subprocess.TimeoutExpired) as error:
        return str(error)
    return None if done.returncode == 0 else " ".join(done.stderr.split()) or "dvc commit failed"


def _is_cached(pointer: Path) -> bool:
    found = re.search(r"md5: ([0-9a-f]{2})([0-9a-f]+\.dir)", pointer.read_text("utf-8"))
    if found is None:
        return False
    return (pointer.parent / ".dvc/cache/files/md5" / found[1] / found[2]).is_file()
