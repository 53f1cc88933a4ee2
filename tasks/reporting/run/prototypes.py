"""What drives a model: its prototypes in words, and against the features that matter."""

from __future__ import annotations

from dataclasses import dataclass
from html import escape
from typing import Any

import numpy as np
import numpy.typing as npt

from smoothrank.columns.weighted import WeightedColumns
from smoothrank.estimators.score import score_of
from smoothrank.evaluation.importance import Importance, importance
from smoothrank.tables.tabular_model import TabularModel
from tasks.problem.problem import Data
from tasks.reporting.html_parts import Cell, Head, html_table, paragraph

Matrix = npt.NDArray[np.float64]
Vector = npt.NDArray[np.float64]

MOST_PROTOTYPES = 20
WIDE_PROTOTYPES = 8
FEW_FEATURES = 14
FIRST_FEATURES = 12
NEAREST_SHARE = 0.1
MATTERS = 0.25
"""A feature is marked when it does this share of what the first one does to score or AUC."""

LEAST_LOSS = 0.005
"""An AUC that is lost by less is not looked at."""


@dataclass(frozen=True, eq=False)
class Drivers:
    """What the section shows, heaviest prototype and most important feature first.

    Parameters
    ----------
    features : list of str
        Names of the encoded features, in the encoder's order.
    prototypes : numpy.ndarray of shape (k, d)
        In the data's units; k of all at most.
    weights : numpy.ndarray of shape (k,)
        Their weights.
    shares : numpy.ndarray of shape (k,)
        Each weight's share of the sum of all magnitudes.
    nearest : numpy.ndarray of shape (k,)
        The share of positives among the training rows nearest to each.
    total : int
        How many prototypes the model has.
    importance : Importance
        How much each feature matters.
    rows : numpy.ndarray of shape (n, d)
        The encoded training rows.
    is_positive : numpy.ndarray of bool of shape (n,)
        Their class.
    labels : tuple of str
        The negative label, and the positive one.
    """

    features: list[str]
    prototypes: Matrix
    weights: Vector
    shares: Vector
    nearest: Vector
    total: int
    importance: Importance
    rows: Matrix
    is_positive: npt.NDArray[np.bool_]
    labels: tuple[str, str]

    @property
    def order(self) -> npt.NDArray[np.intp]:
        """The features, those that matter most first."""
        return np.argsort(-self.importance.movement, kind="stable")

    @property
    def matters(self) -> npt.NDArray[np.bool_]:
        """Which features are marked."""
        movement, loss = self.importance.movement, self.importance.auc_loss
        moves = (movement > 0.0) & (movement >= MATTERS * float(movement.max(initial=0.0)))
        loses = loss >= max(LEAST_LOSS, MATTERS * float(loss.max(initial=0.0)))
        return np.asarray(moves | loses)


def find_drivers(model: TabularModel, data: Data) -> Drivers:
    """Look at the prototypes, and shuffle the features of the test rows."""
    score = score_of(model.classifier)
    heaviest = np.argsort(-np.abs(score.weights), kind="stable")[:MOST_PROTOTYPES]
    weights = score.weights[heaviest]
    total = float(np.abs(score.weights).sum()) or 1.0
    rows, is_positive = data.X[data.train], data.y[data.train] == 1
    return Drivers(
        features=model.features,
        prototypes=score.in_data_units()[heaviest],
        weights=weights,
        shares=np.abs(weights) / total,
        nearest=_nearest(score, heaviest, rows, is_positive),
        total=len(score.weights),
        importance=importance(score, data.X[data.test], data.y[data.test] == 1),
        rows=rows,
        is_positive=is_positive,
        labels=(model.negative, model.positive),
    )


def _nearest(score: WeightedColumns, heaviest: Any, rows: Matrix, is_positive: Any) -> Vector:
    from scipy.spatial.distance import cdist

    scaled = rows if score.scaler is None else score.scaler.transform(rows)
    distances = cdist(scaled, score.parameters[heaviest])
    count = max(1, round(NEAREST_SHARE * len(rows)))
    near = np.argpartition(distances, count - 1, axis=0)[:count]
    return np.asarray(is_positive[near].mean(axis=0))


def weight_in_words(weight: float, labels: tuple[str, str]) -> str:
    """Say what a weight on a distance means: a positive one raises the score of far rows.

    Parameters
    ----------
    weight : float
        Of the distance to a prototype.
    labels : tuple of str
        The negative label, and the positive one.
    """
    negative, positive = labels
    if weight == 0.0:
        return "has no effect"
    if weight > 0.0:
        return "rows near it are negative" + _named(negative, "negative")
    return "rows near it are positive" + _named(positive, "positive")


def _named(label: str, usual: str) -> str:
    return "" if label == usual else f" ({label})"


def drivers_section(drivers: Drivers) -> str:
    """Return the whole of it as HTML."""
    return "".join(
        (
            paragraph(_how_it_works(drivers)),
            _words_table(drivers),
            "<h3>What the prototypes look like</h3>",
            paragraph(_how_to_read(drivers)),
            *_feature_tables(drivers),
        )
    )


def _how_it_works(drivers: Drivers) -> str:
    many = "one prototype" if drivers.total == 1 else f"{drivers.total} prototypes"
    shown = len(drivers.weights)
    heaviest = f" The {shown} heaviest are shown." if shown < drivers.total else ""
    return (
        f"The score of a row is a weighted sum of its distances to {many}. A negative weight "
        "means that being near raises the score, a positive one that being far raises it. The last "
        f"column looks at the tenth of the training rows that is nearest.{heaviest}"
    )


def _words_table(drivers: Drivers) -> str:
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
            Cell(f"prototype {number}", float(number)),
            Cell(weight_in_words(weight, drivers.labels), css="words"),
            Cell(f"{weight:.3g}".replace("-", "−"), weight, css="number"),
            Cell(f"{part:.0%}", part, css="number"),
            Cell(f"{near:.0%}", near, f"of all rows {share:.0%}", css="number"),
        ]
        for number, (weight, part, near) in enumerate(
            zip(drivers.weights, drivers.shares, drivers.nearest, strict=True), 1
        )
    ]
    return html_table("weights", "The prototypes in words, heaviest first", heads, rows)


def _how_to_read(drivers: Drivers) -> str:
    marked = [drivers.features[i] for i in drivers.order if drivers.matters[i]]
    named = ", ".join(marked[:5]) + (f" and {len(marked) - 5} more" if len(marked) > 5 else "")
    return (
        f"What matters most: {named or 'nothing'}. A feature is marked when shuffling it among "
        "the test rows moves the score, or costs AUC, at least a quarter as much as shuffling the "
        "first one. ▲ and ▼: the prototype lies above or below the middle half of the training "
        "rows. Values are in the data’s own units; of a 0/1 feature the share of ones."
    )


def _feature_tables(drivers: Drivers) -> list[str]:
    order, count = drivers.order, len(drivers.features)
    first = count if count <= FEW_FEATURES else FIRST_FEATURES
    wide = min(len(drivers.weights), WIDE_PROTOTYPES)
    parts = [
        _feature_table(drivers, order[:first], range(wide), "prototypes", "Features by prototypes")
    ]
    if first < count:
        rest = _feature_table(drivers, order[first:], range(wide), "rest", "The other features")
        parts.append(_folded(f"the other {count - first} features, which matter less", rest))
    if wide < len(drivers.weights):
        numbers = range(wide, len(drivers.weights))
        others = _feature_table(drivers, order, numbers, "more", "Features by further prototypes")
        parts.append(_folded(f"prototypes {wide + 1} to {len(drivers.weights)}", others))
    return parts


def _folded(summary: str, content: str) -> str:
    return f"<details><summary>{escape(summary)}</summary>{content}</details>"


def _feature_table(drivers: Drivers, features: Any, numbers: range, name: str, caption: str) -> str:
    negative, positive = drivers.labels
    heads = [
        Head("feature", css=""),
        Head("moves the score"),
        Head("AUC lost if shuffled"),
        Head(f"{positive}", "middle of the rows"),
        Head(f"{negative}", "middle of the rows"),
    ]
    heads += [
        Head(
            f"prototype {n + 1}", "near: " + ("negative" if drivers.weights[n] > 0 else "positive")
        )
        for n in numbers
    ]
    rows = [_feature_row(drivers, int(feature), numbers) for feature in features]
    marks = ["matters" if drivers.matters[feature] else "" for feature in features]
    return html_table(name, caption, heads, rows, row_css=marks)


def _feature_row(drivers: Drivers, feature: int, numbers: range) -> list[Cell]:
    values = drivers.rows[:, feature]
    movement = float(drivers.importance.movement[feature])
    loss = float(drivers.importance.auc_loss[feature])
    low, high = np.quantile(values, [0.25, 0.75])
    middles = [_middle(values[drivers.is_positive]), _middle(values[~drivers.is_positive])]
    cells = [
        Cell(drivers.features[feature], drivers.features[feature]),
        Cell(f"{movement:.0%}", movement, css="number"),
        Cell(f"{loss:.3f}".replace("-", "−"), loss, css="number"),
        *(Cell(number(value), value, css="number") for value in middles),
    ]
    for prototype in numbers:
        value = float(drivers.prototypes[prototype, feature])
        place = " high" if value > high else " low" if value < low else ""
        cells.append(Cell(number(value), value, css=f"number{place}"))
    return cells


def _middle(values: Vector) -> float:
    """The median; of values that are only 0 or 1 the share of ones."""
    is_flag = bool(np.isin(values, (0.0, 1.0)).all())
    return float(values.mean() if is_flag else np.median(values))


def number(value: float) -> str:
    """Write four digits, no rounding error, and a true minus sign."""
    return f"{round(value, 12) + 0.0:.4g}".replace("-", "−")
