"""Compare two models by their recipes: both refitted on the same folds of all present rows."""

from __future__ import annotations

import time
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from smoothrank.arrays import Labels, Matrix
from smoothrank.persistence.model_file import load_tabular_model
from smoothrank.selection.folds import Folds
from smoothrank.selection.halving import stratified_sample
from smoothrank.tables.tabular_model import TabularModel
from tasks.problem.problem import Problem, load_data

MOST_ROWS = 5_000
"""Larger tables are compared on a sample of this many rows."""

LONGEST_SECONDS = 30.0
"""No fold is begun after this time,"""

LEAST_FOLDS = 5
"""but so many are fitted at least."""


@dataclass(frozen=True)
class RecipeComparison:
    """Two recipes on the same folds.

    Parameters
    ----------
    new, old : tuple of float
        The validation AUC of challenger and champion on each fold.
    share : float
        Validation rows per training row.
    n_rows : int
        How many rows the folds are cut from.
    same : bool
        Whether the recipes are equal.
    """

    new: tuple[float, ...]
    old: tuple[float, ...]
    share: float
    n_rows: int
    same: bool


def recipe_comparison(problem: Problem, champion: str, challenger: str) -> RecipeComparison:
    """Fit the recipes of two models on the same folds; the rows that either was made from are used.

    A recipe is the method with all of its parameters, and the columns that it learns from. Equal
    recipes give equal models, and are fitted once. Slow recipes are compared on fewer folds.

    Parameters
    ----------
    problem : Problem
        What is to be learnt.
    champion, challenger : str
        The folders of both models.
    """
    from tasks.problem.folds import honest_folds_of
    from tasks.tracking.served_model import load_served_model

    data = load_data(problem)
    old, new = load_served_model(champion), load_tabular_model(challenger)
    rows = stratified_sample(data.y, MOST_ROWS, problem.fold_seed)
    folds = honest_folds_of(problem, data, rows)
    share = float(np.mean([len(validation) / len(train) for train, validation in folds]))
    same = same_recipe(old, new)
    y, frame = data.y[rows], data.dataset.X.iloc[rows]
    models = [new] if same else [new, old]
    recipes = [_Recipe(_unfitted(model, problem), model.encode(frame)) for model in models]
    aucs = list(zip(*_fold_by_fold(recipes, y, folds), strict=True))
    return RecipeComparison(aucs[0], aucs[-1], share, len(rows), same)


@dataclass(frozen=True)
class _Recipe:
    estimator: Any
    X: Matrix


def _fold_by_fold(
    recipes: Sequence[_Recipe], y: Labels, folds: Folds
) -> Iterator[tuple[float, ...]]:
    """Return the validation AUC of all recipes on each fold, while there is time."""
    from smoothrank.selection.fold_fit import fit_fold

    end = time.monotonic() + LONGEST_SECONDS
    for number, fold in enumerate(folds):
        if number >= LEAST_FOLDS and time.monotonic() > end:
            return
        fits = (fit_fold(recipe.estimator, recipe.X, y, *fold) for recipe in recipes)
        yield tuple(fit.auc_by_iteration[-1] for fit in fits)


def same_recipe(old: TabularModel, new: TabularModel) -> bool:
    """Return whether two models differ only in their training rows."""
    if type(old.classifier) is not type(new.classifier) or old.features != new.features:
        return False
    return _parameters(old) == _parameters(new)


def _parameters(model: TabularModel) -> dict[str, object]:
    """Return all parameters of a recipe, except the solver."""
    given = model.classifier.get_params()
    return {key: value for key, value in given.items() if key not in ("callback", "solver")}


def _unfitted(model: TabularModel, problem: Problem) -> Any:
    from sklearn.base import clone

    estimator = clone(model.classifier)
    if "solver" in estimator.get_params():
        estimator.set_params(solver=problem.solver)
    return estimator
