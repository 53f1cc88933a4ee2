"""Whether a database of the project is whole, and open to its owner alone."""

from __future__ import annotations

import sqlite3
from contextlib import closing
from pathlib import Path
from urllib.parse import quote

from smoothrank.errors import SmoothrankError

PRIVATE = 0o600
PATIENCE = 60.0
"""Seconds to wait for another program that writes."""


class DamagedDatabaseError(SmoothrankError):
    """A database cannot be used as it is."""


def check_database(path: Path) -> None:
    """Refuse a damaged database; where there is none, all is well.

    Raises
    ------
    DamagedDatabaseError
        If it is empty, cut off, or something else.
    """
    if path.exists() and (fault := database_fault(path)):
        raise DamagedDatabaseError(damage_text(path, fault))


def damage_text(path: Path, fault: str) -> str:
    """Return what is wrong, and how to go on."""
    aside = f"{path.name}.damaged"
    return (
        f"{path} {fault}; restore a copy of it, or set it aside (mv {path.name} {aside} in its "
        "folder), and a new one is made, without what the old one recorded"
    )


def database_fault(path: Path, *, thorough: bool = False) -> str | None:
    """Return what is wrong with a database; None if it is whole.

    Parameters
    ----------
    path : Path
        The file.
    thorough : bool
        Whether to compare indices with tables as well, which takes longer.
    """
    try:
        if path.stat().st_size == 0:
            return "is empty (0 bytes)"
        test = "integrity_check" if thorough else "quick_check"
        reading = f"file:{quote(str(path))}?mode=ro"
        with closing(sqlite3.connect(reading, timeout=PATIENCE, uri=True)) as tables:
            found = tables.execute(f"PRAGMA {test}(1)").fetchone()
    except sqlite3.OperationalError as error:
        return None if "locked" in str(error) else f"cannot be opened ({error})"
    except sqlite3.DatabaseError as error:
        return f"is damaged ({error})"
    except OSError as error:
        return f"cannot be read ({error.strerror or error})"
    return None if found == ("ok",) else f"is damaged ({' '.join(str(found[0]).split())})"


def make_private(path: Path) -> None:
    """Let nobody but the owner read a database."""
    if path.exists() and path.stat().st_mode & 0o077:
        path.chmod(PRIVATE)
