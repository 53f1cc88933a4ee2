"""smoothrank's own model, small and best, and at given numbers of columns."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from benchmarks.peers.participants.base import RANDOM_STATE, Participant, Shape, register

PREFIX = "smoothrank-"
SIZES: tuple[str | int, ...] = ("small", "best", 1, 2, 5, 10, 50)


def _with_size(size: str | int) -> Callable[[Shape], Sequence[Any]]:
    def candidates(_: Shape) -> Sequence[Any]:
        import smoothrank

        return [smoothrank.SmoothRanking(size=size, random_state=RANDOM_STATE, n_jobs=1)]

    return candidates


def _n_columns(model: Any) -> int:
    return int(model.n_columns_)


for _size in SIZES:
    register(
        Participant(
            f"{PREFIX}{_size}",
            f"smoothrank, {_size}" if isinstance(_size, str) else f"smoothrank, ≤ {_size} columns",
            _with_size(_size),
            _n_columns,
            "columns",
            has_probabilities=True,
        )
    )
