"""The methods that can be compared, by name: estimator, grid and rule of selection.

    method("l1").make(10.0).fit(X, y)

A user's own estimator is registered with `register(Method(...))`; it needs `fit` and
`decision_function` and is then available by name wherever a method is named.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from typing import Any, Literal

import numpy as np

from smoothrank.arrays import Labels, Matrix, Vector
from smoothrank.estimators.cited.rank_boost import RankBoost
from smoothrank.estimators.cited.rank_net import RankNet
from smoothrank.estimators.dictionary_ranking import DictionaryRanking
from smoothrank.estimators.norm_ranking import (
    BaseNormRanking,
    L1Ranking,
    LInfRanking,
    RankingSVM,
)
from smoothrank.estimators.prototypes import RankingCGPrototype, SmoothRankingPrototype
from smoothrank.estimators.ranking_classifier import n_used
from smoothrank.estimators.smooth_ranking import SIZES, SmoothRanking
from smoothrank.registry import Registry
from smoothrank.selection.cost import (
    ALPHA_COST,
    BEST_COST,
    DICTIONARY_COST,
    NORM_COST,
    PROTOTYPE_COST,
    SMALL_COST,
    Cost,
)
from smoothrank.selection.fold_fit import Fitted, Stages, fitted, stages_of

SMOOTH_GRID = (1e-6, 5e-6, 1e-5, 5e-5, 1e-4, 5e-4, 1e-3, 5e-3, 1e-2, 5e-2, 1e-1, 5e-1, 1.0)
"""The paper's thirteen values of C for Smooth Ranking-CG Prototype."""

ALPHA_GRID = (
    *(1e-5, 5e-5, 1e-4, 2.5e-4, 5e-4, 7.5e-4, 1e-3),
    *(2.5e-3, 5e-3, 7.5e-3, 1e-2, 2.5e-2, 5e-2),
)
"""The paper's thirteen values of α for Ranking-CG Prototype."""

NORM_GRID = (1e-3, 5e-3, 1e-2, 5e-2, 1e-1, 5e-1, 1.0, 5.0, 1e1, 5e1, 1e2, 5e2, 1e3)
"""The paper's thirteen values of C for the three norms."""

ROUNDS_GRID = (5.0, 10.0, 20.0, 50.0, 100.0, 200.0)
"""Rounds of RankBoost."""

DECAY_GRID = (1e-4, 1e-3, 1e-2, 1e-1)
"""Weight decays of RankNet."""

DICTIONARY_GRID = (1e-2, 3e-2, 1e-1, 2e-1, 4e-1)
"""Values of C for columns from a dictionary."""

MOST_COLUMNS = 900
"""The most columns of Ranking-CG: the published code has no limit but the number of rows."""

BENCHMARK_GAP = 1e-4
"""Relative gap of the norms' optima in the protocol."""


COLUMNS = "columns"
AVERAGE = "an average"
"""What a method with nothing to choose is called, in the place of a parameter."""

FitGrid = Callable[["Method", Matrix, Labels, Sequence[float]], Iterable[Fitted]]


def fit_one_by_one(
    method: Method, X: Matrix, y: Labels, values: Sequence[float]
) -> Iterable[Fitted]:
    """Fit each value of the grid on its own."""
    for value in values:
        yield fitted(method.make(value).fit(X, y))


def fit_norm_path(
    method: Method, X: Matrix, y: Labels, values: Sequence[float]
) -> Iterable[Fitted]:
    """Fit all values of C in one pass, each warm-started from the one before."""
    first: BaseNormRanking = method.make(values[0])
    for model in first.path(X, y, values):
        yield fitted(model)


def fit_alpha_path(
    method: Method, X: Matrix, y: Labels, values: Sequence[float]
) -> Iterable[Fitted]:
    """Fit Ranking-CG once, at the smallest α: larger ones stop earlier on the same path."""
    model: RankingCGPrototype = method.make(min(values)).fit(X, y)
    aucs = [iteration.train_auc for iteration in model.history_]
    whole = stages_of(model)
    for value in values:
        end = _stop(method.make(value), aucs)
        gap = max(iteration.gap for iteration in model.history_[:end])
        rows, weights = model.prototypes_[:end], model.weights_path_[end - 1]
        yield Fitted(_first_stages(whole, end), n_used(weights), gap, True, rows, weights)


def fit_rounds(method: Method, X: Matrix, y: Labels, values: Sequence[float]) -> Iterable[Fitted]:
    """Fit RankBoost once, for the most rounds: fewer are the beginning of the same path."""
    model: RankBoost = method.make(max(values)).fit(X, y)
    for value in values:
        score = model.model_.first(int(value))
        nothing = np.empty((0, 0)), np.empty(0)
        yield Fitted(_only_stage(score.score), score.n_columns, np.nan, False, *nothing)


def _only_stage(score: Callable[[Matrix], Vector]) -> Stages:
    return lambda rows: [score(rows)]


def _stop(model: RankingCGPrototype, aucs: Sequence[float]) -> int:
    """Return how many columns a fit with this α has, from the training AUC of a longer fit."""
    for n_columns in range(2, len(aucs)):
        if model.has_converged(aucs[:n_columns]):
            return n_columns
    return len(aucs)


def _first_stages(stages: Stages, end: int) -> Stages:
    return lambda rows: stages(rows)[:end]


def fit_sizes(method: Method, X: Matrix, y: Labels, values: Sequence[float]) -> Iterable[Fitted]:
    """Fit all numbers of columns with one teacher."""
    first: SmoothRanking = method.make(values[0])
    for model in first.path(X, y, [int(value) for value in values]):
        yield fitted(model)


@dataclass(frozen=True)
class Method:
    """A method of the comparison.

    Parameters
    ----------
    name : str
        Its name in flows, benchmark and command line.
    make : callable
        An unfitted estimator for one value of the parameter.
    grid : tuple of float
        Values of the parameter, from small to large.
    selection : {"last", "best"}
        Whether a fold contributes the AUC of the last iteration, or the highest of all.
    fit_grid : callable
        Fits a grid; by default one value after the other.
    parameter : str
        What the parameter is called; `AVERAGE` where there is none.
    prefers_small : bool
        Whether the smallest value within one standard error of the best validation AUC is chosen,
        instead of the best.
    cost : Cost
        How long one fit takes, or one pass over the grid where `fit_grid` makes one.
    """

    name: str
    make: Callable[[float], Any]
    grid: tuple[float, ...]
    selection: Literal["last", "best"] = "last"
    fit_grid: FitGrid = fit_one_by_one
    parameter: str = "C"
    prefers_small: bool = False
    cost: Cost = PROTOTYPE_COST

    def describe(self, value: float, scale: str | None) -> str:
        """Return a candidate in words."""
        if self.parameter == AVERAGE:
            return AVERAGE
        if self.parameter == COLUMNS:
            return f"{value:g} column{'' if value == 1 else 's'}"
        return f"{self.parameter} = {value:g}, {scale or 'no'} scaling"

    def label(self, value: float) -> str:
        """Return what the runs of a value are called, such as C=0.1."""
        return AVERAGE if self.parameter == AVERAGE else f"{self.parameter}={value:g}"

    def logged(self, value: float) -> dict[str, float]:
        """Return a value under its name, as runs are logged; C with its logarithm, too."""
        has_logarithm = self.parameter == "C"
        return self.named(value) | ({"log10_C": math.log10(value)} if has_logarithm else {})

    def named(self, value: float) -> dict[str, float]:
        """Return a value under its name; nothing where there is nothing to choose."""
        return {} if self.parameter == AVERAGE else {self.parameter: value}

    @property
    def has_path(self) -> bool:
        """Whether a grid takes one pass, much faster than its values one by one."""
        return self.fit_grid is not fit_one_by_one


METHODS: Registry[Method] = Registry("method")

method = METHODS.__getitem__
method_names = METHODS.names
register = METHODS.add


def _ranking_cg(*, bounded: bool, columns_back: int) -> Callable[[float], RankingCGPrototype]:
    return lambda alpha: RankingCGPrototype(
        alpha,
        bounded=bounded,
        columns_back=columns_back,
        first_prototype="first",
        max_prototypes=MOST_COLUMNS,
    )


def _norm(
    estimator: type[BaseNormRanking],
) -> Callable[[float], BaseNormRanking]:
    return lambda C: estimator(C, tol=BENCHMARK_GAP)


register(
    Method(
        "smooth",
        lambda C: SmoothRankingPrototype(C, first_prototype="first"),
        SMOOTH_GRID,
        selection="best",
    )
)
for _name, _bounded in (("ranking-cg", True), ("ranking-cg-unbounded", False)):
    _make = _ranking_cg(bounded=_bounded, columns_back=1)
    register(Method(_name, _make, ALPHA_GRID, fit_grid=fit_alpha_path, cost=ALPHA_COST))
for _name, _estimator in (("l1", L1Ranking), ("linf", LInfRanking), ("ranking-svm", RankingSVM)):
    register(Method(_name, _norm(_estimator), NORM_GRID, fit_grid=fit_norm_path, cost=NORM_COST))
_make = _ranking_cg(bounded=True, columns_back=5)
register(
    Method("ranking-cg-five-back", _make, ALPHA_GRID, fit_grid=fit_alpha_path, cost=ALPHA_COST)
)
register(
    Method("rank-boost", lambda rounds: RankBoost(int(rounds)), ROUNDS_GRID, fit_grid=fit_rounds)
)
register(Method("rank-net", RankNet, DECAY_GRID))
register(Method("dictionary", DictionaryRanking, DICTIONARY_GRID, cost=DICTIONARY_COST))
register(
    Method(
        "smoothrank-small",
        lambda size: SmoothRanking(int(size)),
        tuple(map(float, SIZES)),
        fit_grid=fit_sizes,
        parameter=COLUMNS,
        prefers_small=True,
        cost=SMALL_COST,
    )
)
register(
    Method(
        "smoothrank-best",
        lambda _: SmoothRanking("best"),
        (1.0,),
        parameter=AVERAGE,
        cost=BEST_COST,
    )
)
