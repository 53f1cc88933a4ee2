"""What drives the model: its prototypes in words, and against the features that matter."""

from __future__ import annotations

from typing import Any

import numpy as np

from smoothrank.columns.explanation import moves
from smoothrank.tables.explained_table import ExplainedTable, can_be_explained
from tasks.reporting.pages import macros
from tasks.reporting.run.explained_model import explained_model
from tasks.reporting.run.prototypes import Drivers, Vector, find_drivers, weight_in_words
from tasks.reporting.run.run_facts import Run
from tasks.reporting.run.shuffled_columns import shuffled_columns
from tasks.reporting.tables import Cell, Head, number_cell, table

WIDE_PROTOTYPES = 8
FEW_FEATURES = 14
FIRST_FEATURES = 12
LEAST_FEATURE_SHARE = 0.1
"""A feature of less weight, against the heaviest of a prototype, is not shown for it."""


def content(run: Run) -> list[str]:
    """Return what the section shows; without prototypes only which columns matter."""
    if not run.model.has_prototypes:
        return shuffled_columns(run)
    drivers = find_drivers(run.model, run.data)
    explained = ExplainedTable(run.model) if can_be_explained(run.model) else None
    return [
        _how_it_works(drivers),
        _words_table(drivers, explained),
        *(explained_model(run, explained) if explained else ()),
        macros.heading("What the prototypes look like"),
        _how_to_read(drivers),
        *_feature_tables(drivers),
    ]


def _how_it_works(drivers: Drivers) -> str:
    many = "one prototype" if drivers.total == 1 else f"{drivers.total} prototypes"
    shown = len(drivers.weights)
    heaviest = f" The {shown} heaviest are shown." if shown < drivers.total else ""
    if drivers.feature_weights is None:
        rule = (
            f"The score of a row is a weighted sum of its distances to {many}. A negative weight "
            "means that being near raises the score, a positive one that being far raises it."
        )
    else:
        rule = (
            f"The score of a row is a weighted sum of its closeness to {many}: 1 at the prototype, "
            "0 far away, by features that count more or less. A positive weight means that being "
            "near raises the score, a negative one that it lowers it."
        )
    return (
        f"{rule} The last column looks at the tenth of the training rows that is nearest.{heaviest}"
    )


def _words_table(drivers: Drivers, explained: ExplainedTable | None) -> str:
    share = float(drivers.is_positive.mean())
    heads = [
        Head("prototype", css=""),
        Head("what it says", css=""),
        Head("weight"),
        Head("share of all weight"),
        Head("positive among the nearest 10 %"),
    ]
    rows = [
        [
            Cell(f"prototype {number}", float(number), _place(explained, number)),
            Cell(_what_it_says(explained, number, repulsion, drivers.labels), css="words"),
            number_cell(weight, ".3g"),
            number_cell(part, ".0%"),
            Cell(f"{near:.0%}", near, f"of all rows {share:.0%}", css="number"),
        ]
        for number, (weight, repulsion, part, near) in enumerate(
            zip(
                *(drivers.weights, drivers.repulsion, drivers.shares, drivers.nearest),
                strict=True,
            ),
            1,
        )
    ]
    return table("weights", "The prototypes in words, heaviest first", heads, rows)


def _place(explained: ExplainedTable | None, number: int) -> str:
    return explained.places[number - 1] if explained else ""


def _what_it_says(
    explained: ExplainedTable | None, number: int, repulsion: float, labels: tuple[str, str]
) -> str:
    words = weight_in_words(repulsion, labels)
    return f"{moves(explained.effects[number - 1])}: {words}" if explained else words


def _how_to_read(drivers: Drivers) -> str:
    marked = [drivers.features[i] for i in drivers.order if drivers.matters[i]]
    named = ", ".join(marked[:5]) + (f" and {len(marked) - 5} more" if len(marked) > 5 else "")
    return (
        f"What matters most: {named or 'nothing'}. A feature is marked when shuffling it among "
        "the test rows moves the score, or costs AUC, at least a quarter as much as shuffling the "
        "first one. ▲ and ▼: the prototype lies above or below the middle half of the training "
        "rows. Values are in the data’s own units; of a 0/1 feature the share of ones."
        + ("" if drivers.feature_weights is None else " ·: the feature hardly counts there.")
    )


def _feature_tables(drivers: Drivers) -> list[str]:
    order, count = drivers.order, len(drivers.features)
    first = count if count <= FEW_FEATURES else FIRST_FEATURES
    wide = min(len(drivers.weights), WIDE_PROTOTYPES)
    shown = [
        _feature_table(drivers, order[:first], range(wide), "prototypes", "Features by prototypes")
    ]
    if first < count:
        rest = _feature_table(drivers, order[first:], range(wide), "rest", "The other features")
        shown.append(macros.folded(f"the other {count - first} features, which matter less", rest))
    if wide < len(drivers.weights):
        numbers = range(wide, len(drivers.weights))
        others = _feature_table(drivers, order, numbers, "more", "Features by further prototypes")
        shown.append(macros.folded(f"prototypes {wide + 1} to {len(drivers.weights)}", others))
    return shown


def _feature_table(drivers: Drivers, features: Any, numbers: range, name: str, caption: str) -> str:
    negative, positive = drivers.labels
    heads = [
        Head("feature", css=""),
        Head("moves the score"),
        Head("AUC lost if shuffled"),
        Head(f"{positive}", "middle of the rows"),
        Head(f"{negative}", "middle of the rows"),
    ]
    near = ["negative" if repulsion > 0 else "positive" for repulsion in drivers.repulsion]
    heads += [Head(f"prototype {n + 1}", f"near: {near[n]}") for n in numbers]
    rows = [_feature_row(drivers, int(feature), numbers) for feature in features]
    marks = ["matters" if drivers.matters[feature] else "" for feature in features]
    return table(name, caption, heads, rows, marks)


def _feature_row(drivers: Drivers, feature: int, numbers: range) -> list[Cell]:
    values = drivers.rows[:, feature]
    movement = float(drivers.importance.movement[feature])
    loss = float(drivers.importance.auc_loss[feature])
    low, high = np.quantile(values, [0.25, 0.75])
    middles = [_middle(values[drivers.is_positive]), _middle(values[~drivers.is_positive])]
    cells = [
        Cell(drivers.features[feature], drivers.features[feature]),
        number_cell(movement, ".0%"),
        number_cell(loss, ".3f"),
        *(_value(value) for value in middles),
    ]
    for prototype in numbers:
        if not _counts(drivers, prototype, feature):
            cells.append(Cell("·", css="number"))
            continue
        value = float(drivers.prototypes[prototype, feature])
        place = "high" if value > high else "low" if value < low else ""
        cells.append(_value(value, place))
    return cells


def _counts(drivers: Drivers, prototype: int, feature: int) -> bool:
    """Return whether a feature counts for being near a prototype."""
    shares = drivers.feature_weights
    return shares is None or bool(shares[prototype, feature] >= LEAST_FEATURE_SHARE)


def _middle(values: Vector) -> float:
    """Return the median, or the share of ones if all values are 0 or 1."""
    is_flag = bool(np.isin(values, (0.0, 1.0)).all())
    return float(values.mean() if is_flag else np.median(values))


def _value(value: float, css: str = "") -> Cell:
    """Write four digits, without rounding error."""
    return number_cell(round(value, 12) + 0.0, ".4g", css)
