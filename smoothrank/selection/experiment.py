"""The experiment: one method on one data set, by the paper's rule or by honest selection.

    run_experiment(method("l1"), X, y, paper_parts(y))

The rows are split, every value of the grid is fitted on every fold, one is chosen by its validation
AUC, refitted on the whole training part, and scored on the test part. `retrain` takes the same
steps (`fit_grid_on_fold`, `choose`, `with_settings`), spread over processes, and records each fit.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any, Literal

import numpy as np

from smoothrank.arrays import Labels, Matrix
from smoothrank.estimators.foreign import as_ranking
from smoothrank.estimators.ranking_classifier import RankingClassifier
from smoothrank.losses.pairwise_hinge import Pairs, auc
from smoothrank.selection.choice import (
    Candidate,
    Choice,
    choose_honest,
    choose_paper,
    choose_smallest,
)
from smoothrank.selection.fold_fit import FoldFit, fit_grid_on_fold, fitted
from smoothrank.selection.methods import Method
from smoothrank.selection.splits import Parts

Selection = Literal["honest", "paper"]


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
        How the rows are split.
    selection : {"paper", "honest"}
        How the value is chosen.
    scales : sequence of str or None
        Scalings to choose among.
    solver : str
        Solver of the linear programs.

    Examples
    --------
    >>> from dataclasses import replace
    >>> import numpy as np
    >>> from smoothrank.datasets.xor import noisy_xor
    >>> from smoothrank.selection.experiment import run_experiment
    >>> from smoothrank.selection.methods import method
    >>> from smoothrank.selection.splits import paper_parts
    >>> X, y = noisy_xor(80, 0.2, np.random.default_rng(0))
    >>> small = replace(method("l1"), grid=(1.0, 10.0))
    >>> result = run_experiment(small, X, y, paper_parts(y))
    >>> sorted(value for value, scale in result.fold_aucs)
    [1.0, 10.0]
    >>> result.value in small.grid
    True
    """
    train, test = list(parts.train), list(parts.test)
    fits: dict[Candidate, list[FoldFit]] = {}
    for scale in scales:
        method = with_settings(chosen, selection, scale, solver)
        for rows, validation in parts.fold_rows():
            made = fit_grid_on_fold(method, X[train], y[train], rows, validation)
            for value, fit in zip(chosen.grid, made, strict=True):
                fits.setdefault((value, scale), []).append(fit)
    choice = choose(chosen, selection, fits)
    method = with_settings(chosen, selection, choice.scale, solver, choice.n_prototypes)
    refit = fitted(as_ranking(method.make(choice.value)).fit(X[train], y[train]))
    gaps = [fit.gap for folds in fits.values() for fit in folds]
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


def choose(
    chosen: Method, selection: Selection, fits: Mapping[Candidate, Sequence[FoldFit]]
) -> Choice:
    """Choose a candidate by the method's own rule, or by that of the selection.

    Parameters
    ----------
    chosen : Method
        The method.
    selection : {"paper", "honest"}
        The rule of a method that has none of its own.
    fits : mapping
        The fits of all folds, by (value, scale).
    """
    if chosen.prefers_small:
        return choose_smallest(fits)
    return choose_honest(fits) if selection == "honest" else choose_paper(fits, chosen.selection)


def with_settings(
    chosen: Method,
    selection: Selection,
    scale: str | None,
    solver: str = "auto",
    n_prototypes: int | None = None,
) -> Method:
    """Return the method as a rule of selection fits it; a user's own estimator stays as it is.

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
