"""A model that can be explained: its picture, the columns that matter, and two rows."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from smoothrank.columns.explanation import MOST_NAMED, Explanation
from smoothrank.plots.explanations import importance_picture, row_picture
from smoothrank.plots.prototype_dots import MOST_PROTOTYPES, prototype_dots
from smoothrank.plots.style import ON_PAGE
from smoothrank.tables.explained_table import ExplainedTable
from tasks.reporting.inline_svg import captioned, inline_svg
from tasks.reporting.pages import macros
from tasks.reporting.run.run_facts import Run, Tested

FEWEST_ROWS = 50
MOST_TERMS = 40_000_000
"""About how many terms the Shapley values are summed from: a second or two."""


@dataclass(frozen=True)
class Example:
    """A test row that is explained.

    Parameters
    ----------
    name : str
        Unique on the page.
    title : str
        Why this row.
    row : int
        Which test row, counted from 0.
    """

    name: str
    title: str
    row: int


def explained_model(run: Run, explained: ExplainedTable) -> list[str]:
    """Return the pictures and the two rows.

    Parameters
    ----------
    run : Run
        The run.
    explained : ExplainedTable
        Its model.
    """
    pictures = [_prototypes(explained), _importance(run, explained)]
    chosen = examples(run.tested)
    rows = explained.explain(run.data.raw_test.iloc[[one.row for one in chosen]])
    shown = [_row(run, one, found) for one, found in zip(chosen, rows, strict=True)]
    return [
        f"A row far from every prototype has a score of {_signed(explained.base)}.",
        macros.side_by_side(pictures, "charts"),
        macros.heading("Two rows explained"),
        "Compared with a typical row, the one with the median of every feature: which prototypes "
        "the row is closer to or farther from, and what each of its values does. The parts of "
        "the values are Shapley values, and sum to the difference of the scores.",
        macros.side_by_side(shown, "charts"),
    ]


def examples(tested: Tested) -> list[Example]:
    """Return the row of the highest score, and of the others the one nearest to the threshold."""
    top = int(np.argmax(tested.score))
    distance = np.abs(tested.probability - tested.threshold)
    distance[top] = np.inf
    near = int(np.argmin(distance))
    return [
        Example("row-top", "The test row with the highest score", top),
        Example("row-near", "The test row nearest to the threshold", near),
    ]


def _prototypes(explained: ExplainedTable) -> str:
    total = explained.score.n_columns
    heaviest = f"The {MOST_PROTOTYPES} heaviest of {total}. " if total > MOST_PROTOTYPES else ""
    words = (
        f"{heaviest}The larger a dot, the more the feature decides who is close to the prototype; "
        "its text says where the prototype is."
    )
    figure = prototype_dots(explained.score, explained.words)
    return captioned(figure, "model", "The prototypes", words)


def _importance(run: Run, explained: ExplainedTable) -> str:
    rows = run.data.raw_test
    terms = explained.score.n_columns * len(explained.words) * len(explained.names)
    most = max(FEWEST_ROWS, MOST_TERMS // terms)
    sample = rows.iloc[:: -(-len(rows) // most)]
    figure = importance_picture(
        explained.names, explained.mean_parts(sample), "moves a score by, on average"
    )
    words = (
        "How far the value of each column moves a score from that of a typical row: mean size of "
        f"its Shapley value over {len(sample):,} test rows."
    )
    return captioned(figure, "overall", "What matters overall", words)


def _row(run: Run, example: Example, found: Explanation) -> str:
    tested, model = run.tested, run.model
    label = model.positive if tested.is_positive[example.row] else model.negative
    words = (
        f"Probability {tested.probability[example.row]:.3g}; it is in fact {label}. Compared with "
        "a typical row it is"
    )
    picture = inline_svg(
        row_picture(found, width=ON_PAGE[0] + 0.4), example.name, example.title, words
    )
    reasons = [str(part) for part in found.columns[:MOST_NAMED]]
    html: str = macros.explained_row(picture, f"{example.title}. {words}", reasons)
    return html


def _signed(number: float) -> str:
    return f"{number:.2g}".replace("-", "−")
