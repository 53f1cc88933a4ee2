"""Column generation: add a column, solve the master problem, price the next column, repeat.

The master problem (`smoothrank.solvers.master`) finds the weights, the pricing problem
(`smoothrank.solvers.pricing`) the columns; the model is a `WeightedColumns`.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field, replace
from time import perf_counter

import numpy as np

from smoothrank.arrays import Vector
from smoothrank.columns.distinct_rows import Rows
from smoothrank.columns.standardising import standardise
from smoothrank.columns.weighted import WeightedColumns
from smoothrank.losses.pairwise_hinge import Pairs, auc
from smoothrank.solvers.master import Master
from smoothrank.solvers.pricing import Pricing

NEGLIGIBLE_PRICE = 1e-9
"""A best |g| below this share of the data's extent means that no prototype improves the model."""


@dataclass(frozen=True)
class Iteration:
    """The record of one column.

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
        Wall time of the master problem, and of choosing the prototype; NaN in a loaded model.
    kkt : float
        KKT residual of the master problem's last linear program; NaN in a loaded model.
    """

    n_prototypes: int
    objective: float
    lower_bound: float
    gap: float
    cuts: int
    train_auc: float
    price: float
    seconds_master: float = field(default=math.nan, compare=False)
    seconds_pricing: float = field(default=math.nan, compare=False)
    kkt: float = field(default=math.nan, compare=False)


Callback = Callable[[WeightedColumns, Iteration], None]


class ColumnGeneration:
    """The loop shared by the prototype methods.

    Parameters
    ----------
    model : WeightedColumns
        The model so far, without columns as a rule; its family gives the columns.
    rows : Rows
        The training rows, in scaled units.
    master : Master
        Finds the weights.
    pricing : Pricing
        Finds the columns.
    """

    def __init__(
        self, model: WeightedColumns, rows: Rows, master: Master, pricing: Pricing
    ) -> None:
        self.model = model
        self._family = model.family
        self._rows = rows
        self._master = master
        self._pricing = pricing
        self._pairs = Pairs.from_labels(rows.is_positive, rows.weight)
        self.history: list[Iteration] = []
        self.weights_path: list[Vector] = []

    def run(
        self,
        first: Vector,
        max_prototypes: int,
        has_converged: Callable[[Sequence[float]], bool],
        callback: Callback | None,
    ) -> None:
        """Generate columns, starting with that of the given parameters."""
        parameters, seconds = first, 0.0
        extent = self._family.extent(self._rows.X)
        duals = uniform_duals(self._pairs)
        price = abs(float(self._family.prices(self._rows.X, duals, first[None])[0]))
        while True:
            duals = self._add(parameters, price, seconds, callback)
            aucs = [iteration.train_auc for iteration in self.history]
            if len(aucs) >= max_prototypes or (len(aucs) > 1 and has_converged(aucs)):
                return
            begin = perf_counter()
            priced = self._pricing.price(duals)
            parameters, price, seconds = priced.parameters, priced.value, perf_counter() - begin
            if price <= NEGLIGIBLE_PRICE * extent:
                return

    def _add(
        self, parameters: Vector, price: float, seconds: float, callback: Callback | None
    ) -> Vector:
        begin = perf_counter()
        values = self._family.values(self._rows.X, parameters[None])
        means, spreads, columns = standardise(values, self._rows.weight)
        self._master.add_column(columns[:, 0])
        solution = self._master.solve()
        self.weights_path.append(solution.weights)
        self.model = replace(
            self.model,
            parameters=np.vstack((self.model.parameters, parameters)),
            means=np.append(self.model.means, means),
            spreads=np.append(self.model.spreads, spreads),
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
                kkt=solution.kkt,
            )
        )
        if callback is not None:
            callback(self.model, self.history[-1])
        return solution.duals


def uniform_duals(pairs: Pairs) -> Vector:
    """Return the dual sums at w = 0: u_p for positives, −v_n for negatives."""
    duals = np.empty(pairs.n_rows)
    duals[pairs.positive] = pairs.positive_weight
    duals[pairs.negative] = -pairs.negative_weight
    return duals
