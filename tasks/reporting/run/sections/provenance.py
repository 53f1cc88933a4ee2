"""Where data and model come from."""

from __future__ import annotations

from tasks.reporting.pages import macros
from tasks.reporting.run.run_facts import Run


def content(run: Run) -> list[str]:
    """Return what the section shows."""
    outcome = run.outcome
    facts = {
        "model": f"{outcome.model_name} version {outcome.model_version}",
        "method": f"{outcome.method}, {outcome.selection} selection",
        "MLflow run": outcome.mlflow_run_id,
        "seconds": f"{outcome.seconds:.1f}",
        "solver gap": f"{outcome.gap:.1e}",
        **run.provenance,
    }
    return [macros.facts(facts)]
