"""The decision: a few numbers, and what speaks for and against the model."""

from __future__ import annotations

from tasks.reporting.pages import macros
from tasks.reporting.run.run_facts import Run


def content(run: Run) -> list[str]:
    """Return what the section shows."""
    outcome, found = run.outcome, run.tested.confusion
    right = found.true_positives
    cards = [
        (f"{outcome.test_auc:.3f}", "", f"test AUC; cross-validated {outcome.cv_auc_mean:.3f}"),
        (outcome.n_prototypes, "", f"prototypes of {len(run.model.features)} features"),
        (
            right,
            f"of {found.positives}",
            f"positives found at a probability of {run.tested.threshold:.3g}",
        ),
        (right, f"of {found.reported}", "reported rows are right at that threshold"),
    ]
    told = (
        f"The model tells “{run.model.target} = {run.model.positive}” from the rest; it is "
        f"{outcome.model_name} version {outcome.model_version}."
    )
    return [macros.cards(cards), told, macros.checks(run.checks)]
