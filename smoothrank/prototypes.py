"""Smooth Ranking-CG Prototype and Ranking-CG Prototype: AUC from a few prototypes.

The score of x is Σ_t w_t z_t(x) with z_t(x) = (‖x − q_t‖ − μ_t) / σ_t, where μ_t and σ_t are mean
and standard deviation of ‖x_i − q_t‖ over the training rows. Column generation alternates between
the master problem (`smoothrank.master`: the weights) and the sub-problem (`smoothrank.pricing`:
the next prototype).
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from numbers import Integral, Real
from pathlib import Path
from time import perf_counter
from typing import Any, ClassVar, Self

import numpy as np
import numpy.typing as npt
from scipy.spatial.distance import cdist
from sklearn.base import BaseEstimator, ClassifierMixin, _fit_context
from sklearn.utils import Tags
from sklearn.utils._param_validation import Interval, StrOptions
from sklearn.utils.multiclass import check_classification_targets, type_of_target
from sklearn.utils.validation import _check_sample_weight, check_is_fitted, validate_data

from smoothrank.decision import balanced_threshold, fit_calibration, probability
from smoothrank.master import BOX, Master
from smoothrank.pairwise import Pairs, Vector, auc
from smoothrank.pricing import Pricing
from smoothrank.rows import Rows, distinct_rows
from smoothrank.scaling import Scaler, fit_scaler
from smoothrank.solvers import SolverName

Matrix = npt.NDArray[np.float64]

NEGLIGIBLE_PRICE = 1e-9
"""A best |g| below this, relative to the spread of the data, means that nothing improves."""


@dataclass(frozen=True)
class Iteration:
    """What one column did.

    Parameters
    ----------
    n_prototypes : int
        Prototypes so far.
    objective, lower_bound, gap : float
        The master problem's value and certificate.
    cuts : int
        Cutting planes made for it.
    train_auc : float
        AUC on the training rows.
    price : float
        |g| of this column's prototype when it was chosen.
    seconds_master, seconds_pricing : float
        Wall time of the master problem, and of choosing the prototype.
    """

    n_prototypes: int
    objective: float
    lower_bound: float
    gap: float
    cuts: int
    train_auc: float
    price: float
    seconds_master: float
    seconds_pricing: float


@dataclass(frozen=True)
class PrototypeModel:
    """The score function Σ_t w_t (‖x − q_t‖ − μ_t) / σ_t, with q_t and x in scaled units."""

    prototypes: Matrix
    means: Vector
    spreads: Vector
    weights: Vector
    scaler: Scaler | None

    def columns(self, X: Matrix) -> Matrix:
        """Standardised distances of rows (in the data's units) to each prototype."""
        scaled = X if self.scaler is None else self.scaler.transform(X)
        return (cdist(scaled, self.prototypes) - self.means) / self.spreads

    def score(self, X: Matrix) -> Vector:
        """Score of rows in the data's units."""
        return np.asarray(self.columns(X) @ self.weights)


Callback = Callable[[PrototypeModel, Iteration], None]


class _ColumnGeneration:
    """The loop shared by the prototype methods: add column, solve master, price, repeat."""

    def __init__(self, rows: Rows, master: Master, pricing: Pricing, scaler: Scaler | None) -> None:
        self._rows = rows
        self._master = master
        self._pricing = pricing
        self._pairs = Pairs.from_labels(rows.is_positive, rows.weight)
        self.model = PrototypeModel(
            np.empty((0, rows.X.shape[1])), np.empty(0), np.empty(0), np.empty(0), scaler
        )
        self.history: list[Iteration] = []
        self.weights_path: list[Vector] = []
        self.columns: Matrix = np.empty((len(rows.X), 0))

    def run(
        self,
        first: Vector,
        max_prototypes: int,
        has_converged: Callable[[Sequence[float]], bool],
        callback: Callback | None,
    ) -> None:
        """Generate columns, from the first prototype on."""
        prototype, seconds = first, 0.0
        price = float(abs(cdist(first[None], self._rows.X)[0] @ uniform_duals(self._pairs)))
        while True:
            duals = self._add(prototype, price, seconds, callback)
            aucs = [iteration.train_auc for iteration in self.history]
            if len(aucs) >= max_prototypes or (len(aucs) > 1 and has_converged(aucs)):
                return
            begin = perf_counter()
            priced = self._pricing.price(duals)
            prototype, price, seconds = priced.prototype, priced.value, perf_counter() - begin
            if price <= NEGLIGIBLE_PRICE:
                return

    def _add(
        self, prototype: Vector, price: float, seconds: float, callback: Callback | None
    ) -> Vector:
        begin = perf_counter()
        mean, spread, column = standardised_distances(self._rows, prototype)
        self.columns = np.column_stack((self.columns, column))
        self._master.add_column(column)
        solution = self._master.solve()
        self.weights_path.append(solution.weights)
        self.model = replace(
            self.model,
            prototypes=np.vstack((self.model.prototypes, prototype)),
            means=np.append(self.model.means, mean),
            spreads=np.append(self.model.spreads, spread),
            weights=solution.weights,
        )
        self.history.append(
            Iteration(
                n_prototypes=len(solution.weights),
                objective=solution.objective,
                lower_bound=solution.lower_bound,
                gap=solution.gap,
                cuts=solution.cuts,
                train_auc=auc(self.columns @ solution.weights, self._pairs),
                price=price,
                seconds_master=perf_counter() - begin,
                seconds_pricing=seconds,
            )
        )
        if callback is not None:
            callback(self.model, self.history[-1])
        return solution.duals


def uniform_duals(pairs: Pairs) -> Vector:
    """The dual sums at w = 0, where every pair counts: u_p for positives, −v_n for negatives."""
    duals = np.empty(pairs.n_rows)
    duals[pairs.positive] = pairs.positive_weight
    duals[pairs.negative] = -pairs.negative_weight
    return duals


def standardised_distances(rows: Rows, prototype: Vector) -> tuple[float, float, Vector]:
    """μ_t, σ_t and z_t over the training rows; a constant column has σ_t := 1 and z_t = 0."""
    distances = cdist(rows.X, prototype[None])[:, 0]
    mean = float(np.average(distances, weights=rows.weight))
    spread = float(np.sqrt(np.average((distances - mean) ** 2, weights=rows.weight)))
    if spread <= 1e-12 * max(mean, np.finfo(float).tiny):
        return mean, 1.0, np.zeros(len(distances))
    return mean, spread, (distances - mean) / spread


class BasePrototypeClassifier(ClassifierMixin, BaseEstimator):
    """A binary classifier made of weighted prototypes, learnt by column generation.

    Subclasses say what the master problem is and when to stop.
    """

    _parameter_constraints: ClassVar[dict[str, list[Any]]] = {
        "scale": [StrOptions({"standard", "quantile"}), None],
        "first_prototype": [StrOptions({"first", "random", "priced"})],
        "solver": [StrOptions({"auto", "gurobi", "highs"})],
        "max_prototypes": [Interval(Integral, 1, None, closed="left")],
        "tol": [Interval(Real, 0, None, closed="neither")],
        "adam_steps": [Interval(Integral, 0, None, closed="left")],
        "learning_rate": [Interval(Real, 0, None, closed="neither")],
        "random_state": [Interval(Integral, 0, None, closed="left")],
        "callback": [callable, None],
    }

    scale: Any
    first_prototype: str
    solver: SolverName
    max_prototypes: int
    tol: float
    adam_steps: int
    learning_rate: float
    random_state: int
    callback: Callback | None

    def _make_master(self, pairs: Pairs) -> Master:
        raise TypeError(f"{type(self).__name__} has no master problem; use one of its subclasses.")

    def _has_converged(self, aucs: Sequence[float]) -> bool:
        raise TypeError(f"{type(self).__name__} has no stopping rule; use one of its subclasses.")

    @_fit_context(prefer_skip_nested_validation=True)
    def fit(self, X: Any, y: Any, sample_weight: Any = None) -> Self:
        """Learn prototypes and weights.

        Parameters
        ----------
        X : array-like of shape (n, d)
            Rows of numbers.
        y : array-like of shape (n,)
            Two labels; the greater one (`classes_[1]`) is the positive class.
        sample_weight : array-like of shape (n,), optional
            Weight of each row; a pair weighs the product of its two.

        Returns
        -------
        self
        """
        X, y = validate_data(self, X, y, dtype=np.float64, ensure_min_samples=2)
        is_positive = self._two_classes(y)
        weight = _check_sample_weight(sample_weight, X, dtype=np.float64, ensure_non_negative=True)
        self._both_classes_weigh(is_positive, weight)
        scaler = None if self.scale is None else self._fit_scaler(X, weight)
        scaled = X if scaler is None else scaler.transform(X)
        rows = distinct_rows(scaled, is_positive, weight, keep_order=self.first_prototype != "priced")
        self._learn(rows, scaler)
        return self

    def _fit_scaler(self, X: Matrix, weight: Vector) -> Scaler:
        used = weight > 0
        order = np.lexsort(X[used].T)
        return fit_scaler(self.scale, X[used][order], weight[used][order])

    def _learn(self, rows: Rows, scaler: Scaler | None) -> None:
        rng = np.random.default_rng(self.random_state)
        pairs = Pairs.from_labels(rows.is_positive, rows.weight)
        pricing = Pricing(
            rows.X, rng, adam_steps=self.adam_steps, learning_rate=self.learning_rate
        )
        master = self._make_master(pairs)
        generation = _ColumnGeneration(rows, master, pricing, scaler)
        first = self._first_row(rows, pairs, pricing, rng)
        generation.run(rows.X[first], self.max_prototypes, self._has_converged, self.callback)
        self._keep(generation, master, rows, pairs)

    def _first_row(
        self, rows: Rows, pairs: Pairs, pricing: Pricing, rng: np.random.Generator
    ) -> int:
        if self.first_prototype == "first":
            return 0
        if self.first_prototype == "random":
            return int(rng.choice(len(rows.X), p=rows.weight / rows.weight.sum()))
        return pricing.best_row(uniform_duals(pairs))

    def _keep(
        self, generation: _ColumnGeneration, master: Master, rows: Rows, pairs: Pairs
    ) -> None:
        self.model_ = generation.model
        self.weights_ = generation.model.weights
        self.prototypes_ = self._in_data_units(generation.model)
        self.history_ = generation.history
        self.weights_path_ = generation.weights_path
        self.solver_ = master.solver
        scores = generation.columns @ self.weights_
        self.intercept_ = -balanced_threshold(scores, pairs)
        self.calibration_ = fit_calibration(
            scores + self.intercept_, rows.is_positive.astype(float), rows.weight
        )

    @staticmethod
    def _in_data_units(model: PrototypeModel) -> Matrix:
        if model.scaler is None:
            return model.prototypes
        return model.scaler.inverse_transform(model.prototypes)

    def _two_classes(self, y: npt.NDArray[Any]) -> npt.NDArray[np.bool_]:
        check_classification_targets(y)
        self.classes_ = np.unique(y)
        if len(self.classes_) == 1:
            raise ValueError(
                f"y has only one class, {self.classes_[0]!r}; ranking needs rows of two classes. "
                "Give rows of both, or check how y was made."
            )
        if len(self.classes_) > 2:
            raise ValueError(
                "Only binary classification is supported. The type of the target is "
                f"{type_of_target(y)} with {len(self.classes_)} classes. "
                "Keep two, or compare one class with the rest."
            )
        return np.asarray(y == self.classes_[1])

    def _both_classes_weigh(self, is_positive: npt.NDArray[np.bool_], weight: Vector) -> None:
        for label, rows in zip(self.classes_, (~is_positive, is_positive), strict=True):
            if not weight[rows].sum() > 0:
                raise ValueError(
                    f"sample_weight is zero on every row of class {label!r}. "
                    "Give some row of each class a positive weight."
                )

    def decision_function(self, X: Any) -> Vector:
        """Score of rows; above zero means the positive class.

        It is Σ_t w_t z_t(x) plus `intercept_`, the negative of the threshold learnt on the
        training scores.
        """
        return self.model_.score(self._validated(X)) + self.intercept_

    def staged_decision_function(self, X: Any) -> Iterator[Vector]:
        """Scores Σ_t w_t z_t(x) after each column, as the weights then were."""
        columns = self.model_.columns(self._validated(X))
        for weights in self.weights_path_:
            yield columns[:, : len(weights)] @ weights

    def contributions(self, X: Any) -> Matrix:
        """What each prototype adds to the score of each row, w_t z_t(x); shape (n, T)."""
        return self.model_.columns(self._validated(X)) * self.weights_

    def predict(self, X: Any) -> npt.NDArray[Any]:
        """Label of each row, by the threshold of largest balanced accuracy in training."""
        decision = self.decision_function(X)
        return np.asarray(self.classes_[(decision > 0).astype(int)])

    def predict_proba(self, X: Any) -> Matrix:
        """Probability of `classes_`, strictly increasing in the score: AUC does not change.

        Calibrated to the share of positives in training, so that a rare class predicted by
        `predict` may have a probability below one half.
        """
        positive = probability(self.decision_function(X), *self.calibration_)
        return np.column_stack((1.0 - positive, positive))

    def save(self, path: str | Path) -> Path:
        """Write the fitted model to a folder of JSON and npz; see `smoothrank.load_model`."""
        from smoothrank.model_file import save_model

        return save_model(self, Path(path))

    def _validated(self, X: Any) -> Matrix:
        check_is_fitted(self)
        return np.asarray(validate_data(self, X, dtype=np.float64, reset=False))

    def __sklearn_tags__(self) -> Tags:
        tags = super().__sklearn_tags__()
        tags.classifier_tags.multi_class = False
        return tags


class SmoothRankingPrototype(BasePrototypeClassifier):
    """Smooth Ranking-CG Prototype: a few prototypes and weights that maximise AUC.

    Each master problem is

        min_w  1/(|P||N|) Σ_{p,n} max(0, 1 − (D_p − D_n)·w)  +  C Σ_{t<T} |w_t − w_old,t|

    and column generation ends when the training AUC changes by less than `auc_tol`.

    Parameters
    ----------
    C : float
        Price of changing the weight of an old prototype; larger is smoother.
    scale : {None, "standard", "quantile"}
        Scaling of the features before distances are taken; None is the paper's way.
    first_prototype : {"priced", "first", "random"}
        The training row to begin with: that of largest |g| under equal weights (whatever the
        order of the rows), the first row (as the paper's tables were made), or a random one.
    solver : {"auto", "gurobi", "highs"}
        Solver of the linear programs; "auto" takes Gurobi where its licence carries them.
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
        Called with `(PrototypeModel, Iteration)` after each column.

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
        first_prototype: str = "priced",
        solver: SolverName = "auto",
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

    def _has_converged(self, aucs: Sequence[float]) -> bool:
        return aucs[-1] == 1.0 or abs(aucs[-1] - aucs[-2]) < self.auc_tol * aucs[-2]


class RankingCGPrototype(BasePrototypeClassifier):
    """Ranking-CG Prototype, the method that the smooth one improves on.

    Each master problem is  min_w Σ_{p,n} max(0, 1 − (D_p − D_n)·w)  with |w_t| ≤ 1 (`bounded`) or
    without a bound, and nothing keeps old weights in place. Column generation ends when the
    training AUC changes by less than `alpha` against five columns earlier.

    Parameters
    ----------
    alpha : float
        Relative change of the training AUC, against five columns earlier, at which to stop.
    bounded : bool
        Whether |w_t| ≤ 1.
    scale, first_prototype, solver, max_prototypes, tol, adam_steps, learning_rate, random_state, \
callback
        As for `SmoothRankingPrototype`.
    """

    _parameter_constraints: ClassVar[dict[str, list[Any]]] = {
        **BasePrototypeClassifier._parameter_constraints,
        "alpha": [Interval(Real, 0, None, closed="left")],
        "bounded": ["boolean"],
    }
    columns_back: ClassVar[int] = 5

    def __init__(
        self,
        alpha: float = 1e-3,
        *,
        bounded: bool = True,
        scale: Any = None,
        first_prototype: str = "priced",
        solver: SolverName = "auto",
        max_prototypes: int = 100,
        tol: float = 1e-6,
        adam_steps: int = 1000,
        learning_rate: float = 1e-3,
        random_state: int = 12345,
        callback: Callback | None = None,
    ) -> None:
        self.alpha = alpha
        self.bounded = bounded
        self.scale = scale
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

    def _has_converged(self, aucs: Sequence[float]) -> bool:
        if aucs[-1] == 1.0:
            return True
        if len(aucs) <= self.columns_back:
            return False
        earlier = aucs[-1 - self.columns_back]
        return abs(aucs[-1] - earlier) < self.alpha * earlier
