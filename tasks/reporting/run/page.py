"""The page of a run: the decision first, then what drives the model, then the figures."""

from __future__ import annotations

from tasks.reporting.pages import render_page
from tasks.reporting.run.run_facts import Run
from tasks.reporting.run.sections import SECTIONS
from tasks.reporting.run.verdict import headline, may_be_used, quality

__all__ = ["Run", "run_page"]


def run_page(run: Run) -> str:
    """Return the page as HTML."""
    return render_page(
        headline(run.outcome),
        [quality(run.outcome, run.positives), may_be_used(run.checks)],
        SECTIONS,
        run,
        skip="Skip to the decision",
        styles=("report.css", "run.css"),
        over="smoothrank: report of a run",
    )
