"""Where a project keeps its files: a note printed by the first run in it."""

from __future__ import annotations

from collections.abc import Callable

import typer


def new_project_note() -> Callable[[], None]:
    """Check before a run whether the project is new; return a function that reports it later."""
    from tasks.project.mlflow_store import mlflow_store
    from tasks.project.paths import project_home

    home = project_home()
    is_new = not (home / ".smoothrank").exists()

    def say() -> None:
        if is_new:
            runs = "runs and models in mlruns, the rest in .smoothrank"
            kept = ".smoothrank" if mlflow_store().kind == "server" else runs
            typer.echo(
                f"kept in {home}: {kept} (SMOOTHRANK_HOME names another folder)",
                err=True,
            )

    return say
