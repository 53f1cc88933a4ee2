"""The course of a fit: models are compared and averaged, and students learn from the average."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import partial

import numpy as np

from smoothrank.arrays import Matrix, Vector
from smoothrank.columns.feature_scaling import ScaleName, fit_scaler
from smoothrank.columns.weighted import WeightedColumns
from smoothrank.distillation.average import (
    Average,
    Recipe,
    average_of_fold,
    fit_average,
    recipe,
)
from smoothrank.distillation.between_rows import rows_between
from smoothrank.distillation.comparison import (
    MAX_FOLDS,
    Comparison,
    Fold,
    compare,
    in_threads,
    stratified_folds,
)
from smoothrank.distillation.effort import Effort, effort_for, sample
from smoothrank.distillation.kernel_models import VIEWS, TrainingRows
from smoothrank.distillation.learner import Learner
from smoothrank.distillation.levels import few_levels
from smoothrank.distillation.rehearsal import Rehearsal, rehearse
from smoothrank.distillation.size_choice import is_settled
from smoothrank.distillation.student import (
    LAST_STEPS,
    SETTLING_STEPS,
    Bumps,
    Lesson,
    fidelity,
    refined,
    settled,
    with_best_weights,
)
from smoothrank.losses.certificate import Certificate
from smoothrank.losses.pairwise_hinge import auc

BETWEEN = 8000
"""Rows between training rows of a lesson."""

GROWN_ON = 2000
"""Rows of it on which columns are added one by one."""

AVERAGE = 0
"""The average's place among the numbers of columns of students."""

VIEWED = 8
"""The columns of the students that views are compared by."""

MUCH_LESS = 0.5


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


class Students:
    """Students of one view of the features, grown on a part of their lesson.

    Parameters
    ----------
    asked : Asked
        What a teacher said.
    view : str
        The scaling of the features.
    seed : int
        Draws the rows of their dictionary.
    """

    def __init__(self, asked: Asked, view: ScaleName, seed: int) -> None:
        self.view, self._rows = view, asked.rows
        self._scaler = fit_scaler(view, asked.rows.X, asked.rows.weight)
        self._seen = self._scaler.transform(asked.rows.X)
        between = self._scaler.transform(asked.between)
        self._lesson = Lesson.of(between, asked.scores, self._seen)
        self._learner = Learner(self._lesson.first(GROWN_ON), np.random.default_rng(seed))

    def fidelity(self, size: int) -> float:
        """Return the share of the variance of the teacher's scores that a size repeats."""
        return fidelity(self._learner.grow(size), self._lesson)

    def grown(self, size: int) -> Graduate:
        """Return the student of a size as it has grown."""
        return self._graduate(self._learner.grow(size))

    def polished(self, size: int) -> Graduate:
        """Return the student of a size, refined on the whole lesson; its points are at levels."""
        student = refined(self._learner.grow(size), self._lesson, LAST_STEPS)
        levels = few_levels(self._seen)
        return self._graduate(settled(student, self._lesson, levels, SETTLING_STEPS))

    def _graduate(self, student: Bumps) -> Graduate:
        bumps, found = with_best_weights(student, self._lesson)
        model = bumps.as_columns(self._seen, self._rows.weight, self._scaler)
        return Graduate(model, self.view, fidelity(bumps, self._lesson), found)


@dataclass(frozen=True)
class Graduate:
    """A student that has learnt.

    Parameters
    ----------
    model : WeightedColumns
        Its columns and their weights.
    view : str
        The scaling of the features.
    fidelity : float
        The share of the variance of the teacher's scores that it repeats.
    certificate : Certificate
        Of its weights, given the columns.
    """

    model: WeightedColumns
    view: ScaleName
    fidelity: float
    certificate: Certificate


@dataclass(frozen=True)
class Teaching:
    """A fitted average, and how its members were compared.

    Parameters
    ----------
    rows : TrainingRows
        All training rows.
    compared : TrainingRows
        The rows that models were compared on.
    comparison : Comparison
        The validation AUC of all models.
    recipe : Recipe
        The shares of the average.
    rehearsal : Rehearsal or None
        Where models were compared on a sample: how the average does on rows that it has not seen.
    average : Average
        The average, fitted on all rows.
    effort : Effort
        The sizes of the fit.
    seed, n_jobs : int
        Seed, and how many threads work at the same time.
    """

    rows: TrainingRows
    compared: TrainingRows
    comparison: Comparison
    recipe: Recipe
    rehearsal: Rehearsal | None
    average: Average
    effort: Effort
    seed: int
    n_jobs: int

    @classmethod
    def of(cls, rows: TrainingRows, seed: int, n_jobs: int) -> Teaching:
        """Compare all models on folds, and fit the average of the good ones on all rows."""
        effort = effort_for(len(rows.X))
        copies = rows.copies(MAX_FOLDS)
        some = sample(copies, effort.compared_rows, seed)
        comparison = compare(some, stratified_folds(some, effort.n_repeats, seed), n_jobs)
        is_sample = len(some.X) < len(copies.X)
        shares, rehearsal = recipe(comparison, all_trees=is_sample), None
        if is_sample:
            rehearsal = rehearse(shares, copies, effort, seed, n_jobs)
            shares = rehearsal.recipe
        average = fit_average(
            shares,
            rows,
            kernel_rows=sample(rows, effort.kernel_rows, seed),
            n_landmarks=effort.n_landmarks,
            n_trees=effort.n_trees,
            seed=seed,
            n_jobs=n_jobs,
        )
        return cls(rows, some, comparison, shares, rehearsal, average, effort, seed, n_jobs)

    def students(self) -> Students:
        """Return the students of the view that suits the average.

        That is the standardised one, unless quantile-normal features leave less than half as much
        of the average's scores unexplained. Validation would be too noisy where positives are few.
        """
        asked = Asked.of(self.rows, self.average, BETWEEN, self.seed)
        usual, other = (Students(asked, view, self.seed) for view in VIEWS)
        missed, missed_by_other = 1.0 - usual.fidelity(VIEWED), 1.0 - other.fidelity(VIEWED)
        return other if missed_by_other < MUCH_LESS * missed else usual

    def held_out(self, view: ScaleName | None, sizes: Sequence[int] = ()) -> HeldOut:
        """Average the models of each fold, and score the rows that it holds out.

        Students grow from size to size until `is_settled` says that no larger one is needed.

        Parameters
        ----------
        view : str or None
            The view of the students; None for the average itself.
        sizes : sequence of int
            The sizes of the students, rising.
        """
        if view is None and self.rehearsal is not None:
            seen = self.rehearsal
            nothing, all_rows = np.empty(0, dtype=np.int64), np.arange(len(seen.rows.X))
            return HeldOut(seen.rows, [(nothing, all_rows)], {AVERAGE: [seen.scores]})
        rows = self.compared
        folds = stratified_folds(rows, self.effort.n_repeats, self.seed)
        averages = [average_of_fold(self.recipe, fold) for fold in self.comparison.folds]
        others = [rows.X[held] for _, held in folds]
        if view is None:
            scored = [one.score(X) for one, X in zip(averages, others, strict=True)]
            return HeldOut(rows, folds, {AVERAGE: scored})
        students = [
            Students(
                Asked.of(rows.only(train).merged(), average, GROWN_ON, self.seed), view, self.seed
            )
            for (train, _), average in zip(folds, averages, strict=True)
        ]
        found = HeldOut(rows, folds, {})
        for size in sizes:
            models = in_threads(partial(Students.grown, size=size), students, self.n_jobs)
            found.scores[size] = [one.model.score(X) for one, X in zip(models, others, strict=True)]
            if is_settled(found.aucs()):
                break
        return found


@dataclass(frozen=True)
class HeldOut:
    """Scores of rows by models that have not seen them.

    Parameters
    ----------
    rows : TrainingRows
        The rows.
    folds : list of (train, held out)
        The folds.
    scores : dict
        For each number of columns, and for each fold, the scores of the rows that it holds out.
    """

    rows: TrainingRows
    folds: list[Fold]
    scores: dict[int, list[Vector]]

    def aucs(self) -> dict[int, Vector]:
        """Return for each number of columns the AUC of each fold."""
        pairs = [self.rows.only(held).pairs for _, held in self.folds]
        return {
            size: np.array([auc(one, some) for one, some in zip(scores, pairs, strict=True)])
            for size, scores in self.scores.items()
        }

    def all_scores(self, size: int) -> Vector:
        """Return the scores of all rows by models of a size, averaged over repeats."""
        total, times = np.zeros(len(self.rows.X)), np.zeros(len(self.rows.X))
        for (_, held), scores in zip(self.folds, self.scores[size], strict=True):
            total[held] += scores
            times[held] += 1.0
        return total / times
