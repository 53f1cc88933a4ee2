"""The fits of candidates on folds, and what was chosen among them."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from smoothrank.selection.choice import Candidate
from smoothrank.selection.fold_fit import FoldFit

Trained = dict[str, Any]
"""A value of C and its fits, as plain values."""

Chosen = dict[str, Any]
"""What was chosen, as plain values."""


def fold_fit(record: dict[str, Any]) -> FoldFit:
    """A fit from its plain values."""
    return FoldFit(**{**record, "auc_by_iteration": tuple(record["auc_by_iteration"])})


def all_fits(trained: Sequence[Trained]) -> dict[Candidate, list[FoldFit]]:
    """The fits of all candidates, by value and scaling."""
    return {
        (record["value"], None if scale == "none" else scale): [fold_fit(fit) for fit in fits]
        for record in trained
        for scale, fits in record["fits"].items()
    }


def furthest(fits: dict[Candidate, list[FoldFit]]) -> dict[Candidate, list[FoldFit]]:
    """Return the candidates that have the most folds."""
    most = max(map(len, fits.values()))
    return {candidate: folds for candidate, folds in fits.items() if len(folds) == most}
