"""What a participant of the comparison is, and the registry of them."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from importlib.util import find_spec
from typing import Any

from smoothrank.arrays import Labels, Matrix, Vector
from smoothrank.registry import Registry

RANDOM_STATE = 0
"""Seed of every method that draws numbers; the splits have seeds of their own."""

Scores = Callable[[Sequence[Any], Matrix, Labels, Matrix], list[Vector]]
"""Fits all candidates on rows and labels; returns the scores of other rows for each of them."""


@dataclass(frozen=True)
class Shape:
    """The size of a training part: grids may depend on it.

    Parameters
    ----------
    n_rows, n_features : int
        Its rows and features.
    n_folds : int
        Folds of the tuning.
    """

    n_rows: int
    n_features: int
    n_folds: int

    @property
    def n_rows_of_fold(self) -> int:
        """The fewest rows that are fitted on while tuning."""
        return self.n_rows - -(-self.n_rows // self.n_folds)


def score_of_rows(model: Any, rows: Matrix) -> Vector:
    """Return the decision function of a fitted classifier, or else its positive probability."""
    from smoothrank.estimators.foreign import EstimatorScore

    return EstimatorScore(model).score(rows)


def one_by_one(candidates: Sequence[Any], X: Matrix, y: Labels, rows: Matrix) -> list[Vector]:
    """Fit each candidate on its own."""
    from sklearn.base import clone

    return [score_of_rows(clone(one).fit(X, y), rows) for one in candidates]


def path_over(parameter: str, score_after: Callable[[Any, Matrix, int], Vector]) -> Scores:
    """Return a way of fitting candidates that differ in the number of rounds only once.

    Parameters
    ----------
    parameter : str
        The parameter of the estimator that holds the number of rounds.
    score_after : callable
        Returns the scores of rows by the first rounds of a fitted model.
    """

    def scores(candidates: Sequence[Any], X: Matrix, y: Labels, rows: Matrix) -> list[Vector]:
        from sklearn.base import clone

        fits: dict[str, Any] = {}
        for one in sorted(candidates, key=lambda c: -c.get_params()[parameter]):
            fits.setdefault(_without(one, parameter), clone(one))
        for model in fits.values():
            model.fit(X, y)
        return [
            score_after(fits[_without(one, parameter)], rows, int(one.get_params()[parameter]))
            for one in candidates
        ]

    return scores


def _without(candidate: Any, parameter: str) -> str:
    """Return the other parameters, as text."""
    return repr(sorted((k, str(v)) for k, v in candidate.get_params().items() if k != parameter))


@dataclass(frozen=True)
class Participant:
    """A method of the comparison.

    Parameters
    ----------
    name : str
        Its name on the command line and in the results.
    label : str
        Its name in tables and figures.
    candidates : callable
        Returns unfitted classifiers, from simple to complex; with more than one they are compared
        by cross-validation. Imports of other packages belong into it.
    size : callable
        Returns the size of a fitted model.
    counts : str
        What that size counts.
    needs : tuple of str
        Modules of optional packages.
    has_probabilities : bool
        Whether `predict_proba` is meant as a probability: by calibration, or by its loss.
    scores : callable
        Fits all candidates at once where that is faster than one by one.
    """

    name: str
    label: str
    candidates: Callable[[Shape], Sequence[Any]]
    size: Callable[[Any], int]
    counts: str
    needs: tuple[str, ...] = ()
    has_probabilities: bool = False
    scores: Scores = one_by_one


PARTICIPANTS: Registry[Participant] = Registry("participant")
register = PARTICIPANTS.add


def missing_packages(participant: Participant) -> list[str]:
    """Return the modules that a participant needs and that are not installed."""
    return [name for name in participant.needs if find_spec(name) is None]


def standardised(estimator: Any) -> Any:
    """Return a pipeline that standardises features before the estimator."""
    from sklearn.pipeline import make_pipeline
    from sklearn.preprocessing import StandardScaler

    return make_pipeline(StandardScaler(), estimator)
