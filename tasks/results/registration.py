"""A version in the model registry, and what the gate decided about it."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True)
class Registration:
    """A registered version of a model.

    Parameters
    ----------
    model_name, model_version : str, int
        The version in the registry.
    promoted, reason : bool, str
        Whether it may become champion, and why or why not.
    """

    model_name: str
    model_version: int
    promoted: bool
    reason: str
