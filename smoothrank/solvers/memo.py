"""A cache of the latest results."""

from __future__ import annotations

import hashlib
from collections import OrderedDict
from collections.abc import Callable
from threading import Lock
from typing import Generic, TypeVar

Result = TypeVar("Result")


class Memo(Generic[Result]):
    """The latest results of a computation that depends only on its key.

    Parameters
    ----------
    size : int
        The most results that are kept.
    """

    def __init__(self, size: int) -> None:
        self._size = size
        self._known: OrderedDict[bytes, Result] = OrderedDict()
        self._lock = Lock()

    def get_or_make(self, key: tuple[bytes, ...], make: Callable[[], Result]) -> Result:
        """Return the result stored under the key, or compute it."""
        name = fingerprint(*key)
        with self._lock:
            if name in self._known:
                self._known.move_to_end(name)
                return self._known[name]
        made = make()
        with self._lock:
            self._known[name] = made
            if len(self._known) > self._size:
                self._known.popitem(last=False)
        return made


def fingerprint(*parts: bytes) -> bytes:
    """Return a checksum of some byte strings, each with its length."""
    digest = hashlib.blake2b(digest_size=20)
    for part in parts:
        digest.update(len(part).to_bytes(8, "little"))
        digest.update(part)
    return digest.digest()
