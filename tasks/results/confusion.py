"""Rows by their class and by what a model says."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True)
class Confusion:
    """Rows by their class and by what the model says.

    Parameters
    ----------
    true_positives, false_positives, false_negatives, true_negatives : int
        Counts of rows.
    """

    true_positives: int
    false_positives: int
    false_negatives: int
    true_negatives: int

    @property
    def reported(self) -> int:
        """Rows that the model calls positive."""
        return self.true_positives + self.false_positives

    @property
    def positives(self) -> int:
        """Rows that are positive."""
        return self.true_positives + self.false_negatives

    @property
    def rows(self) -> int:
        """All rows."""
        return self.reported + self.false_negatives + self.true_negatives

    @property
    def precision(self) -> float:
        """The share of reported rows that are positive; NaN where nothing is reported."""
        return self.true_positives / self.reported if self.reported else float("nan")

    @property
    def recall(self) -> float:
        """The share of the positives that is reported."""
        return self.true_positives / self.positives if self.positives else float("nan")

    @property
    def lift(self) -> float:
        """The share of positives among the reported rows, relative to that among all rows."""
        return self.precision * self.rows / self.positives if self.positives else float("nan")
