"""Drift: how far rows are from those that a model was trained on, column by column."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

from smoothrank.errors import SmoothrankError
from smoothrank.tables.profile import Profile, profile_of, shifts
from tasks.project.progress import listener
from tasks.results.drift import LIMIT, Drift

if TYPE_CHECKING:
    import pandas as pd

    from tasks.problem.problem import Data, Problem
    from tasks.tracking.mlflow_runs import AttemptRuns

FEWEST_ROWS = 50


def model_profile(data: Data) -> Profile:
    """Return the distribution of the training rows, in the columns that the model uses."""
    names = [column.name for column in data.encoder.columns_]
    return profile_of(data.dataset.X.iloc[data.train][names])


def drift_of(profile: Profile | None, rows: pd.DataFrame) -> Drift | None:
    """Compare rows with a profile; None without a profile or with too few rows."""
    if profile is None or len(rows) < FEWEST_ROWS:
        return None
    found = sorted(shifts(profile, rows).items(), key=lambda pair: -pair[1].psi)
    moved = tuple(name for name, shift in found if shift.psi > max(LIMIT, shift.noise))
    return Drift({name: shift.psi for name, shift in found}, moved)


def note_drift(problem: Problem, runs: AttemptRuns) -> Drift | None:
    """Compare the rows of a run with the champion's training rows; report and track drift.

    Rows that the champion was trained on are left out where enough others are there, so that a
    small addition to a large file is noticed.

    Returns
    -------
    Drift or None
        The drift, if there is a champion and there are rows enough.
    """
    from tasks.problem.problem import load_data
    from tasks.tracking.mlflow_runs import PARENT

    data = load_data(problem)
    champion = _champion_profile(problem.name)
    rows = data.dataset.X if champion is None else _rows_to_judge(problem.name, data)
    drift = drift_of(champion, rows)
    if drift is None:
        return None
    line = drift.line("the champion's training rows")
    if line:
        listener().note(line)
    run = runs.known[PARENT]
    points = [("drift_max", drift.largest, 0), ("drift_rows", float(len(rows)), 0)]
    runs.write(run, points, tags={"drift": line or "none"})
    runs.write_file(run, "drift.csv", drift.to_csv().encode())
    text = json.dumps(drift.to_dict(), ensure_ascii=False)
    runs.write_file(run, "drift.json", text.encode())
    return drift


def _rows_to_judge(dataset: str, data: Data) -> pd.DataFrame:
    """Return the rows that the champion was not trained on, or all if those are too few."""
    from tasks.problem.training_rows import FILES, seen_rows
    from tasks.tracking.artifacts import local_folder
    from tasks.tracking.champion import CHAMPION, model_name
    from tasks.tracking.mlflow_runs import mlflow_client

    client = mlflow_client()
    version = client.get_model_version_by_alias(model_name(dataset), CHAMPION)
    run = client.get_run(version.run_id)
    with local_folder(run.info.artifact_uri, FILES) as files:
        seen = seen_rows(files, data.split)
    if seen is None or len(seen) - seen.sum() < FEWEST_ROWS:
        return data.dataset.X
    return data.dataset.X[~seen]


def _champion_profile(dataset: str) -> Profile | None:
    from tasks.tracking.champion import CHAMPION, model_name
    from tasks.tracking.served_model import load_served_model

    try:
        return load_served_model(f"models:/{model_name(dataset)}@{CHAMPION}").profile
    except SmoothrankError:
        return None
