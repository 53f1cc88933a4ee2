"""The page of the comparison: one HTML file that needs no other, in light and in dark."""

from __future__ import annotations

import pandas as pd

from benchmarks.peers.comparison import Comparison, label
from benchmarks.peers.picture import curve, draw, points
from tasks.reporting.inline_svg import inline_svg
from tasks.reporting.pages import Section, macros, render_page
from tasks.reporting.tables import frame_table

TITLE = "smoothrank and other methods"
SUMMARY_FILE = "summary.csv"


def page(comparison: Comparison) -> str:
    """Return the whole page as HTML."""
    return render_page(
        TITLE,
        [_lead(comparison)],
        SECTIONS,
        comparison,
        skip="Skip to the results",
        notes=_notes(comparison),
    )


def _lead(comparison: Comparison) -> str:
    n_methods, n_datasets = len(comparison.auc.columns), len(comparison.auc)
    return (
        f"{n_methods} methods on {comparison.n_splits} splits of {n_datasets} imbalanced data "
        "sets. All are tuned on the same folds of the same training rows, and tested on the rest."
    )


def _notes(comparison: Comparison) -> list[str]:
    notes = []
    if comparison.left_out:
        names = ", ".join(label(name) for name in comparison.left_out)
        notes.append(f"Left out for want of results: {names}.")
    if comparison.n_incomplete:
        notes.append(
            f"{comparison.n_incomplete} splits are left out, because some method has no result."
        )
    return notes


def _picture(comparison: Comparison) -> list[str]:
    title = f"Mean test AUC against mean size, {len(comparison.auc)} data sets"
    has_curve = len(curve(points(comparison))) > 1
    ours = "Ours in blue, as a curve over the number of columns" if has_curve else "Ours in blue"
    words = (
        f"{ours}; every other method is a point. What the size of a method counts is in the table."
    )
    svg = inline_svg(draw(comparison), "picture", title, words)
    return [macros.figure(svg, f"{title}. {words}")]


def _summary(comparison: Comparison) -> list[str]:
    frame = labelled(comparison.summary())
    chosen = label(comparison.chosen)
    return [
        frame_table("summary", "All methods, the best average rank first", frame),
        f"Wins, ties and losses are data sets in which {chosen} has a higher, the same, or a lower "
        "mean AUC than the method of the line. p is Wilcoxon’s signed-rank test of the two over "
        "data sets, two-sided; beside it corrected by Holm for the number of lines. The Brier "
        "score is that of the probabilities of methods that have some; smaller is better. Seconds "
        "are those of one processor for tuning, fitting and scoring.",
        macros.files({"CSV": SUMMARY_FILE}),
    ]


def _by_dataset(comparison: Comparison) -> list[str]:
    frame = comparison.auc.round(4).rename(columns=label).rename_axis("data set")
    return [frame_table("by-dataset", "Mean test AUC of each data set over its splits", frame)]


def labelled(frame: pd.DataFrame) -> pd.DataFrame:
    """Return a frame with the labels of the methods in its index."""
    return frame.rename(index=label)


SECTIONS: tuple[Section[Comparison], ...] = (
    Section("size", "AUC and size", "AUC against size", _picture),
    Section("methods", "Methods", "All methods", _summary),
    Section("data", "Data sets", "Every data set", _by_dataset),
)
