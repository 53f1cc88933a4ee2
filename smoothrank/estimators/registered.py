"""Parameters of estimators that name an entry of a registry."""

from __future__ import annotations

from collections.abc import Callable, Iterable

from sklearn.utils._param_validation import StrOptions


class Registered(StrOptions):
    """A name that a registry knows at the moment of the check, so that later entries count.

    Parameters
    ----------
    names : callable
        Returns the names.
    """

    def __init__(self, names: Callable[[], Iterable[str]]) -> None:
        self._names = names
        super().__init__(set(names()))

    @property
    def options(self) -> set[str]:
        """The names."""
        return set(self._names())

    @options.setter
    def options(self, given: set[str]) -> None: ...
