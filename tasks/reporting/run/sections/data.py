"""What was read, recognised and left out."""

from __future__ import annotations

from tasks.reporting.pages import macros
from tasks.reporting.run.run_facts import Run


def content(run: Run) -> list[str]:
    """Return what the section shows."""
    data, notes = run.data, run.outcome.notes
    rows, columns = data.dataset.X.shape
    told = (
        f"{rows:,} rows of {columns:,} columns became {data.X.shape[1]:,} features; "
        f"{len(data.train):,} rows to train and {len(data.test):,} to test. "
        f"{run.validation.expectations} expectations were checked."
    )
    return [told, *([macros.points(notes)] if notes else [])]
