"""How a student grows: column generation over a finite dictionary of bumps.

As in the paper, the next column has the largest reduced cost over the dictionary (rows × widths),
the correlation of its values with the residuals; then all columns are refined together.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from smoothrank.arrays import Matrix, Vector
from smoothrank.columns.families.gaussian import Gaussian
from smoothrank.distillation.student import Bumps, Lesson, bumps_of, refined

WIDTHS = (0.1, 0.3, 1.0, 3.0)
"""Widths of the dictionary's columns, in units of the median squared distance."""

MOST_CANDIDATES = 300
STEPS_OF_A_COLUMN = 40
"""L-BFGS iterations after each new column."""

STEPS_AT_A_SIZE = 80
"""The same at the sizes that are asked for."""


class Learner:
    """A student that grows by one column at a time.

    Parameters
    ----------
    lesson : Lesson
        What to repeat.
    rng : numpy.random.Generator
        Draws the rows of the dictionary.
    """

    def __init__(self, lesson: Lesson, rng: np.random.Generator) -> None:
        self._lesson, self._dictionary = lesson, _dictionary(lesson, rng)
        nothing = np.empty((0, lesson.X.shape[1]))
        self._known = {0: Bumps(nothing, nothing, np.empty(0), float(lesson.scores.mean()))}

    def grow(self, size: int) -> Bumps:
        """Return the student of a size, grown from the largest that is smaller."""
        if size not in self._known:
            smaller = max(known for known in self._known if known < size)
            student = self._known[smaller]
            for number in range(smaller + 1, size + 1):
                student = _with_best_column(student, self._lesson, self._dictionary)
                steps = STEPS_AT_A_SIZE if number == size else STEPS_OF_A_COLUMN
                student = refined(student, self._lesson, steps)
            self._known[size] = student
        return self._known[size]


@dataclass(frozen=True)
class _Dictionary:
    """Columns to choose from, and their values centred and divided by their spread."""

    points: Matrix
    feature_weights: Matrix
    spreads: Vector
    values: Matrix


def _dictionary(lesson: Lesson, rng: np.random.Generator) -> _Dictionary:
    n_rows = len(lesson.X)
    rows = rng.choice(n_rows, min(MOST_CANDIDATES, n_rows), replace=False)
    width = Gaussian().median_distance(lesson.X)
    points = np.vstack([lesson.X[rows]] * len(WIDTHS))
    inverse = np.repeat(np.array(WIDTHS) * width, len(rows)) ** -0.5
    weights = np.broadcast_to(inverse[:, None], points.shape)
    values = bumps_of(lesson.powers, points, weights)
    values -= values.mean(axis=0)
    spreads = np.sqrt(np.mean(values**2, axis=0))
    spreads = np.where(spreads > 1e-9, spreads, np.inf)
    return _Dictionary(points, weights, spreads, values / spreads)


def _with_best_column(student: Bumps, lesson: Lesson, dictionary: _Dictionary) -> Bumps:
    """Add the column of the dictionary with the largest reduced cost."""
    residual = lesson.scores - student.score(lesson.X)
    prices = residual @ dictionary.values / len(residual)
    best = int(np.argmax(np.abs(prices)))
    weight = prices[best] / dictionary.spreads[best]
    return Bumps(
        np.vstack((student.points, dictionary.points[best])),
        np.vstack((student.feature_weights, dictionary.feature_weights[best])),
        np.append(student.weights, weight),
        student.constant,
    )
