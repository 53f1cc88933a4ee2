"""Choose C, scaling and number of prototypes from the fits."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from smoothrank.honest import Candidate, FoldFit
from tasks.problem import Problem
from tasks.train import Trained, choice_of, fold_fit

Chosen = dict[str, Any]
"""What was chosen, as plain values."""


def choose(problem: Problem, trained: Sequence[Trained]) -> Chosen:
    """Choose by the problem's rule.

    Returns
    -------
    dict
        `value`, `scale`, `n_prototypes`, `cv_auc_mean`, `cv_auc_std`, and `cv_auc`: a list of
        `[value, scale, mean]`.
    """
    choice = choice_of(problem, all_fits(trained))
    return {
        "value": choice.value,
        "scale": choice.scale,
        "n_prototypes": choice.n_prototypes,
        "cv_auc_mean": choice.cv_auc_mean,
        "cv_auc_std": choice.cv_auc_std,
        "cv_auc": [[value, scale, mean] for (value, scale), mean in choice.cv_auc_by_value.items()],
    }


def all_fits(trained: Sequence[Trained]) -> dict[Candidate, list[FoldFit]]:
    """The fits of all candidates, by value and scaling."""
    return {
        (record["value"], None if scale == "none" else scale): [fold_fit(fit) for fit in fits]
        for record in trained
        for scale, fits in record["fits"].items()
    }
