"""Which method a run fits: the one that was asked for, or that of `params.yaml`."""

from __future__ import annotations

from typing import TYPE_CHECKING

from tasks.project.config import FILE, ConfigError, Params

if TYPE_CHECKING:
    from smoothrank.selection.methods import Method


def method_of(name: str | None, params: Params) -> Method:
    """Return the method of a name; without one, that of `params`.

    Raises
    ------
    SmoothrankError
        If there is no such method; `ConfigError` if it is the configuration that names it.
    """
    from smoothrank.selection.methods import method, method_names

    if name is not None:
        return method(name)
    usual, known = params.training.method, method_names()
    if usual not in known:
        raise ConfigError(
            f"{FILE}: training.method is {usual!r}, but it is not one of {', '.join(known)}"
        )
    return method(usual)
