"""Sums of few trees or rules: FIGS and RuleFit."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from benchmarks.peers.participants.base import RANDOM_STATE, Participant, Shape, register

FIGS_RULES = (4, 8, 16)
RULEFIT_RULES = (10, 30)


def _figs(_: Shape) -> Sequence[Any]:
    from imodels import FIGSClassifier

    return [FIGSClassifier(max_rules=rules, random_state=RANDOM_STATE) for rules in FIGS_RULES]


def _rulefit(_: Shape) -> Sequence[Any]:
    """Return candidates whose penalty follows from the number of rules, without folds within."""
    from imodels import RuleFitClassifier

    return [
        RuleFitClassifier(max_rules=rules, cv=False, random_state=RANDOM_STATE)
        for rules in RULEFIT_RULES
    ]


def _n_splits(model: Any) -> int:
    return int(model.complexity_)


def _n_rules(model: Any) -> int:
    """Return the rules and linear terms that have a weight."""
    return int(sum(weight != 0 for weight in model.coef))


register(Participant("figs", "FIGS", _figs, _n_splits, "splits", needs=("imodels",)))
register(Participant("rulefit", "RuleFit", _rulefit, _n_rules, "rules", needs=("imodels",)))
