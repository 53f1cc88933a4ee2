"""Fit the chosen candidate on the whole training part."""

from __future__ import annotations

from pathlib import Path

from smoothrank.errors import SmoothrankError
from smoothrank.tabular import TabularModel
from tasks.choose import Chosen
from tasks.drift import model_profile
from tasks.home import state_folder
from tasks.problem import Problem, load_data
from tasks.train import make_estimator


def refit(problem: Problem, chosen: Chosen) -> str:
    """Fit the model, and give the folder it is saved in; one that is there already is kept."""
    folder = state_folder("models") / problem.key
    if _is_whole(folder):
        return str(folder)
    data = load_data(problem)
    estimator = make_estimator(problem, chosen["value"], chosen["scale"], chosen["n_prototypes"])
    estimator.fit(data.X[data.train], data.y[data.train])
    schema = data.dataset.schema
    model = TabularModel(
        data.encoder,
        estimator,
        schema.target.name,
        data.negative,
        schema.positive,
        profile=model_profile(data),
    )
    return str(model.save(folder))


def _is_whole(folder: Path) -> bool:
    try:
        TabularModel.load(folder)
    except (SmoothrankError, OSError):
        return False
    return True
