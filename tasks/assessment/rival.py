"""The champion as the challenger's rival: both on rows that neither has seen, or on folds."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np

from smoothrank.errors import SmoothrankError
from smoothrank.evaluation.delong import AucComparison, compare_auc
from smoothrank.evaluation.resampled_test import compare_folds
from smoothrank.persistence.model_file import load_tabular_model
from tasks.assessment.recipe_comparison import RecipeComparison, recipe_comparison
from tasks.problem.folds import rows_checksum
from tasks.problem.problem import Data, Problem, load_data
from tasks.problem.split_rule import Flags
from tasks.problem.training_rows import FILES, unseen_rows
from tasks.tracking.artifacts import MODEL_PARTS, local_folder
from tasks.workers.training_processes import work_on

LEAST_ROWS = 10
"""Rows of each class that a comparison on unseen rows needs.

The paired test takes means over each class for normal. Simulated with a limit of 5 %, an equal
challenger is refused in 3 to 7 % of cases with ten rows of the rarer class, with two or three in
up to 15 %.
"""

UNSEEN, FOLDS, NOTHING = "unseen rows", "folds", "nothing"


@dataclass(frozen=True)
class Rival:
    """The champion, and how the challenger does against it.

    Parameters
    ----------
    version : str or None
        Its version; None if there is no champion.
    comparison : AucComparison or None
        Challenger against champion; None if they could not be compared.
    obstacle : str or None
        Why they could not.
    basis : str
        What they were compared on: unseen rows, folds, or nothing.
    where : str
        The same for people, as it follows "not worse than the champion".
    n_unseen, n_unseen_positive : int or None
        Test rows that the champion was not trained on; None if that is not known.
    """

    version: str | None
    comparison: AucComparison | None = None
    obstacle: str | None = None
    basis: str = NOTHING
    where: str = ""
    n_unseen: int | None = None
    n_unseen_positive: int | None = None


def find_rival(client: Any, name: str, champion: str | None, problem: Problem, new: str) -> Rival:
    """Compare a challenger with the champion.

    Parameters
    ----------
    client : mlflow.MlflowClient
        The registry.
    name, champion : str
        The registered model and the champion's version, if there is one.
    problem : Problem
        What is to be learnt.
    new : str
        The folder of the challenger.
    """
    if champion is None:
        return Rival(None)
    run = client.get_run(client.get_model_version(name, champion).run_id)
    place = client.get_model_version_download_uri(name, champion)
    with local_folder(place, MODEL_PARTS) as folder:
        return _compare(champion, str(folder), run, problem, new)


def _compare(champion: str, place: str, run: Any, problem: Problem, new: str) -> Rival:
    """Compare a challenger with the champion in a folder, which a run has made."""
    from tasks.tracking.served_model import load_served_model

    data = load_data(problem)
    try:
        old = load_served_model(place)
        scores = old.decision_function(data.raw_test)
    except SmoothrankError as error:
        return Rival(champion, obstacle=str(error))
    schema = data.dataset.schema
    if (old.target, old.positive) != (schema.target.name, schema.positive):
        told = f"it tells {old.positive!r} of {old.target!r} from the rest"
        return Rival(champion, obstacle=told)
    unseen = _unseen(run, data, problem)
    if unseen is None or not _enough(unseen, data):
        return _on_folds(champion, place, problem, new, _why_folds(unseen, data))
    rows = data.raw_test[unseen]
    is_positive = data.y[data.test][unseen] == 1
    comparison = compare_auc(
        load_tabular_model(new).decision_function(rows), scores[unseen], is_positive
    )
    counts = len(is_positive), int(np.sum(is_positive))
    where = f" on {counts[0]} rows that neither has seen ({counts[1]} positive)"
    return Rival(champion, comparison, None, UNSEEN, where, *counts)


def _unseen(run: Any, data: Data, problem: Problem) -> Flags | None:
    """Return which test rows the champion has not seen; by data and split if it kept no hashes."""
    with local_folder(run.info.artifact_uri, FILES) as files:
        found = unseen_rows(files, data.split)
    if found is not None:
        return found
    same_data = run.data.tags.get("data.sha256") == problem.source.checksum
    if same_data and run.data.params.get("test_rows") == rows_checksum(data.test):
        return np.ones(len(data.test), dtype=np.bool_)
    return None


def _enough(unseen: Flags, data: Data) -> bool:
    positives = int(np.sum(data.y[data.test][unseen] == 1))
    return min(positives, int(np.sum(unseen)) - positives) >= LEAST_ROWS


def _why_folds(unseen: Flags | None, data: Data) -> tuple[str, int | None, int | None]:
    if unseen is None:
        return "it is not known which rows the champion was trained on", None, None
    count, positives = int(np.sum(unseen)), int(np.sum(data.y[data.test][unseen] == 1))
    why = (
        f"only {positives} positive and {count - positives} negative test rows are new to the "
        f"champion, and {LEAST_ROWS} of each are needed"
    )
    return why, count, positives


def _on_folds(
    champion: str,
    place: str,
    problem: Problem,
    new: str,
    why: tuple[str, int | None, int | None],
) -> Rival:
    text, *counts = why
    try:
        found: RecipeComparison = work_on(problem, recipe_comparison, place, str(Path(new)))
        comparison = compare_folds(found.new, found.old, found.share)
    except SmoothrankError as error:
        return Rival(champion, None, f"{text}; {error}", NOTHING, "", *counts)
    fitted = "of the same recipe" if found.same else "both refitted"
    where = f" in {len(found.new)} folds of {found.n_rows} rows, {fitted} ({text})"
    return Rival(champion, comparison, None, FOLDS, where, *counts)
