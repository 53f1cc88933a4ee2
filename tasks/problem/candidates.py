"""The estimator of a candidate, and the rule by which one is chosen."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from smoothrank.estimators.ranking_classifier import RankingClassifier
from smoothrank.selection.choice import Choice
from smoothrank.selection.experiment import choose, with_settings
from smoothrank.selection.fold_fit import FoldFit
from smoothrank.selection.methods import Method, method
from tasks.problem.problem import Problem


def make_estimator(
    problem: Problem, value: float, scale: str | None, n_prototypes: int | None = None
) -> Any:
    """Return the method's estimator for one candidate."""
    return method_for(problem, scale, n_prototypes).make(value)


def method_for(problem: Problem, scale: str | None, n_prototypes: int | None = None) -> Method:
    """Return the problem's method with the settings of its selection and one scaling."""
    chosen = method(problem.method)
    return with_settings(chosen, problem.selection, scale, problem.solver, n_prototypes)


def is_foreign(problem: Problem) -> bool:
    """Return whether the method is a classifier of another package."""
    return not isinstance(method(problem.method).make(problem.grid[0]), RankingClassifier)


def choice_of(
    problem: Problem, fits: dict[tuple[float, str | None], Sequence[FoldFit]] | Any
) -> Choice:
    """Choose among candidates by the problem's rule."""
    return choose(method(problem.method), problem.selection, fits)
