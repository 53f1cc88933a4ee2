"""The methods that take part, by name; one file for each family of them."""

from __future__ import annotations

from benchmarks.peers.participants import (  # noqa: F401
    boosting,
    forests,
    kernel,
    linear,
    neighbours,
    ours,
    ranking,
    rules,
)
from benchmarks.peers.participants.base import (
    PARTICIPANTS,
    Participant,
    Shape,
    missing_packages,
)

__all__ = ["PARTICIPANTS", "Participant", "Shape", "missing_packages"]
