"""What the model says at its threshold, and what it would say at others."""

from __future__ import annotations

from tasks.assessment.thresholds import Alternative, alternatives
from tasks.reporting.pages import macros
from tasks.reporting.run.run_facts import Run
from tasks.reporting.tables import Cell, Head, number_cell, table

HEADS = (
    *("probability from", "reported", "right", "precision", "recall", "lift"),
    *("false alarms", "missed"),
)


def content(run: Run) -> list[str]:
    """Return what the section shows."""
    outcome, tested = run.outcome, run.tested
    own = Alternative("as it is", "", tested.threshold, tested.confusion)
    others = alternatives(tested.score, tested.probability, tested.is_positive)
    return [
        macros.confusion(tested.confusion, f"{tested.threshold:.3g}"),
        table(
            "alternatives",
            f"Other thresholds, on the {len(tested.score):,} test rows",
            [Head("rule", css=""), *map(Head, HEADS), Head("option of predict", css="")],
            [_row(one) for one in (own, *others)],
            ["ours", *[""] * len(others)],
        ),
        "Precision: the share of what is reported that is right. Recall: the share of the "
        "positives that is reported. Lift: how many times as many positives there are among "
        "the reported as among all rows. At a precision of "
        f"{outcome.precision:g} the model finds {outcome.test_recall_at_precision:.0%} of the "
        "positives.",
    ]


def _row(one: Alternative) -> list[Cell]:
    found = one.confusion
    return [
        Cell(one.name, one.name),
        number_cell(one.threshold, ".3g"),
        number_cell(found.reported, ","),
        number_cell(found.true_positives, ","),
        number_cell(found.precision, ".0%"),
        number_cell(found.recall, ".0%"),
        number_cell(found.lift, ".1f"),
        number_cell(found.false_positives, ","),
        number_cell(found.false_negatives, ","),
        Cell(one.option, one.option),
    ]
