"""k-nearest neighbours on standardised features."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from benchmarks.peers.participants.base import Participant, Shape, register, standardised

GRID = (1, 3, 5, 11, 21, 41)


def _candidates(shape: Shape) -> Sequence[Any]:
    from sklearn.neighbors import KNeighborsClassifier

    return [
        standardised(KNeighborsClassifier(k, weights="distance"))
        for k in GRID
        if k <= shape.n_rows_of_fold
    ]


def _n_rows(model: Any) -> int:
    return int(model[-1].n_samples_fit_)


register(
    Participant("k-nearest-neighbours", "k-nearest neighbours", _candidates, _n_rows, "stored rows")
)
