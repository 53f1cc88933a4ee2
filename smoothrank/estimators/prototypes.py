"""Smooth Ranking-CG Prototype and Ranking-CG Prototype: AUC from a few prototypes."""

from __future__ import annotations

from collections.abc import Sequence
from numbers import Integral, Real
from typing import Any, ClassVar

from sklearn.utils._param_validation import Interval

from smoothrank.estimators.prototype_base import PERFECT_AUC, BasePrototypeClassifier
from smoothrank.losses.pairwise_hinge import Pairs
from smoothrank.solvers.column_generation import Callback
from smoothrank.solvers.master import BOX, Master

__all__ = ["BasePrototypeClassifier", "RankingCGPrototype", "SmoothRankingPrototype"]


class SmoothRankingPrototype(BasePrototypeClassifier):
    """Smooth Ranking-CG Prototype: a few prototypes and weights that maximise AUC.

    Each master problem is

        min_w  1/(|P||N|) Σ_{p,n} max(0, 1 − (D_p − D_n)·w)  +  C Σ_{t<T} |w_t − w_old,t|

    and column generation ends when the training AUC changes by less than `auc_tol`.

    Parameters
    ----------
    C : float
        Price of changing the weight of an old prototype; larger is smoother.
    scale : {None, "standard", "quantile", "normal"}
        Scaling of the features before distances are taken; None is the paper's way.
    columns : str
        The family of columns, a name that `smoothrank.columns` knows; "distance" is the paper's.
    first_prototype : {"priced", "first", "random"}
        The training row to begin with: that of largest |g| under equal weights (whatever the
        order of the rows; of more than 20,000 the best found by an estimate from a sample), the
        first row (as the paper's tables were made), or a random one.
    solver : str
        Solver of the linear programs: "gurobi", "highs", or "auto", which takes Gurobi where its
        licence carries them.
    max_prototypes : int
        The most prototypes.
    auc_tol : float
        Stop when the relative change of the training AUC is below this.
    tol : float
        Relative optimality gap of each master problem.
    adam_steps : int
        The most Adam steps for each prototype.
    learning_rate : float
        Adam's learning rate.
    random_state : int
        Seed of the noise at the start of each search.
    callback : callable or None
        Called with `(WeightedColumns, Iteration)` after each column.

    Attributes
    ----------
    prototypes_ : ndarray of shape (T, d)
        The prototypes, in the units of the data.
    weights_ : ndarray of shape (T,)
        Their weights; a positive one says that positives are far from the prototype.
    classes_ : ndarray of shape (2,)
        The labels, the positive one last.
    history_ : list of Iteration
        One record a column, with the optimality gap of its master problem.
    kkt_residual_ : float
        How far the KKT conditions of an optimum are from being met, relative to the size of the
        numbers in them; NaN in a model that an earlier version saved.
    weights_path_ : list of ndarray
        The weights after each column.
    intercept_ : float
        Negative of the decision threshold.
    solver_ : str
        The solver that was used.
    n_features_in_ : int
        Number of features.
    feature_names_in_ : ndarray
        Their names, when X was a data frame.

    Examples
    --------
    >>> from sklearn.datasets import make_classification
    >>> from smoothrank import SmoothRankingPrototype
    >>> X, y = make_classification(weights=[0.9], random_state=0)
    >>> model = SmoothRankingPrototype(C=1e-3, scale="standard", solver="highs").fit(X, y)
    >>> model.prototypes_.shape[1]
    20
    """

    _parameter_constraints: ClassVar[dict[str, list[Any]]] = {
        **BasePrototypeClassifier._parameter_constraints,
        "C": [Interval(Real, 0, None, closed="neither")],
        "auc_tol": [Interval(Real, 0, None, closed="left")],
    }

    def __init__(
        self,
        C: float = 1e-3,
        *,
        scale: Any = None,
        columns: str = "distance",
        first_prototype: str = "priced",
        solver: str = "auto",
        max_prototypes: int = 100,
        auc_tol: float = 0.01,
        tol: float = 1e-6,
        adam_steps: int = 1000,
        learning_rate: float = 1e-3,
        random_state: int = 12345,
        callback: Callback | None = None,
    ) -> None:
        self.C = C
        self.scale = scale
        self.columns = columns
        self.first_prototype = first_prototype
        self.solver = solver
        self.max_prototypes = max_prototypes
        self.auc_tol = auc_tol
        self.tol = tol
        self.adam_steps = adam_steps
        self.learning_rate = learning_rate
        self.random_state = random_state
        self.callback = callback

    def _make_master(self, pairs: Pairs) -> Master:
        return Master(
            pairs,
            change_cost=self.C,
            solver=self.solver,
            tol=self.tol,
            max_columns=self.max_prototypes,
        )

    def has_converged(self, aucs: Sequence[float]) -> bool:
        """Return whether to stop, given the training AUC after each column."""
        return aucs[-1] >= PERFECT_AUC or abs(aucs[-1] - aucs[-2]) < self.auc_tol * aucs[-2]


class RankingCGPrototype(BasePrototypeClassifier):
    """Ranking-CG Prototype, the method that the smooth one improves on.

    Each master problem is  min_w Σ_{p,n} max(0, 1 − (D_p − D_n)·w)  with |w_t| ≤ 1 (`bounded`) or
    without a bound, and nothing keeps old weights in place. Column generation ends when the
    training AUC changes by less than `alpha` against `columns_back` columns earlier, but not before
    the sixth column unless the AUC is 1.

    Parameters
    ----------
    alpha : float
        Relative change of the training AUC at which to stop.
    bounded : bool
        Whether |w_t| ≤ 1.
    columns_back : int
        How many columns earlier the AUC is that the newest is compared with: five as in the
        published code. The paper's tables follow one; see docs/methods.md.
    scale, columns, first_prototype, solver, max_prototypes, tol, adam_steps, learning_rate, \
random_state, callback
        As for `SmoothRankingPrototype`.

    Examples
    --------
    >>> from sklearn.datasets import make_classification
    >>> from smoothrank import RankingCGPrototype
    >>> X, y = make_classification(weights=[0.9], random_state=0)
    >>> model = RankingCGPrototype(scale="standard", solver="highs", max_prototypes=3).fit(X, y)
    >>> len(model.weights_)
    3
    """

    _parameter_constraints: ClassVar[dict[str, list[Any]]] = {
        **BasePrototypeClassifier._parameter_constraints,
        "alpha": [Interval(Real, 0, None, closed="left")],
        "bounded": ["boolean"],
        "columns_back": [Interval(Integral, 1, None, closed="left")],
    }
    _unchecked_columns: ClassVar[int] = 5

    def __init__(
        self,
        alpha: float = 1e-3,
        *,
        bounded: bool = True,
        columns_back: int = 5,
        scale: Any = None,
        columns: str = "distance",
        first_prototype: str = "priced",
        solver: str = "auto",
        max_prototypes: int = 100,
        tol: float = 1e-6,
        adam_steps: int = 1000,
        learning_rate: float = 1e-3,
        random_state: int = 12345,
        callback: Callback | None = None,
    ) -> None:
        self.alpha = alpha
        self.bounded = bounded
        self.columns_back = columns_back
        self.scale = scale
        self.columns = columns
        self.first_prototype = first_prototype
        self.solver = solver
        self.max_prototypes = max_prototypes
        self.tol = tol
        self.adam_steps = adam_steps
        self.learning_rate = learning_rate
        self.random_state = random_state
        self.callback = callback

    def _make_master(self, pairs: Pairs) -> Master:
        return Master(
            pairs,
            change_cost=0.0,
            bound=1.0 if self.bounded else BOX,
            solver=self.solver,
            tol=self.tol,
            max_columns=self.max_prototypes,
        )

    def has_converged(self, aucs: Sequence[float]) -> bool:
        """Return whether to stop, given the training AUC after each column."""
        if aucs[-1] >= PERFECT_AUC:
            return True
        if len(aucs) <= max(self.columns_back, self._unchecked_columns):
            return False
        earlier = aucs[-1 - self.columns_back]
        return abs(aucs[-1] - earlier) < self.alpha * earlier
