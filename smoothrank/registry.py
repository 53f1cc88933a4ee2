"""Entries that are known by name, and can be added from outside."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Generic, Protocol, TypeVar

from smoothrank.errors import SmoothrankError


class Named(Protocol):
    """What has a name."""

    @property
    def name(self) -> str:
        """The name."""
        ...


Entry = TypeVar("Entry", bound=Named)


class Registry(Generic[Entry]):
    """Entries of one kind, in the order in which they were added.

    Parameters
    ----------
    kind : str
        What an entry is, for messages.
    error : type of SmoothrankError
        What is raised.
    reserved : tuple of str
        Names that no entry may have.
    """

    def __init__(
        self,
        kind: str,
        error: type[SmoothrankError] = SmoothrankError,
        reserved: tuple[str, ...] = (),
    ) -> None:
        self._kind, self._error, self._reserved = kind, error, reserved
        self._entries: dict[str, Entry] = {}

    def add(self, entry: Entry) -> None:
        """Make an entry known by its name; a name that is taken is refused."""
        if entry.name in (*self._reserved, *self._entries):
            raise self._error(
                f"There is a {self._kind} {entry.name!r} already. Choose another name for yours."
            )
        self._entries[entry.name] = entry

    def remove(self, name: str) -> None:
        """Forget an entry."""
        del self._entries[name]

    def __getitem__(self, name: str) -> Entry:
        if name not in self._entries:
            known = ", ".join(self.names())
            raise self._error(f"There is no {self._kind} {name!r}. Known are: {known}.")
        return self._entries[name]

    def __iter__(self) -> Iterator[Entry]:
        return iter(self._entries.values())

    def names(self) -> tuple[str, ...]:
        """Return the names that are known."""
        return tuple(self._entries)
