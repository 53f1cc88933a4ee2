"""What belongs to a user's own data: one folder for each data set, which git ignores."""

from __future__ import annotations

from pathlib import Path
from urllib.parse import quote

from tasks.project.identifier import identifier
from tasks.project.paths import project_home

SUITE = "suite.json"
SPLIT = "split.json"


def user_data_folder(name: str) -> Path:
    """Return the folder of a data set's suite, split and the like; it need not exist."""
    return project_home() / ".smoothrank" / "data" / quote(identifier(name), safe=" ")
