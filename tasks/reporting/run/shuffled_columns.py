"""What drives a model without prototypes: the columns that cost AUC when they are shuffled."""

from __future__ import annotations

from smoothrank.evaluation.importance import importance_of_runs
from smoothrank.plots.explanations import importance_picture
from smoothrank.tables.feature_words import column_starts, encoded_columns, one_line
from tasks.reporting.inline_svg import captioned
from tasks.reporting.run.run_facts import Run

MOST_COLUMNS = 200
"""With more columns shuffling would take minutes."""

NO_PROTOTYPES = (
    "This model is not a sum over a few prototypes, so that there is none to show. What matters "
    "to it can still be seen by shuffling one column at a time among the test rows."
)
TOO_MANY = "This model is not a sum over a few prototypes, so that there is none to show."


def shuffled_columns(run: Run) -> list[str]:
    """Return what the section shows for a model without prototypes."""
    data, columns = run.data, encoded_columns(run.model.encoder)
    if len(columns) > MOST_COLUMNS:
        return [TOO_MANY]
    found = importance_of_runs(
        run.model.classifier.decision_function,
        data.X[data.test],
        data.y[data.test] == 1,
        column_starts(columns),
    )
    names = [one_line(column.name) for column in columns]
    figure = importance_picture(names, found.auc_loss, "AUC lost if shuffled")
    words = "By how much the test AUC falls when the values of a column go to other rows."
    return [NO_PROTOTYPES, captioned(figure, "overall", "What matters overall", words)]
