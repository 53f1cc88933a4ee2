"""Column generation: add a column, solve the master problem, price the next prototype, repeat.

The score of x is Σ_t w_t z_t(x) with z_t(x) = (‖x − q_t‖ − μ_t) / σ_t, where μ_t and σ_t are mean
and standard deviation of ‖x_i − q_t‖ over the training rows. The master problem (`master`) finds
the weights, the sub-problem (`pricing`) the prototypes.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from time import perf_counter

import numpy as np
from scipy.spatial.distance import cdist

from smoothrank.arrays import Matrix, Vector
from smoothrank.columns.distinct_rows import Rows
from smoothrank.columns.feature_scaling import Scaler
from smoothrank.losses.pairwise_hinge import Pairs, auc
from smoothrank.solvers.master import Master
from smoothrank.solvers.pricing import Pricing

NEGLIGIBLE_PRICE = 1e-9
"""A best |g| below this share of the data's extent means that no prototype improves."""


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
        distances: Matrix = cdist(scaled, self.prototypes)
        return (distances - self.means) / self.spreads

    def score(self, X: Matrix) -> Vector:
        """Score of rows in the data's units."""
        return np.asarray(self.columns(X) @ self.weights)


Callback = Callable[[PrototypeModel, Iteration], None]


class ColumnGeneration:
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

    def run(
        self,
        first: Vector,
        max_prototypes: int,
        has_converged: Callable[[Sequence[float]], bool],
        callback: Callback | None,
    ) -> None:
        """Generate columns, from the first prototype on."""
        prototype, seconds = first, 0.0
        extent = float(np.linalg.norm(np.ptp(self._rows.X, axis=0)))
        price = float(abs(cdist(first[None], self._rows.X)[0] @ uniform_duals(self._pairs)))
        while True:
            duals = self._add(prototype, price, seconds, callback)
            aucs = [iteration.train_auc for iteration in self.history]
            if len(aucs) >= max_prototypes or (len(aucs) > 1 and has_converged(aucs)):
                return
            begin = perf_counter()
            priced = self._pricing.price(duals)
            prototype, price, seconds = priced.prototype, priced.value, perf_counter() - begin
            if price <= NEGLIGIBLE_PRICE * extent:
                return

    def _add(
        self, prototype: Vector, price: float, seconds: float, callback: Callback | None
    ) -> Vector:
        begin = perf_counter()
        mean, spread, column = standardised_distances(self._rows, prototype)
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
                train_auc=auc(self._master.columns @ solution.weights, self._pairs),
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
