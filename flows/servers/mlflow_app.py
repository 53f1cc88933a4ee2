"""MLflow's application, closed to other web pages.

MLflow refuses requests of other pages by itself, but not those of a page that any other program
serves on this machine. `mlflow server --app-name smoothrank` finds this factory by its entry point.
"""

from __future__ import annotations

import os

from flows.servers.same_origin import SameOrigin

PORT = "SMOOTHRANK_MLFLOW_PORT"
"""The variable that tells the application its port."""


def guarded() -> SameOrigin:
    """Return the application."""
    from mlflow.server.fastapi_app import app

    return SameOrigin(app, int(os.environ[PORT]))
