"""Paths as a person would type them."""

from __future__ import annotations

from pathlib import Path


def short_path(path: Path) -> str:
    """Return a path as text, relative to the working folder if it lies below it."""
    here = Path.cwd()
    return str(path.relative_to(here)) if path.is_relative_to(here) else str(path)
