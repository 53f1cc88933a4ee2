"""The project folder and what lies in it: state, logs and tracked runs."""

from __future__ import annotations

import os
from pathlib import Path

from smoothrank.errors import SmoothrankError


def project_home() -> Path:
    """Return the project folder: `SMOOTHRANK_HOME`, or the working folder.

    Raises
    ------
    SmoothrankError
        If `SMOOTHRANK_HOME` names no folder.
    """
    home = Path(os.environ.get("SMOOTHRANK_HOME") or Path.cwd()).expanduser().resolve()
    if not home.is_dir():
        raise SmoothrankError(
            f"SMOOTHRANK_HOME is {home}, which is not a folder; create it, or unset the variable"
        )
    return home


def state_folder(*below: str) -> Path:
    """Return the folder `.smoothrank` of the project, or one below it, creating it if need be.

    It is open to its owner alone.
    """
    state = project_home() / ".smoothrank"
    state.mkdir(mode=0o700, exist_ok=True)
    folder = state.joinpath(*below)
    folder.mkdir(parents=True, exist_ok=True)
    return folder


def artifact_folder() -> Path:
    """Return the folder in which MLflow keeps the files of runs."""
    return project_home() / "mlruns" / "artifacts"
