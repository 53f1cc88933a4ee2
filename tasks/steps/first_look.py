"""A first look at the data: unusable data is refused before anything is started."""

from __future__ import annotations

import os
from pathlib import Path

from smoothrank.datasets.files.paths import find_files
from smoothrank.errors import SmoothrankError
from smoothrank.selection.halving import fit_seconds
from smoothrank.tables.encoder import ColumnOptionError
from tasks.problem.problem import Problem, load_data
from tasks.project.mlflow_database import ensure_mlflow_database
from tasks.steps.search import plan_of
from tasks.validation.suites.location import suite_path_of

FEW_SECONDS = 18.0
"""Estimated CPU time up to which a second process costs more than it saves."""

LARGE_FILE = 2_000_000
"""Bytes from which a file surely has enough rows, and reading it twice would take a while."""


def first_look(problem: Problem, jobs: int) -> int:
    """Load the rows, and return how many processes are worth starting: one for a short search.

    A file that has been validated before is left to its suite, which says more; a large one is
    not read here.

    Raises
    ------
    SmoothrankError
        If the data cannot be read, has no two classes, or too few rows, or an option names a
        column that it does not have.
    """
    files = find_files(Path(problem.source.path))
    if sum(file.stat().st_size for file in files) > LARGE_FILE:
        return jobs
    try:
        n_rows, n_features = load_data(problem).X.shape
        plan = plan_of(problem)
    except ColumnOptionError:
        raise
    except SmoothrankError:
        if not problem.source.in_catalogue and suite_path_of(problem.name).exists():
            return jobs
        raise
    is_short = plan.n_fits * fit_seconds(n_rows, n_features) <= FEW_SECONDS
    return 1 if is_short else jobs


def load_ahead() -> None:
    """Load and prepare what validation and tracking will need, while a server is starting."""
    os.environ.setdefault("GX_ANALYTICS_ENABLED", "false")
    import great_expectations  # noqa: F401
    import matplotlib.backends.backend_agg  # noqa: F401
    import mlflow.pyfunc  # noqa: F401

    ensure_mlflow_database()
