"""The experiment: one method on one data set, by the paper's rule or by honest selection.

    run_experiment(method("l1"), X, y, paper_parts(y))

The rows are shared out, every value of the grid is fitted on every fold, one is chosen by its
validation AUC, fitted again on the whole training part, and scored on the test part.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any, Literal

import numpy as np
from sklearn.model_selection import train_test_split

from smoothrank.arrays import Indices, Labels, Matrix
from smoothrank.estimators.ranking_classifier import RankingClassifier
from smoothrank.losses.pairwise_hinge import Pairs, auc
from smoothrank.selection.choice import Candidate, choose_honest, choose_paper, honest_folds
from smoothrank.selection.methods import Method
from smoothrank.selection.paper_protocol import SPLIT_SEED, TEST_SHARE, paper_folds

Selection = Literal["honest", "paper"]


@dataclass(frozen=True)
class Parts:
    """How the rows are shared out.

    Parameters
    ----------
    train, test : tuple of int
        Numbers of the rows of each part, in the order in which they are used.
    folds : tuple of tuple of int
        For each fold the places in `train` of the rows that validate; the others are fitted.
    """

    train: tuple[int, ...]
    test: tuple[int, ...]
    folds: tuple[tuple[int, ...], ...]

    def fold_rows(self) -> list[tuple[Indices, Indices]]:
        """For each fold the places in `train` to fit on, and those to validate with."""
        places = np.arange(len(self.train))
        return [(np.delete(places, fold), np.array(fold, dtype=np.intp)) for fold in self.folds]


def paper_parts(y: Labels, test_share: float = TEST_SHARE, seed: int = SPLIT_SEED) -> Parts:
    """The paper's parts: a stratified quarter to test, five folds in the order of the rows."""
    train, test = _split(y, test_share, seed)
    return _parts(train, test, paper_folds(np.zeros((len(train), 1)), y[train]))


def honest_parts(
    y: Labels,
    n_folds: int,
    n_repeats: int,
    fold_seed: int,
    test_share: float = TEST_SHARE,
    seed: int = SPLIT_SEED,
) -> Parts:
    """The same test part, and folds that are repeated in other orders."""
    train, test = _split(y, test_share, seed)
    return _parts(train, test, honest_folds(y[train], n_folds, n_repeats, fold_seed))


def _split(y: Labels, test_share: float, seed: int) -> tuple[Indices, Indices]:
    train, test = train_test_split(
        np.arange(len(y)), stratify=y, test_size=test_share, random_state=seed
    )
    return train, test


def _parts(train: Indices, test: Indices, folds: list[tuple[Indices, Indices]]) -> Parts:
    validating = tuple(tuple(validation.tolist()) for _, validation in folds)
    return Parts(tuple(train.tolist()), tuple(test.tolist()), validating)


@dataclass(frozen=True)
class CandidateScores:
    """Validation AUC of one candidate on one fold; see `smoothrank.selection.choice.FoldFit`."""

    auc_by_iteration: tuple[float, ...]
    staged: bool
    gap: float


@dataclass(frozen=True)
class ExperimentResult:
    """One method on one data set.

    Parameters
    ----------
    value : float
        The chosen parameter.
    scale : str or None
        The chosen scaling.
    cv_auc, cv_auc_std : float
        Mean and standard deviation over the folds of the validation AUC of the choice.
    fold_aucs : dict
        The validation AUC of each fold, for each value and scaling.
    test_auc : float
        AUC of the refit on the test part.
    n_used : int
        Columns that the refit uses.
    gap : float
        Largest optimality gap of the refit.
    worst_gap : float
        Largest optimality gap of all fits.
    """

    value: float
    scale: str | None
    cv_auc: float
    cv_auc_std: float
    fold_aucs: dict[Candidate, tuple[float, ...]]
    test_auc: float
    n_used: int
    gap: float
    worst_gap: float


def run_experiment(
    chosen: Method,
    X: Matrix,
    y: Labels,
    parts: Parts,
    *,
    selection: Selection = "paper",
    scales: Sequence[str | None] = (None,),
    solver: str = "auto",
) -> ExperimentResult:
    """Run the experiment with one method on one data set.

    Parameters
    ----------
    chosen : Method
        The method, with its grid.
    X, y : ndarray
        Encoded rows in file order, and labels +1 or −1.
    parts : Parts
        How the rows are shared out.
    selection : {"paper", "honest"}
        How the value is chosen.
    scales : sequence of str or None
        Scalings to choose among.
    solver : str
        Solver of the linear programs.
    """
    train, test = list(parts.train), list(parts.test)
    fits: dict[Candidate, list[CandidateScores]] = {}
    for scale in scales:
        method = with_settings(chosen, selection, scale, solver)
        for rows, validation in parts.fold_rows():
            scores = _fit_fold(method, X[train], y[train], rows, validation)
            for value, score in zip(chosen.grid, scores, strict=True):
                fits.setdefault((value, scale), []).append(score)
    choice = choose_honest(fits) if selection == "honest" else choose_paper(fits, chosen.selection)
    method = with_settings(chosen, selection, choice.scale, solver, choice.n_prototypes)
    (refit,) = method.fit_grid(method, X[train], y[train], [choice.value])
    gaps = [score.gap for scores in fits.values() for score in scores]
    return ExperimentResult(
        value=choice.value,
        scale=choice.scale,
        cv_auc=choice.cv_auc_mean,
        cv_auc_std=choice.cv_auc_std,
        fold_aucs=choice.fold_aucs,
        test_auc=auc(refit.stages(X[test])[-1], Pairs.from_labels(y[test] == 1)),
        n_used=refit.n_used,
        gap=refit.gap,
        worst_gap=float(np.max([*gaps, refit.gap])),
    )


def with_settings(
    chosen: Method,
    selection: Selection,
    scale: str | None,
    solver: str = "auto",
    n_prototypes: int | None = None,
) -> Method:
    """The method as a rule of selection fits it; a user's own estimator stays as it is.

    Honest selection begins at the prototype that does not depend on the order of the rows; the
    paper's rule begins at the first row.
    """
    wanted: dict[str, Any] = {"solver": solver}
    if selection == "honest":
        wanted |= {"scale": scale, "first_prototype": "priced"}
    if n_prototypes is not None:
        wanted["max_prototypes"] = n_prototypes

    def make(value: float) -> Any:
        estimator = chosen.make(value)
        if not isinstance(estimator, RankingClassifier):
            return estimator
        known = estimator.get_params()
        return estimator.set_params(**{name: wanted[name] for name in wanted if name in known})

    return replace(chosen, make=make)


def _fit_fold(
    method: Method, X: Matrix, y: Labels, rows: Indices, validation: Indices
) -> list[CandidateScores]:
    """Fit all values of the grid on one fold, and score its validation rows."""
    pairs = Pairs.from_labels(y[validation] == 1)
    return [
        CandidateScores(
            auc_by_iteration=tuple(auc(scores, pairs) for scores in fit.stages(X[validation])),
            staged=fit.staged,
            gap=fit.gap,
        )
        for fit in method.fit_grid(method, X[rows], y[rows], method.grid)
    ]
