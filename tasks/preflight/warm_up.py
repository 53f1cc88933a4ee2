"""What takes long to load is loaded while a server is starting."""

from __future__ import annotations

import os

from tasks.project.mlflow_store import ensure_mlflow_store


def load_ahead() -> None:
    """Load and prepare what validation and tracking will need, while a server is starting."""
    os.environ.setdefault("GX_ANALYTICS_ENABLED", "false")
    import great_expectations  # noqa: F401
    import matplotlib.backends.backend_agg  # noqa: F401
    import mlflow.pyfunc  # noqa: F401

    ensure_mlflow_store()
