"""What runs and versions are called in MLflow: data, date and result."""

from __future__ import annotations

from datetime import datetime

from smoothrank.selection.methods import method
from tasks.project.config import USUAL_METHOD
from tasks.results.outcome import RetrainOutcome

_SHORT_CHECKSUM = 12


def first_name(dataset: str, method: str, started: int) -> str:
    """Return the name of a run that has no result yet.

    Parameters
    ----------
    dataset, method : str
        What is learnt from, and how; the usual method is not named.
    started : int
        When it began, in milliseconds since 1970.
    """
    when = datetime.fromtimestamp(started / 1000.0).astimezone()
    named = "" if method == USUAL_METHOD else f" {method}"
    return f"{dataset}{named} {when:%Y-%m-%d %H:%M}"


def run_name(outcome: RetrainOutcome, started: int) -> str:
    """Return the name of a run that has ended: the first one, and the test AUC."""
    return f"{first_name(outcome.dataset, outcome.method, started)} AUC {outcome.test_auc:.3f}"


def described(outcome: RetrainOutcome, checksum: str = "") -> str:
    """Describe the model in a few sentences, as MLflow shows them beside a run or a version."""
    state = "Passed the gate" if outcome.promoted else "Not promoted"
    many = f"{outcome.n_prototypes} prototype{'' if outcome.n_prototypes == 1 else 's'}"
    text = (
        f"Test AUC {outcome.test_auc:.3f} ({outcome.test_auc_low:.3f} to "
        f"{outcome.test_auc_high:.3f}) on {outcome.n_test} rows, {many}, "
        f"{method(outcome.method).describe(outcome.C, outcome.scale)}. {state}: {outcome.reason}."
    )
    return f"{text} Data {checksum[:_SHORT_CHECKSUM]}." if checksum else text
