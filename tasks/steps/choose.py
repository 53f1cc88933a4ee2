"""Choose C, scaling and number of prototypes from the fits."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from smoothrank.selection.choice import Candidate
from smoothrank.selection.halving import comparable
from tasks.problem.candidates import choice_of
from tasks.problem.problem import Problem
from tasks.results.fits import Chosen, Trained, all_fits


def choose(
    problem: Problem,
    trained: Sequence[Trained],
    finalists: Sequence[Candidate] | None = None,
    search: dict[str, Any] | None = None,
) -> Chosen:
    """Choose by the problem's rule, among candidates that have the same folds.

    Parameters
    ----------
    problem : Problem
        What is to be learnt.
    trained : sequence of dict
        The fits of all values.
    finalists : sequence of Candidate, optional
        Among whom to choose; all unless given. They are compared on the folds that all have.
    search : dict, optional
        The record of the search; see `tasks.steps.search.SearchRecord`.

    Returns
    -------
    dict
        `value`, `scale`, `n_prototypes`, `cv_auc_mean`, `cv_auc_std`, `search`, and `cv_auc`: a
        list of `[value, scale, mean]`, each over the folds that the candidate has.
    """
    fits = all_fits(trained)
    among = fits if finalists is None else {candidate: fits[candidate] for candidate in finalists}
    choice = choice_of(problem, comparable(among))
    means = {
        candidate: choice_of(problem, {candidate: folds}).cv_auc_mean
        for candidate, folds in fits.items()
    } | choice.cv_auc_by_value
    return {
        "value": choice.value,
        "scale": choice.scale,
        "n_prototypes": choice.n_prototypes,
        "cv_auc_mean": choice.cv_auc_mean,
        "cv_auc_std": choice.cv_auc_std,
        "cv_auc": [[value, scale, mean] for (value, scale), mean in means.items()],
        "search": search,
    }
