"""The report of a run: one HTML file that needs no other; and its summary in a few lines."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from smoothrank.datasets.catalogue.fetch import write_whole
from smoothrank.persistence.model_file import load_tabular_model
from smoothrank.selection.methods import method
from tasks.assessment.peers import verdict
from tasks.problem.problem import Problem, load_data
from tasks.project.identifier import identifier
from tasks.project.paths import state_folder
from tasks.results.chosen import Chosen
from tasks.results.drift import Drift
from tasks.results.evaluation import Evaluation
from tasks.results.fits import Trained
from tasks.results.outcome import RetrainOutcome
from tasks.validation.result import ValidationResult


@dataclass(frozen=True)
class Findings:
    """What the steps before the report found.

    Parameters
    ----------
    validation : ValidationResult
        Whether the data meets its expectations.
    evaluation : Evaluation
        How good the model is on the test rows.
    drift : Drift or None
        How far the columns have moved from the champion's training rows, if there was one.
    """

    validation: ValidationResult
    evaluation: Evaluation
    drift: Drift | None = None


def report(
    problem: Problem,
    outcome: RetrainOutcome,
    model_folder: str,
    found: Findings,
    trained: Sequence[Trained],
    chosen: Chosen,
) -> str:
    """Write the report of a run, and return its path.

    Parameters
    ----------
    problem : Problem
        What was to be learnt.
    outcome : RetrainOutcome
        Its result.
    model_folder : str
        Where the model is.
    found : Findings
        What the steps before found.
    trained : sequence of Trained
        The fits of each value of C.
    chosen : Chosen
        What was chosen.
    """
    from tasks.reporting.run.page import Run, run_page
    from tasks.tracking.provenance import provenance

    page = run_page(
        Run(
            outcome=outcome,
            problem=problem,
            data=load_data(problem),
            model=load_tabular_model(model_folder),
            validation=found.validation,
            chosen=chosen,
            evaluation=found.evaluation,
            drift=found.drift,
            trained=trained,
            provenance=provenance(problem.source),
        )
    )
    path = state_folder("reports") / f"{identifier(outcome.dataset)}-{outcome.method}.html"
    write_whole(path, page.encode())
    return str(path)


def summary(outcome: RetrainOutcome) -> list[tuple[str, str]]:
    """Return the short table of a run."""
    state = "champion" if outcome.promoted else "challenger"
    candidate = method(outcome.method).describe(outcome.C, outcome.scale)
    chosen = f"{candidate}; {outcome.method}, "
    rows = [
        ("data", f"{outcome.dataset}: {outcome.n_train} rows to train, {outcome.n_test} to test"),
        ("chosen", f"{chosen}{outcome.selection} selection, {outcome.seconds:.1f} seconds"),
        ("CV AUC", f"{outcome.cv_auc_mean:.4f} ± {outcome.cv_auc_std:.4f}"),
        (
            "test AUC",
            f"{outcome.test_auc:.4f} (95 % interval {outcome.test_auc_low:.4f} to "
            f"{outcome.test_auc_high:.4f})",
        ),
        ("peers", verdict(outcome.test_auc, outcome.n_prototypes, outcome.peers)),
        ("prototypes", f"{outcome.n_prototypes}"),
        ("threshold", _threshold(outcome)),
        ("model", f"{outcome.model_name} version {outcome.model_version}, {state}"),
        ("because", outcome.reason),
    ]
    return [(name, value) for name, value in rows if value]


def _threshold(outcome: RetrainOutcome) -> str:
    found = outcome.confusion
    if found is None:
        return ""
    alarms = found.false_positives
    return (
        f"{outcome.threshold:.3g}: finds {found.true_positives} of {found.positives} "
        f"positives with {alarms} false alarm{'' if alarms == 1 else 's'}"
    )
