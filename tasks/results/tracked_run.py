"""Where a run is tracked."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True)
class TrackedRun:
    """A run in MLflow and its logged model.

    Parameters
    ----------
    run_id, experiment_id : str
        The parent run.
    model_id : str
        The logged model.
    """

    run_id: str
    experiment_id: str
    model_id: str
