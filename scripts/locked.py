"""The packages of `requirements.lock`, which are listed, audited and installed."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

from packaging.requirements import Requirement
from packaging.utils import canonicalize_name

ROOT = Path(__file__).resolve().parents[1]
LOCK = ROOT / "requirements.lock"


@dataclass(frozen=True)
class LockedPackage:
    """One entry of the lock file.

    Parameters
    ----------
    name
        Its normalised name.
    version
        Its only version.
    marker
        On which Pythons and systems it is installed; empty for all.
    sha256
        The checksums of the files that may be installed.
    """

    name: str
    version: str
    marker: str
    sha256: tuple[str, ...]


def locked_packages(lock: Path = LOCK) -> list[LockedPackage]:
    """Return the entries of a lock file, in its order."""
    entries = lock.read_text("utf-8").replace("\\\n", " ").splitlines()
    return [_package(entry) for entry in entries if entry.strip()]


def _package(entry: str) -> LockedPackage:
    needed, *hashes = entry.split("--hash=sha256:")
    requirement = Requirement(needed)
    (pin,) = requirement.specifier
    return LockedPackage(
        canonicalize_name(requirement.name),
        pin.version,
        str(requirement.marker or ""),
        tuple(sorted(found.strip() for found in hashes)),
    )
