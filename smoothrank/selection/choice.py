"""Honest selection: parameter, scaling and number of prototypes, on validation rows alone.

The paper's rule takes each fold's best iteration, which cannot be known beforehand. Here all folds
are evaluated at the same number of prototypes, and that number is chosen with the rest.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Literal

import numpy as np

from smoothrank.arrays import Matrix, Vector
from smoothrank.distillation.size_choice import smallest_good
from smoothrank.errors import SmoothrankError
from smoothrank.selection.fold_fit import FoldFit

Candidate = tuple[float, str | None]
"""A value of the method's parameter, and a scaling."""

SCALE_ORDER = (None, "standard", "quantile")
ROUNDING = 1e-12
"""Means that differ by less are equal."""


class SelectionError(SmoothrankError):
    """There is nothing to choose from."""


@dataclass(frozen=True)
class Choice:
    """What was chosen, and how good it is on validation rows.

    Parameters
    ----------
    value : float
        The parameter.
    scale : str or None
        The scaling.
    n_prototypes : int or None
        How many prototypes to stop at; None to let the method stop by itself.
    cv_auc_mean, cv_auc_std : float
        Mean and standard deviation over folds of the validation AUC.
    fold_aucs : dict
        The validation AUC of each fold, for each candidate at its own best number of prototypes.
    """

    value: float
    scale: str | None
    n_prototypes: int | None
    cv_auc_mean: float
    cv_auc_std: float
    fold_aucs: dict[Candidate, tuple[float, ...]]

    @property
    def cv_auc_by_value(self) -> dict[Candidate, float]:
        """The mean validation AUC of each candidate."""
        return {candidate: float(np.mean(aucs)) for candidate, aucs in self.fold_aucs.items()}


def choose_honest(fits: Mapping[Candidate, Sequence[FoldFit]]) -> Choice:
    """Choose parameter, scaling and number of prototypes by the mean validation AUC.

    All folds are evaluated at the same number; one that stopped earlier keeps its last AUC. Ties go
    to fewer prototypes, then the smaller value, then the simpler scaling.

    Parameters
    ----------
    fits : mapping
        The fits of all folds, by (value, scale).
    """
    tables = {candidate: _auc_table(folds) for candidate, folds in _checked(fits).items()}
    means = {candidate: table.mean(axis=0) for candidate, table in tables.items()}
    highest = max(mean.max() for mean in means.values())
    best = [
        (number + 1, candidate[0], SCALE_ORDER.index(candidate[1]), candidate)
        for candidate, mean in means.items()
        for number in np.flatnonzero(mean >= highest - ROUNDING).tolist()
    ]
    number, _, _, chosen = min(best, key=lambda found: found[:3])
    staged = fits[chosen][0].staged
    columns = {candidate: tables[candidate][:, mean.argmax()] for candidate, mean in means.items()}
    columns[chosen] = tables[chosen][:, number - 1]
    return _choice(chosen, number if staged else None, columns)


def choose_smallest(fits: Mapping[Candidate, Sequence[FoldFit]]) -> Choice:
    """Choose the smallest value within one standard error of the best mean validation AUC.

    The standard error is that of the differences to the best value, fold by fold.

    Parameters
    ----------
    fits : mapping
        The fits of all folds, by (value, scale); one scaling.
    """
    columns = {
        candidate: np.array([_fold_auc(fold, "last") for fold in folds])
        for candidate, folds in _checked(fits).items()
    }
    value = smallest_good({candidate[0]: column for candidate, column in columns.items()})
    chosen = next(candidate for candidate in columns if candidate[0] == value)
    return _choice(chosen, None, columns)


def choose_paper(
    fits: Mapping[Candidate, Sequence[FoldFit]], selection: Literal["best", "last"]
) -> Choice:
    """Choose by the paper's rule: each fold's best iteration, or its last; ties go to the smallest.

    Parameters
    ----------
    fits : mapping
        The fits of all folds, by (value, scale).
    selection : {"best", "last"}
        Which iteration of a fold counts; "best" is optimistic.
    """
    if selection not in ("best", "last"):
        raise SelectionError(f"selection is 'best' or 'last', not {selection!r}.")
    columns = {
        candidate: np.array([_fold_auc(fold, selection) for fold in folds])
        for candidate, folds in _checked(fits).items()
    }
    by_value = {candidate: float(column.mean()) for candidate, column in columns.items()}
    highest = max(by_value.values())
    chosen = min(
        (candidate for candidate, mean in by_value.items() if mean >= highest - ROUNDING),
        key=lambda candidate: (candidate[0], SCALE_ORDER.index(candidate[1])),
    )
    return _choice(chosen, None, columns)


def _fold_auc(fold: FoldFit, selection: str) -> float:
    return max(fold.auc_by_iteration) if selection == "best" else fold.auc_by_iteration[-1]


def _choice(chosen: Candidate, number: int | None, columns: dict[Candidate, Vector]) -> Choice:
    column = columns[chosen]
    return Choice(
        value=chosen[0],
        scale=chosen[1],
        n_prototypes=number,
        cv_auc_mean=float(column.mean()),
        cv_auc_std=float(np.std(column, ddof=1)) if len(column) > 1 else 0.0,
        fold_aucs={candidate: tuple(aucs.tolist()) for candidate, aucs in columns.items()},
    )


def _auc_table(folds: Sequence[FoldFit]) -> Matrix:
    """Return validation AUC, a row for each fold, a column for each number of prototypes."""
    longest = max(len(fold.auc_by_iteration) for fold in folds)
    rows = [fold.auc_by_iteration for fold in folds]
    return np.array([[*row, *[row[-1]] * (longest - len(row))] for row in rows])


def mean_aucs(folds: Sequence[FoldFit]) -> Vector:
    """Return the mean validation AUC for each number of prototypes."""
    return np.asarray(_auc_table(folds).mean(axis=0))


def _checked(
    fits: Mapping[Candidate, Sequence[FoldFit]],
) -> Mapping[Candidate, Sequence[FoldFit]]:
    if not fits or not all(fits.values()):
        raise SelectionError("There are no fits to choose from. Fit each candidate on each fold.")
    return fits
