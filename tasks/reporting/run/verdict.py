"""The verdict on a model in sentences: how good it is, whether it is better, whether to use it."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal

from tasks.assessment.peers import NAMES, REAL, verdict
from tasks.results.drift import Drift
from tasks.results.outcome import RetrainOutcome
from tasks.validation.result import ValidationResult

FEW_POSITIVES = 20
CHANCE = 0.5
MOST_NAMED = 5


@dataclass(frozen=True)
class Check:
    """One reason for or against using the model.

    Parameters
    ----------
    state : {"ok", "care", "no"}
        Whether it speaks for the model, asks for care, or speaks against it.
    name, text : str
        What was looked at, and what was found.
    """

    state: Literal["ok", "care", "no"]
    name: str
    text: str


def headline(outcome: RetrainOutcome) -> str:
    """Return the heading of the report."""
    state = "is the new champion" if outcome.promoted else "did not become champion"
    return f"{outcome.dataset}: version {outcome.model_version} {state}"


def quality(outcome: RetrainOutcome, positives: int) -> str:
    """Say how good the model is, for someone who does not know AUC."""
    pairs = f"{100 * outcome.test_auc:.0f} of 100 pairs"
    return (
        f"Of a positive and a negative row it puts the positive one first in {pairs}: test AUC "
        f"{outcome.test_auc:.3f}, 95 % interval {outcome.test_auc_low:.3f} to "
        f"{outcome.test_auc_high:.3f}, on {outcome.n_test:,} held-out rows, {positives:,} of them "
        "positive."
    )


def may_be_used(checks: Sequence[Check]) -> str:
    """Sum up the checks in a sentence."""
    states = {check.state for check in checks}
    if "no" in states:
        return "May it be used? Not as it is: see what is marked ✗."
    if "care" in states:
        return "May it be used? Yes, with care: see what is marked !."
    return "May it be used? Yes: nothing speaks against it."


def make_checks(
    outcome: RetrainOutcome,
    validation: ValidationResult,
    positives: int,
    drift: Drift | None = None,
) -> list[Check]:
    """Look at gate, data, drift, test rows and peers, in this order.

    Parameters
    ----------
    outcome : RetrainOutcome
        The run.
    validation : ValidationResult
        What validation found.
    positives : int
        Positive rows of the test part.
    drift : Drift, optional
        How far the columns have moved from the champion's training rows.
    """
    checks = [
        Check("ok" if outcome.promoted else "no", "Gate", sentence(outcome.reason)),
        _data_check(validation),
        *([_drift_check(drift)] if drift else []),
        _chance_check(outcome, positives),
    ]
    return checks + ([_peer_check(outcome)] if outcome.peers else [])


def _data_check(validation: ValidationResult) -> Check:
    count = validation.expectations
    failures = [*validation.failures, *validation.warnings]
    held = "expectation" if count == 1 else "expectations"
    if not failures:
        return Check("ok", "Data", f"All {count} {held} about the data hold.")
    told = " ".join(sentence(failure.message) for failure in failures)
    state: Literal["care", "no"] = "care" if validation.passed else "no"
    return Check(state, "Data", f"{len(failures)} of {count} {held} do not hold. {told}")


def _drift_check(drift: Drift) -> Check:
    moved = [f"{name} (PSI {drift.psi[name]:.2f})" for name in drift.moved]
    if not moved:
        return Check("ok", "Drift", "No column has moved from the champion’s training rows.")
    named = ", ".join(moved[:MOST_NAMED]) + (" and more" if len(moved) > MOST_NAMED else "")
    return Check("care", "Drift", f"Moved from the champion’s training rows: {named}.")


def _chance_check(outcome: RetrainOutcome, positives: int) -> Check:
    low = f"the interval begins at {outcome.test_auc_low:.3f}"
    if outcome.test_auc_low <= CHANCE:
        return Check("no", "Test", f"It may be no better than chance: {low}; 0.5 is chance.")
    if positives < FEW_POSITIVES:
        return Check(
            "care",
            "Test",
            f"It is better than chance ({low}), but only {positives} test rows are positive: "
            "the true AUC may be anywhere in the interval.",
        )
    return Check("ok", "Test", f"It is better than chance: {low}; 0.5 is chance.")


def _peer_check(outcome: RetrainOutcome) -> Check:
    better = [p for p in outcome.peers if p.difference < 0.0 and p.p < REAL]
    said = sentence(verdict(outcome.test_auc, outcome.n_prototypes, outcome.peers))
    if not better:
        return Check("ok", "Peers", said)
    names = " and ".join(NAMES[peer.name] for peer in better)
    return Check(
        "care", "Peers", f"{said} If only the ranking matters, and nobody asks why, use {names}."
    )


def sentence(text: str) -> str:
    """Return the text with an initial capital and a full stop."""
    whole = text[:1].upper() + text[1:]
    return whole if whole.endswith((".", "!", "?")) else f"{whole}."
