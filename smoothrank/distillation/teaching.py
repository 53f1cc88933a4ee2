"""The course of a fit: models are compared and averaged, and students learn from the average."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from smoothrank.arrays import Matrix, Vector
from smoothrank.columns.feature_scaling import ScaleName, Scaler, fit_scaler
from smoothrank.columns.weighted import WeightedColumns
from smoothrank.distillation.average import Average, Recipe, fit_average, recipe
from smoothrank.distillation.between_rows import rows_between
from smoothrank.distillation.comparison import (
    COMPARED_LANDMARKS,
    COMPARED_TREES,
    Comparison,
    Fold,
    compare,
    in_threads,
    stratified_folds,
)
from smoothrank.distillation.effort import Effort, effort_for, sample
from smoothrank.distillation.kernel_models import VIEWS, TrainingRows
from smoothrank.distillation.student import (
    LAST_STEPS,
    Bumps,
    Lesson,
    fidelity,
    learn,
    refined,
    with_best_weights,
)
from smoothrank.losses.pairwise_hinge import auc

BETWEEN = 8000
"""Rows between training rows of a lesson."""

GROWN_ON = 2000
"""Rows of it on which columns are added one by one."""

Student = tuple[ScaleName, int]
"""A view of the features and a number of columns."""

AVERAGE: Student = ("standard", 0)
"""The average's place among students."""


@dataclass(frozen=True)
class Asked:
    """Rows between training rows, and what a teacher of those rows says of them."""

    rows: TrainingRows
    between: Matrix
    scores: Vector

    @classmethod
    def of(cls, rows: TrainingRows, average: Average, n_rows: int, seed: int) -> Asked:
        """Ask an average about so many rows."""
        between = rows_between(rows, n_rows, np.random.default_rng(seed))
        return cls(rows, between, average.score(between))


@dataclass(frozen=True)
class Students:
    """Students of one view of the features, grown on a part of their lesson.

    Parameters
    ----------
    view : str
        The scaling of the features.
    scaler : Scaler
        From the data's units to scaled units.
    rows : TrainingRows
        The training rows.
    lesson : Lesson
        The whole lesson.
    grown : dict
        The student of each size.
    fidelity : float
        The share of the variance of the teacher's scores that the largest repeats.
    """

    view: ScaleName
    scaler: Scaler
    rows: TrainingRows
    lesson: Lesson
    grown: dict[int, Bumps]
    fidelity: float

    @classmethod
    def of(cls, asked: Asked, view: ScaleName, sizes: Sequence[int], seed: int) -> Students:
        """Let students of some sizes learn what a teacher said."""
        rows = asked.rows
        scaler = fit_scaler(view, rows.X, rows.weight)
        seen = scaler.transform(rows.X)
        lesson = Lesson.of(scaler.transform(asked.between), asked.scores, seen)
        grown = learn(lesson.first(GROWN_ON), sizes, np.random.default_rng(seed))
        return cls(view, scaler, rows, lesson, grown, fidelity(grown[max(grown)], lesson))

    def as_grown(self, size: int) -> tuple[WeightedColumns, float]:
        """Return the student of a size as it has grown, and the gap of its weights."""
        bumps, gap = with_best_weights(self.grown[size], self.lesson)
        return self._columns(bumps), gap

    def polished(self, size: int) -> tuple[WeightedColumns, float]:
        """Return the student of a size, refined on the whole lesson, and the gap of its weights."""
        bumps = refined(self.grown[size], self.lesson, LAST_STEPS)
        bumps, gap = with_best_weights(bumps, self.lesson)
        return self._columns(bumps), gap

    def _columns(self, bumps: Bumps) -> WeightedColumns:
        seen = self.scaler.transform(self.rows.X)
        return bumps.as_columns(seen, self.rows.weight, self.scaler)


@dataclass(frozen=True)
class Teaching:
    """A fitted average, and how its members were compared.

    Parameters
    ----------
    rows : TrainingRows
        All training rows.
    comparison : Comparison
        The validation AUC of all models.
    recipe : Recipe
        The shares of the average.
    average : Average
        The average, fitted on all rows.
    effort : Effort
        The sizes of the fit.
    seed, n_jobs : int
        Seed, and how many threads work at the same time.
    """

    rows: TrainingRows
    comparison: Comparison
    recipe: Recipe
    average: Average
    effort: Effort
    seed: int
    n_jobs: int

    @classmethod
    def of(cls, rows: TrainingRows, seed: int, n_jobs: int) -> Teaching:
        """Compare all models on folds, and fit the average of the good ones on all rows."""
        effort = effort_for(len(rows.X))
        some = sample(rows, effort.compared_rows, seed)
        comparison = compare(some, stratified_folds(some, effort.n_repeats, seed), n_jobs)
        shares = recipe(comparison)
        average = fit_average(
            shares,
            rows,
            kernel_rows=sample(rows, effort.kernel_rows, seed),
            n_landmarks=effort.n_landmarks,
            n_trees=effort.n_trees,
            seed=seed,
            n_jobs=n_jobs,
        )
        return cls(rows, comparison, shares, average, effort, seed, n_jobs)

    def students(self, view: ScaleName, sizes: Sequence[int]) -> Students:
        """Return the students of a view, of some sizes."""
        asked = Asked.of(self.rows, self.average, BETWEEN, self.seed)
        return Students.of(asked, view, sizes, self.seed)

    def most_faithful(self, sizes: Sequence[int]) -> Students:
        """Return the students of the view in which the largest repeats the teacher best."""
        asked = Asked.of(self.rows, self.average, BETWEEN, self.seed)
        both = [Students.of(asked, view, sizes, self.seed) for view in VIEWS]
        return max(both, key=lambda students: students.fidelity)

    def held_out(self, sizes: Sequence[int]) -> HeldOut:
        """Repeat the fit on folds, and score the rows that were held out.

        Parameters
        ----------
        sizes : sequence of int
            The sizes of the students; none for the average itself.
        """
        rows = sample(self.rows, self.effort.compared_rows, self.seed)
        folds = stratified_folds(rows, self.effort.n_held_out_repeats, self.seed)

        def score(fold: Fold) -> dict[Student, Vector]:
            train, others = rows.only(fold[0]), rows.X[fold[1]]
            average = fit_average(
                self.recipe,
                train,
                kernel_rows=train,
                n_landmarks=COMPARED_LANDMARKS,
                n_trees=COMPARED_TREES,
                seed=self.seed,
                n_jobs=1,
            )
            if not sizes:
                return {AVERAGE: average.score(others)}
            asked = Asked.of(train, average, GROWN_ON, self.seed)
            both = (Students.of(asked, view, sizes, self.seed) for view in VIEWS)
            return {
                (students.view, size): students.as_grown(size)[0].score(others)
                for students in both
                for size in sizes
            }

        return HeldOut(rows, folds, in_threads(score, folds, self.n_jobs))


@dataclass(frozen=True)
class HeldOut:
    """Scores of rows by models that have not seen them.

    Parameters
    ----------
    rows : TrainingRows
        The rows.
    folds : list of (train, held out)
        The folds.
    scores : list of dict
        For each fold, the scores of its held-out rows by each student.
    """

    rows: TrainingRows
    folds: list[Fold]
    scores: list[dict[Student, Vector]]

    def aucs(self) -> dict[Student, Vector]:
        """Return for each student the AUC of each fold."""
        pairs = [self.rows.only(held).pairs for _, held in self.folds]
        return {
            size: np.array(
                [auc(of[size], some) for of, some in zip(self.scores, pairs, strict=True)]
            )
            for size in self.scores[0]
        }

    def all_scores(self, student: Student) -> Vector:
        """Return the scores of all rows by one student, averaged over repeats."""
        total, times = np.zeros(len(self.rows.X)), np.zeros(len(self.rows.X))
        for (_, held), scores in zip(self.folds, self.scores, strict=True):
            total[held] += scores[student]
            times[held] += 1.0
        return total / times
