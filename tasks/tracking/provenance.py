"""Where a model comes from: commit, data, packages, solver and its licence."""

from __future__ import annotations

import re
import shutil
import subprocess
from pathlib import Path

from smoothrank.datasets.files.paths import table_checksum
from tasks.problem.problem import versions
from tasks.problem.source import Source
from tasks.project.paths import project_home

_GIT_SECONDS = 10


def provenance(source: Source) -> dict[str, str]:
    """Return the tags that say what a model is made from."""
    tags = {
        "data.sha256": source.checksum,
        "data.path": source.path,
        **{f"version.{package}": number for package, number in versions().items()},
    }
    optional = {"mlflow.source.git.commit": git_commit(), "dvc.md5": dvc_md5(source)}
    return tags | {key: value for key, value in optional.items() if value}


def solver_tags(solver: str) -> dict[str, str]:
    """Return the tags that say what solved the linear programs."""
    return {"solver": solver, "solver.licence": solver_licence(solver)}


def git_commit() -> str | None:
    """Return the commit of the project folder, `-dirty` if files were changed; None without git."""
    git = shutil.which("git")
    if git is None:
        return None
    try:
        done = subprocess.run(  # noqa: S603
            [git, "describe", "--always", "--abbrev=40", "--dirty", "--exclude=*"],
            cwd=project_home(),
            capture_output=True,
            text=True,
            timeout=_GIT_SECONDS,
            check=False,
        )
    except (OSError, subprocess.TimeoutExpired):
        return None
    return done.stdout.strip() or None


def dvc_md5(source: Source) -> str | None:
    """Return the md5 under which DVC tracks the file or its folder; None if it does not."""
    path = Path(source.path)
    for tracked in (path, path.parent):
        pointer = tracked.parent / f"{tracked.name}.dvc"
        if pointer.is_file():
            found = re.search(r"md5: ([0-9a-f]{32}(?:\.dir)?)", pointer.read_text("utf-8"))
            return found[1] if found else None
    return None


def data_md5(source: Source) -> str:
    """Return the md5 of the file itself, as DVC counts it; of several, of their names and md5s."""
    return table_checksum(Path(source.path), "md5")


def solver_licence(solver: str) -> str:
    """Return in a few words what the solver may be used for."""
    from smoothrank.solvers.lp import backend, backend_names

    return backend(solver).licence_in_words() if solver in backend_names() else "none needed"
