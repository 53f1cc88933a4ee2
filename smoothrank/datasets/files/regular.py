"""Reading a file of bytes: only regular ones, and never more than a limit.

A link to a device has no end, and a pipe that nobody writes to never begins. What a path leads to
is asked of the opened file itself, so that it cannot be exchanged in between.
"""

from __future__ import annotations

import errno
import os
import stat
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import BinaryIO

_CHUNK = 1024**2
_KINDS = {
    stat.S_IFDIR: "a folder",
    stat.S_IFIFO: "a pipe",
    stat.S_IFCHR: "a device",
    stat.S_IFBLK: "a device",
    stat.S_IFSOCK: "a socket",
}


@contextmanager
def opened(path: Path) -> Iterator[BinaryIO]:
    """Open a regular file, or a link to one, for reading.

    Raises
    ------
    OSError
        If it cannot be opened, or is a folder, pipe, socket or device; `strerror` says which.
    """
    handle = os.open(path, os.O_RDONLY | os.O_NONBLOCK | os.O_CLOEXEC)
    mode = os.fstat(handle).st_mode
    if not stat.S_ISREG(mode):
        os.close(handle)
        raise OSError(errno.EINVAL, f"it is {kind_of(mode)} and not a regular file")
    with os.fdopen(handle, "rb") as file:
        yield file


def kind_of(mode: int) -> str:
    """Say what a path leads to, if not to a regular file."""
    return _KINDS.get(stat.S_IFMT(mode), "something else")


def read_bytes(path: Path, most: int) -> bytes:
    """Return the contents of a regular file.

    Parameters
    ----------
    path : Path
        The file, or a link to it.
    most : int
        The most bytes that it may have.

    Raises
    ------
    OSError
        If it is not a regular file, cannot be read, or is too large; `strerror` says which.
    """
    parts: list[bytes] = []
    with opened(path) as file:
        size = os.fstat(file.fileno()).st_size
        total = 0
        while max(size, total) <= most:
            part = file.read(_CHUNK)
            if not part:
                return b"".join(parts)
            parts.append(part)
            total += len(part)
    found = _megabytes(max(size, total))
    raise OSError(errno.EFBIG, f"it has {found}, and at most {_megabytes(most)} are read")


def _megabytes(size: int) -> str:
    return f"{size / 1024**2:,.0f} MB"
