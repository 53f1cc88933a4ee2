"""Where suites lie: those of the catalogue in the repository, a user's own in the state folder."""

from __future__ import annotations

from pathlib import Path

from smoothrank.datasets.catalogue.catalogue import catalogue
from tasks.project.user_data import SUITE, user_data_folder


def suite_path_of(name: str) -> Path:
    """Return the place of the suite of a user's data set; it need not exist."""
    return user_data_folder(name) / SUITE


def adopt_old_suite(name: str) -> str | None:
    """Move a suite that an earlier version wrote among those of the catalogue to its place.

    Returns
    -------
    str or None
        What was done, in a sentence, if anything was.
    """
    old, new = expectations_folder() / f"{name}.json", suite_path_of(name)
    if name in catalogue() or new.exists() or not old.is_file():
        return None
    new.parent.mkdir(parents=True, exist_ok=True)
    old.replace(new)
    return f"the suite of {name} was moved from {old} to {new}, where git does not see it"


def expectations_folder() -> Path:
    """Return the folder of the catalogue's suites; it need not exist.

    `expectations` next to the `data.dvc` of the working folder or of one above it; else in the
    working folder.
    """
    here = Path.cwd()
    project = next((at for at in (here, *here.parents) if (at / "data.dvc").is_file()), here)
    return project / "expectations"
