"""The page of a run: the decision first, then what drives the model, then the figures."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from html import escape
from typing import Any

import numpy as np

from smoothrank.tables.tabular_model import TabularModel
from tasks.problem.problem import Data, Problem
from tasks.reporting.html_parts import paragraph, section
from tasks.reporting.page_shell import whole_page
from tasks.reporting.run.choice import choice_section
from tasks.reporting.run.prototypes import drivers_section, find_drivers
from tasks.reporting.run.sections import (
    Tested,
    data_section,
    figures_section,
    peers_section,
    provenance_section,
    threshold_section,
)
from tasks.reporting.run.verdict import headline, make_checks, may_be_used, quality
from tasks.results.chosen import Chosen
from tasks.results.drift import Drift
from tasks.results.evaluation import Evaluation
from tasks.results.fits import Trained, all_fits
from tasks.results.outcome import RetrainOutcome
from tasks.validation.result import ValidationResult


@dataclass(frozen=True, eq=False)
class Run:
    """All that the page tells about.

    Parameters
    ----------
    outcome : RetrainOutcome
        What the run came to.
    problem : Problem
        What was to be learnt.
    data : Data
        Its rows.
    model : TabularModel
        The model.
    validation, chosen, evaluation : ValidationResult, Chosen, Evaluation
        What these steps found.
    trained : sequence of Trained
        The fits of each value of C.
    drift : Drift or None
        How far the columns have moved from the champion's training rows, if there was one.
    provenance : dict of str
        Where data and model come from.
    """

    outcome: RetrainOutcome
    problem: Problem
    data: Data
    model: TabularModel
    validation: ValidationResult
    chosen: Chosen
    evaluation: Evaluation
    trained: Sequence[Trained]
    drift: Drift | None = None
    provenance: dict[str, str] = field(default_factory=dict)


def run_page(run: Run) -> str:
    """Return the page as HTML."""
    tested = Tested.of(run.model, run.data)
    sections = {
        "decision": ("Decision", _decision(run, tested)),
        "drivers": (
            "What drives it",
            section(
                "drivers", "What drives it", drivers_section(find_drivers(run.model, run.data))
            ),
        ),
        "peers": ("Peers", peers_section(run.outcome)),
        "threshold": ("Threshold", threshold_section(run.outcome, tested)),
        "figures": ("Figures", figures_section(run.outcome, tested, run.model, run.data)),
        "choice": ("Choice", choice_section(run.chosen, run.evaluation, all_fits(run.trained))),
        "data": ("Data", data_section(run.outcome, run.data, run.validation)),
        "provenance": ("Provenance", provenance_section(run.outcome, run.provenance)),
    }
    if not run.outcome.peers:
        del sections["peers"]
    return whole_page(
        headline(run.outcome),
        _lead(run, tested),
        sections,
        skip="Skip to the decision",
        styles=("report.css", "run.css"),
        over="smoothrank: report of a run",
    )


def _checks(run: Run, tested: Tested) -> Any:
    return make_checks(run.outcome, run.validation, int(tested.is_positive.sum()), run.drift)


def _lead(run: Run, tested: Tested) -> str:
    positives = int(np.sum(tested.is_positive))
    return "".join(
        f'<p class="lead">{escape(text)}</p>'
        for text in (quality(run.outcome, positives), may_be_used(_checks(run, tested)))
    )


def _decision(run: Run, tested: Tested) -> str:
    outcome = run.outcome
    said = tested.confusion
    cards = [
        (f"{outcome.test_auc:.3f}", "", f"test AUC; cross-validated {outcome.cv_auc_mean:.3f}"),
        (f"{outcome.n_prototypes}", "", f"prototypes of {len(run.model.features)} features"),
        (
            f"{said.true_positives}",
            f"of {said.positives}",
            f"positives found at a probability of {tested.threshold:.3g}",
        ),
        (
            f"{said.true_positives}",
            f"of {said.reported}",
            "reported rows are right at that threshold",
        ),
    ]
    shown = "".join(
        f"<li><strong>{escape(value)}</strong> {escape(of)}<span>{escape(text)}</span></li>"
        for value, of, text in cards
    )
    checks = "".join(check.html() for check in _checks(run, tested))
    return section(
        "decision",
        "The decision",
        f'<ul class="cards">{shown}</ul>',
        paragraph(
            f"The model tells “{outcome_label(run.model)}” from the rest; it is "
            f"{outcome.model_name} version {outcome.model_version}."
        ),
        f'<ul class="checks">{checks}</ul>',
    )


def outcome_label(model: TabularModel) -> str:
    """Return the target and its positive label, as one says it."""
    return f"{model.target} = {model.positive}"
