"""The facts behind the page of a run."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from functools import cached_property

from smoothrank.tables.tabular_model import TabularModel
from tasks.assessment.thresholds import Flags, Vector, confusion
from tasks.problem.problem import Data, Problem
from tasks.reporting.run.verdict import Check, make_checks
from tasks.results.chosen import Chosen
from tasks.results.confusion import Confusion
from tasks.results.drift import Drift
from tasks.results.evaluation import Evaluation
from tasks.results.fits import Trained
from tasks.results.outcome import RetrainOutcome
from tasks.validation.result import ValidationResult


@dataclass(frozen=True, eq=False)
class Tested:
    """The model on the test rows.

    Parameters
    ----------
    score, probability : numpy.ndarray
        Its output for each row.
    is_positive, is_reported : numpy.ndarray of bool
        What each row is, and what `predict` calls it.
    threshold : float
        The probability at or above which a row is called positive.
    """

    score: Vector
    probability: Vector
    is_positive: Flags
    is_reported: Flags
    threshold: float

    @classmethod
    def of(cls, model: TabularModel, data: Data) -> Tested:
        """Score the test rows as `predict` does."""
        scored = model.scored(data.raw_test)
        return cls(
            score=scored["score"].to_numpy(),
            probability=scored["probability"].to_numpy(),
            is_positive=data.y[data.test] == 1,
            is_reported=scored["class"].to_numpy() == model.positive,
            threshold=model.threshold,
        )

    @property
    def confusion(self) -> Confusion:
        """Rows by what they are and what they are called."""
        return confusion(self.is_reported, self.is_positive)


@dataclass(frozen=True, eq=False)
class Run:
    """Everything that the page shows.

    Parameters
    ----------
    outcome : RetrainOutcome
        The result of the run.
    problem : Problem
        What was to be learnt.
    data : Data
        Its rows.
    model : TabularModel
        The model.
    validation, chosen, evaluation : ValidationResult, Chosen, Evaluation
        What these steps found.
    trained : sequence of Trained
        The fits of each value of C.
    drift : Drift or None
        How far the columns have moved from the champion's training rows, if there was one.
    provenance : dict of str
        Where data and model come from.
    """

    outcome: RetrainOutcome
    problem: Problem
    data: Data
    model: TabularModel
    validation: ValidationResult
    chosen: Chosen
    evaluation: Evaluation
    trained: Sequence[Trained]
    drift: Drift | None = None
    provenance: dict[str, str] = field(default_factory=dict)

    @cached_property
    def tested(self) -> Tested:
        """The model on the test rows."""
        return Tested.of(self.model, self.data)

    @property
    def positives(self) -> int:
        """Positive rows of the test part."""
        return int(self.tested.is_positive.sum())

    @property
    def checks(self) -> list[Check]:
        """The reasons for and against using the model."""
        return make_checks(self.outcome, self.validation, self.positives, self.drift)
