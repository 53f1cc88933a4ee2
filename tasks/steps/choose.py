"""Choose C, scaling and number of prototypes from the fits."""

from __future__ import annotations

from collections.abc import Sequence

from smoothrank.selection.choice import Candidate
from smoothrank.selection.halving import comparable
from tasks.problem.candidates import choice_of
from tasks.problem.problem import Problem
from tasks.results.chosen import Chosen
from tasks.results.fits import Trained, all_fits
from tasks.results.search import SearchRecord


def choose(
    problem: Problem,
    trained: Sequence[Trained],
    finalists: Sequence[Candidate] | None = None,
    search: SearchRecord | None = None,
) -> Chosen:
    """Choose by the problem's rule, among candidates that have the same folds.

    Parameters
    ----------
    problem : Problem
        What is to be learnt.
    trained : sequence of Trained
        The fits of all values.
    finalists : sequence of Candidate, optional
        The candidates to choose from, by default all. They are compared on the folds that all have.
    search : SearchRecord, optional
        The record of the search.
    """
    fits = all_fits(trained)
    among = fits if finalists is None else {candidate: fits[candidate] for candidate in finalists}
    choice = choice_of(problem, comparable(among))
    means = {
        candidate: choice_of(problem, {candidate: folds}).cv_auc_mean
        for candidate, folds in fits.items()
    } | choice.cv_auc_by_value
    return Chosen(
        value=choice.value,
        scale=choice.scale,
        n_prototypes=choice.n_prototypes,
        cv_auc_mean=choice.cv_auc_mean,
        cv_auc_std=choice.cv_auc_std,
        cv_auc=means,
        search=search,
    )
