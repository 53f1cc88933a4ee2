"""Fit the chosen candidate on the whole training part."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

from smoothrank.errors import SmoothrankError
from smoothrank.estimators.foreign import as_ranking
from smoothrank.persistence.model_file import load_tabular_model, save_model
from smoothrank.tables.tabular_model import TabularModel
from tasks.assessment.drift import model_profile
from tasks.problem.candidates import make_estimator
from tasks.problem.problem import Problem, load_data
from tasks.results.chosen import Chosen
from tasks.workers.fit_notes import models_folder


def refit(problem: Problem, chosen: Chosen) -> str:
    """Fit the model, and return the folder it is saved in; an existing one is kept.

    The threshold does not affect the fit: an existing model gets the one requested now.
    """
    recipe = (chosen.value, chosen.scale, chosen.n_prototypes)
    folder = models_folder(problem) / "_".join(map(str, recipe))
    model = _saved(folder)
    if model is not None and model.threshold == problem.threshold:
        return str(folder)
    if model is None:
        model = _fitted(problem, chosen)
    return str(save_model(replace(model, threshold=problem.threshold), folder))


def _fitted(problem: Problem, chosen: Chosen) -> TabularModel:
    data = load_data(problem)
    estimator = as_ranking(make_estimator(problem, *chosen.candidate, chosen.n_prototypes))
    estimator.fit(data.X[data.train], data.y[data.train])
    schema = data.dataset.schema
    return TabularModel(
        data.encoder,
        estimator,
        schema.target.name,
        data.negative,
        schema.positive,
        profile=model_profile(data),
        style=data.dataset.style,
    )


def _saved(folder: Path) -> TabularModel | None:
    try:
        return load_tabular_model(folder)
    except (SmoothrankError, OSError):
        return None
