"""Other methods that learn to rank: RankBoost and RankNet."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from benchmarks.peers.participants.base import Participant, Shape, path_over, register
from smoothrank.arrays import Matrix, Vector


def _candidates(name: str) -> Sequence[Any]:
    from smoothrank.selection.methods import method

    chosen = method(name)
    return [chosen.make(value) for value in chosen.grid]


def _rank_boost(_: Shape) -> Sequence[Any]:
    return _candidates("rank-boost")


def _rank_net(_: Shape) -> Sequence[Any]:
    return _candidates("rank-net")


def _after(model: Any, rows: Matrix, rounds: int) -> Vector:
    scores: Vector = model.model_.first(rounds).score(rows)
    return scores


def _n_columns(model: Any) -> int:
    return int(model.n_columns_)


register(
    Participant(
        "rank-boost",
        "RankBoost",
        _rank_boost,
        _n_columns,
        "thresholds",
        has_probabilities=True,
        scores=path_over("n_rounds", _after),
    )
)
register(
    Participant(
        "rank-net", "RankNet", _rank_net, _n_columns, "hidden units", has_probabilities=True
    )
)
