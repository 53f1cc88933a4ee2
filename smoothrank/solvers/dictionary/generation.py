"""Column generation over a finite dictionary, with a certificate for the whole dictionary.

The problem is, over the weights of all M columns Z of the dictionary,

    min_w  F(w) = R(Z w) + C ‖w‖₁,

with the mean pairwise hinge R. A master problem has the columns chosen so far; the dictionary's
column of largest |γ·z_j| joins them, from all families and views at once.

**Certificate.** R is a maximum of cuts, R(s) ≥ b_k − a_k·s, and b_k is the sum of a_k over the
positive rows. The multipliers λ ≥ 0, Σ_k λ_k ≤ 1, of the master's cuts make γ = Σ_k λ_k a_k and
β = Σ_k λ_k b_k = Σ_p γ_p, and R(s) ≥ 0 takes up what is missing to a sum of one. So

    F(w)  ≥  β − (Zᵀγ)·w + C ‖w‖₁  ≥  β      for all w, if |γ·z_j| ≤ C for all j.

Let r = max_j |γ·z_j|. If r > C, the multipliers (C / r) λ satisfy the condition. Hence

    min F  ≥  β · min(1, C / r)                                     (Farley's bound)

for every γ seen, of which the largest bound counts, and F at the weights found is at most the
relative gap between the two above the optimum over all M columns. At r ≤ C it is the gap of the
master problem itself: no column improves. Refined columns are not in the dictionary; the bound is
then that of the dictionary together with those in the master, which count in r as well, and only
the last γ has seen them all.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from smoothrank.arrays import Vector
from smoothrank.columns.mixed.mixed_columns import MixedColumns
from smoothrank.columns.weighted import WeightedColumns
from smoothrank.losses.pairwise_hinge import Pairs
from smoothrank.solvers.column_generation import uniform_duals
from smoothrank.solvers.dictionary.dictionary import Atom, Dictionary
from smoothrank.solvers.dictionary.l1_master import L1Master
from smoothrank.solvers.dictionary.refinement import refined
from smoothrank.solvers.master import relative_gap

MASTER_SHARE = 0.1
"""The master problem's share of the gap that is asked for."""

_RESOLUTION = 1e-8


@dataclass(frozen=True)
class DictionaryStep:
    """The record of one column.

    Parameters
    ----------
    family : str
        Where it came from.
    reduced_cost : float
        |γ·z| when it was chosen, refinement included.
    objective : float
        F with it.
    lower_bound : float
        The largest lower bound of the optimum over the dictionary so far.
    """

    family: str
    reduced_cost: float
    objective: float
    lower_bound: float


class DictionaryGeneration:
    """Column generation of one fit.

    Parameters
    ----------
    dictionary : Dictionary
        The columns to choose from.
    pairs : Pairs
        The rows of the two classes with their weights.
    weight : ndarray of shape (n,)
        The weights of the rows.
    strength : float
        C.
    solver : str
        The solver of the linear programs.
    tol : float
        The relative gap at which to stop.
    max_columns : int
        The most columns.
    refine : bool
        Whether a chosen column is refined by Adam.
    """

    def __init__(
        self,
        dictionary: Dictionary,
        pairs: Pairs,
        weight: Vector,
        strength: float,
        *,
        solver: str,
        tol: float,
        max_columns: int,
        refine: bool,
    ) -> None:
        self._dictionary, self._pairs, self._weight = dictionary, pairs, weight
        self._strength, self._tol, self._refine = strength, tol, refine
        self._max_columns = max_columns
        self._master = L1Master(
            pairs,
            change_cost=strength,
            solver=solver,
            tol=MASTER_SHARE * tol,
            max_columns=max_columns,
        )
        self._is_free = np.ones(dictionary.n_columns, dtype=bool)
        self.atoms: list[Atom] = []
        self.weights = np.empty(0)
        self.objective, self.lower_bound = 1.0, 0.0
        self.kkt = 0.0
        self.history: list[DictionaryStep] = []

    @property
    def solver(self) -> str:
        """The solver in use."""
        return self._master.solver

    @property
    def gap(self) -> float:
        """(objective − lower bound) / max(objective, 10⁻³)."""
        return relative_gap(self.objective, self.lower_bound)

    def run(self) -> None:
        """Add columns until the gap is closed, no column improves, or there are enough."""
        duals = uniform_duals(self._pairs)
        while True:
            costs = np.abs(self._dictionary.reduced_costs(duals))
            bound = self._bound(duals, costs)
            self.lower_bound = bound if self._refine else max(self.lower_bound, bound)
            if self.gap <= self._tol or len(self.atoms) >= self._max_columns:
                return
            best = int(np.argmax(np.where(self._is_free, costs, 0.0)))
            if costs[best] <= self._strength * (1.0 + _RESOLUTION):
                return
            duals = self._add(best, duals)

    def model(self) -> MixedColumns:
        """Return the score of the columns whose weight is not zero, by family and view."""
        blocks = [self._block(number) for number in range(len(self._dictionary.sources))]
        n_features = self._dictionary.sources[0].X.shape[1]
        return MixedColumns(tuple(block for block in blocks if block.n_columns), n_features)

    def _block(self, number: int) -> WeightedColumns:
        """Return the columns of one source."""
        source = self._dictionary.sources[number]
        chosen = [
            (atom, weight)
            for atom, weight in zip(self.atoms, self.weights, strict=True)
            if atom.source == number and weight != 0.0
        ]
        return WeightedColumns(
            source.family,
            np.array([atom.parameters for atom, _ in chosen]),
            np.array([atom.mean for atom, _ in chosen]),
            np.array([atom.spread for atom, _ in chosen]),
            np.array([weight for _, weight in chosen]),
            source.scaler,
        )

    def _bound(self, duals: Vector, costs: Vector) -> float:
        """Return β · min(1, C / r)."""
        total = float(duals[self._pairs.positive].sum())
        of_chosen = np.abs(duals @ self._master.columns)
        largest = max(float(costs.max()), float(of_chosen.max(initial=0.0)))
        return total * min(1.0, self._strength / max(largest, self._strength))

    def _add(self, number: int, duals: Vector) -> Vector:
        atom = self._dictionary.atom(number)
        if self._refine:
            source = self._dictionary.sources[atom.source]
            better = refined(atom, source, duals, self._weight)
            self._is_free[number] = better is not atom
            atom = better
        else:
            self._is_free[number] = False
        self._master.add_column(atom.column)
        solution = self._master.solve()
        self.atoms.append(atom)
        self.weights, self.objective = solution.weights, solution.objective
        self.kkt = max(self.kkt, solution.kkt)
        self.history.append(
            DictionaryStep(
                family=self._dictionary.sources[atom.source].family.name,
                reduced_cost=abs(float(duals @ atom.column)),
                objective=solution.objective,
                lower_bound=self.lower_bound,
            )
        )
        return solution.duals
