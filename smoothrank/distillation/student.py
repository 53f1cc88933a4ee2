"""The student: a few Gaussian bumps with learnt feature weights that repeat a teacher's scores.

    min_{q, b, w, w₀}  1/(2n) Σ_i (w₀ + Σ_t w_t exp(−Σ_j b_tj² (x_ij − q_tj)²) − s_i)²
                       + ½ ridge ‖w‖² + ½ decay ‖b‖² / (T d)

Points, feature weights and weights of all columns are refined together by L-BFGS; points stay
inside the ranges of the training rows. The squared distances are one matrix product, so a step
costs O(n d T).
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np
from scipy.optimize import minimize

from smoothrank.arrays import Matrix, Vector
from smoothrank.columns.families.gaussian import Gaussian
from smoothrank.columns.feature_scaling import Scaler
from smoothrank.columns.standardising import standardise
from smoothrank.columns.weighted import WeightedColumns
from smoothrank.distillation.levels import Levels, on_levels, two_levels
from smoothrank.losses.certificate import Certificate, relative_norm

RIDGE = 1e-3
DECAY = 1e-2
LAST_STEPS = 300
"""The same for the student that is chosen, on all rows of the lesson."""

SETTLING_STEPS = 100
"""The same after its points were moved to levels."""


@dataclass(frozen=True)
class Lesson:
    """What the student is to repeat.

    Parameters
    ----------
    X : ndarray of shape (n, d)
        Rows in scaled units.
    powers : ndarray of shape (n, 2 d)
        The rows, and the squares of their entries.
    scores : ndarray of shape (n,)
        The teacher's scores of them.
    low, high : ndarray of shape (d,)
        The range of each feature among the training rows.
    """

    X: Matrix
    powers: Matrix
    scores: Vector
    low: Vector
    high: Vector

    @classmethod
    def of(cls, X: Matrix, scores: Vector, seen: Matrix) -> Lesson:
        """Return the lesson of rows, their scores standardised.

        Parameters
        ----------
        X, scores : ndarray
            Rows in scaled units, and the teacher's scores of them.
        seen : ndarray
            The training rows, in scaled units: points stay within their ranges.
        """
        spread = float(scores.std()) or 1.0
        standard = (scores - scores.mean()) / spread
        return cls(X, with_squares(X), standard, seen.min(axis=0), seen.max(axis=0))

    def first(self, n_rows: int) -> Lesson:
        """Return the lesson of the first so many rows."""
        some = slice(0, n_rows)
        return replace(self, X=self.X[some], powers=self.powers[some], scores=self.scores[some])


@dataclass(frozen=True)
class Bumps:
    """A student: points, feature weights, weights of T columns, and a constant."""

    points: Matrix
    feature_weights: Matrix
    weights: Vector
    constant: float

    def score(self, X: Matrix) -> Vector:
        """Return the score of rows in scaled units."""
        values = bumps_of(with_squares(X), self.points, self.feature_weights)
        return self.constant + values @ self.weights

    def as_columns(self, rows: Matrix, weight: Vector, scaler: Scaler) -> WeightedColumns:
        """Return the same score, up to a constant, as a weighted sum of standardised columns.

        Parameters
        ----------
        rows, weight : ndarray
            The training rows in scaled units with their weights: they give the columns' means and
            standard deviations.
        scaler : Scaler
            From the data's units to scaled units.
        """
        snapped = self.snapped(rows)
        parameters = np.hstack((snapped.points, np.abs(snapped.feature_weights)))
        bumps = Gaussian()
        standard = standardise(bumps.values(rows, parameters), weight)
        weights = snapped.weights * standard.spreads
        return WeightedColumns(bumps, parameters, standard.means, standard.spreads, weights, scaler)

    def snapped(self, rows: Matrix) -> Bumps:
        """Move the points to a level of each feature that has two, without changing any score.

        With levels l and m, the feature's part of the distance is D_l or D_m. With the point at the
        level of the smaller part, b² = |D_l − D_m| / (l − m)², and the factor exp(−min(D_l, D_m))
        in the weight, every row that has one of the levels keeps its score.
        """
        points, feature_weights = self.points.copy(), np.abs(self.feature_weights)
        weights = self.weights.copy()
        for feature, (low, high) in two_levels(rows).items():
            q, b = self.points[:, feature], feature_weights[:, feature].copy()
            at_low, at_high = (b * (low - q)) ** 2, (b * (high - q)) ** 2
            points[:, feature] = np.where(at_low <= at_high, low, high)
            feature_weights[:, feature] = np.sqrt(np.abs(at_low - at_high)) / (high - low)
            weights *= np.exp(-np.minimum(at_low, at_high))
        return Bumps(points, feature_weights, weights, self.constant)


def fidelity(student: Bumps, lesson: Lesson) -> float:
    """Return the share of the variance of the teacher's scores that a student repeats."""
    missed = float(np.mean((student.score(lesson.X) - lesson.scores) ** 2))
    return 1.0 - missed / max(float(np.var(lesson.scores)), np.finfo(float).tiny)


def with_squares(X: Matrix) -> Matrix:
    """Return rows and the squares of their entries, side by side."""
    return np.hstack((X, X * X))


def with_best_weights(student: Bumps, lesson: Lesson) -> tuple[Bumps, Certificate]:
    """Return the student with the optimal weights of its columns, and their certificate.

    With points and feature weights fixed, the objective f is a quadratic function of w that grows
    at least as fast as ridge/2 ‖w‖², so that f − ‖∇f‖² / (2 ridge) is a lower bound of its optimum.
    """
    values = bumps_of(lesson.powers, student.points, student.feature_weights)
    means, level = values.mean(axis=0), float(lesson.scores.mean())
    centred, wanted = values - means, lesson.scores - level
    gram = centred.T @ centred / len(wanted)
    gram[np.diag_indices_from(gram)] += RIDGE
    side = wanted @ centred / len(wanted)
    weights = np.linalg.solve(gram, side)
    residual = centred @ weights - wanted
    gradient = residual @ centred / len(wanted) + RIDGE * weights
    value = 0.5 * (float(residual @ residual) / len(wanted) + RIDGE * float(weights @ weights))
    gap = float(gradient @ gradient) / (2.0 * RIDGE * max(value, np.finfo(float).tiny))
    constant = level - float(means @ weights)
    best = Bumps(student.points, student.feature_weights, weights, constant)
    return best, Certificate(gap, relative_norm(gradient, side))


def settled(student: Bumps, lesson: Lesson, levels: Levels, steps: int) -> Bumps:
    """Move points to the nearest level of features that have levels, and refine all the rest."""
    if not levels:
        return student
    moved = replace(student, points=on_levels(student.points, levels))
    return refined(moved, lesson, steps, tuple(levels))


def refined(student: Bumps, lesson: Lesson, steps: int, fixed: Sequence[int] = ()) -> Bumps:
    """Refine all parameters together by L-BFGS; points stay in their box.

    Parameters
    ----------
    student : Bumps
        Where to begin.
    lesson : Lesson
        What to repeat.
    steps : int
        The most iterations.
    fixed : sequence of int
        Features in which the points stay where they are.
    """
    T, d = student.points.shape
    low, high = np.tile(lesson.low, (T, 1)), np.tile(lesson.high, (T, 1))
    for box in (low, high):
        box[:, fixed] = student.points[:, fixed]
    start = np.concatenate(
        (
            student.points.ravel(),
            student.feature_weights.ravel(),
            student.weights,
            [student.constant],
        )
    )
    free = [(None, None)] * (T * d + T + 1)
    found = minimize(
        objective,
        start,
        args=(lesson, T),
        jac=True,
        method="L-BFGS-B",
        bounds=[*zip(low.ravel(), high.ravel(), strict=True), *free],
        options={"maxiter": steps, "maxcor": 20},
    )
    return _unpacked(found.x, T, d)


def _unpacked(theta: Vector, T: int, d: int) -> Bumps:
    points, feature_weights = theta[: T * d].reshape(T, d), theta[T * d : 2 * T * d].reshape(T, d)
    return Bumps(points, feature_weights, theta[2 * T * d : -1], float(theta[-1]))


def objective(theta: Vector, lesson: Lesson, T: int) -> tuple[float, Vector]:
    """Return the objective at the top of this file, and its gradient."""
    n, d = lesson.X.shape
    student = _unpacked(theta, T, d)
    q, b, w = student.points, student.feature_weights, student.weights
    values = bumps_of(lesson.powers, q, b)
    residual = values @ w
    residual += student.constant - lesson.scores
    decay = DECAY / (T * d)
    value = float(residual @ residual) / n + RIDGE * float(w @ w) + decay * float(np.sum(b * b))
    residual /= n
    of_weights = residual @ values + RIDGE * w
    values *= residual[:, None]
    first, second = np.hsplit(-(w[:, None] * (values.T @ lesson.powers)), 2)
    zeroth = -(w * values.sum(axis=0))[:, None]
    of_points = 2.0 * b * b * (q * zeroth - first)
    of_feature_weights = 2.0 * b * (second - 2.0 * q * first + q * q * zeroth) + decay * b
    parts = (of_points.ravel(), of_feature_weights.ravel(), of_weights, [residual.sum()])
    return 0.5 * value, np.concatenate(parts)


def bumps_of(powers: Matrix, points: Matrix, weights: Matrix) -> Matrix:
    """Return exp(−Σ_j b_j² (x_j − q_j)²), the squares expanded into one matrix product."""
    scales = weights * weights
    exponents = powers @ np.hstack((2.0 * scales * points, -scales)).T
    exponents -= np.sum(scales * points * points, axis=1)
    np.minimum(exponents, 0.0, out=exponents)
    return np.exp(exponents, out=exponents)
