"""Where a project keeps what it makes, said once."""

from __future__ import annotations

import typer


def say_where_state_is() -> None:
    """Say on stderr where runs, models and state go, if nothing is there yet."""
    from tasks.home import project_home

    home = project_home()
    if not (home / ".smoothrank").exists():
        typer.echo(
            f"kept in {home}: runs and models in mlruns, the rest in .smoothrank "
            "(SMOOTHRANK_HOME names another folder)",
            err=True,
        )
