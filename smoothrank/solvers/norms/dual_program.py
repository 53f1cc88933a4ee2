"""L1 and L∞ ranking as linear programs, by the solvers of `smoothrank.solvers.lp`.

The dual of R + c ‖w‖ over the single pairs i and the cuts k of all others is

    max  Σ_i π_i + Σ_k λ_k b_k,    0 ≤ π_i ≤ κ_i,    λ ≥ 0,    Σ_k λ_k ≤ 1,
    g = Σ_i π_i x_i + Σ_k λ_k a_k,    |g_j| ≤ c for all j  (L1),    Σ_j |g_j| ≤ c  (L∞).

Pairs and cuts are its columns, so that no slack of a pair is ever needed, and w follows from the
multipliers of its rows. Dual simplex continues from the last basis after each change: pairs and
cuts are added as columns with bounds, the weights of L1 as rows, and a new c is a new right-hand
side. All variables are multiplied by |P||N|, so that they are of the order of one.
"""

from __future__ import annotations

import sys
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from scipy.sparse import csr_matrix, vstack

from smoothrank.arrays import Indices, Matrix, Vector
from smoothrank.losses.near_pairs import Cut, NearPairs, SinglePairs
from smoothrank.losses.pairwise_hinge import Pairs
from smoothrank.solvers.lp import LinearProgram, backend, linear_program
from smoothrank.solvers.norms.dual_point import DualPoint

_NEW_WEIGHTS = 60
_PRICE_TOLERANCE = 1e-9
_USED = 1e-9


@dataclass(frozen=True)
class ProgramSolution:
    """An optimum of the linear program: weights, multipliers, simplex runs."""

    weights: Vector
    dual: DualPoint
    runs: int


class RankingProgram:
    """The linear program of one matrix and norm, kept from round to round and from c to c.

    Parameters
    ----------
    D : ndarray of shape (n, k)
        The columns.
    pairs : Pairs
        The rows of the two classes with their weights.
    solver : str
        Who solves it.
    bounded_sum : bool
        Whether the sum of the |g_j| is bounded (L∞), or each of them (L1).
    """

    def __init__(self, D: Matrix, pairs: Pairs, solver: str, bounded_sum: bool) -> None:
        self._D, self._pairs, self._bounded_sum = D, pairs, bounded_sum
        self._unit = float(pairs.n_pairs)
        self._solver = solver
        self._empty()

    def _empty(self) -> None:
        n_rows, n_weights = self._D.shape
        self._lp: LinearProgram = linear_program(self._solver, n_rows, 2 * n_weights + 2)
        self._coefficients: Any = csr_matrix((0, n_rows))
        self._caps, self._values, self._duals = np.empty(0), np.empty(0), np.empty(0)
        self._keys: Indices = np.empty(0, dtype=np.intp)
        self._cuts: list[Cut] = []
        self._cut_places: Indices = np.empty(0, dtype=np.intp)
        self._places: Indices = np.empty(0, dtype=np.intp)
        self._active: Indices = np.empty(0, dtype=np.intp)
        self._lp.add_rows(np.empty((1, 0)), np.array([-self._unit]))
        self._head = 1
        if self._bounded_sum:
            self._add_sum_of_gradients()

    @property
    def n_single(self) -> int:
        """How many pairs have a column."""
        return len(self._keys)

    def choose(self, wanted: SinglePairs, cuts: Sequence[Cut], limit: int) -> None:
        """Add a column for each of these pairs that has none, and cover all others by cuts.

        When there would be more than `limit` columns, or more than the solver's licence allows, the
        program is rebuilt with these pairs and those strictly between their bounds.
        """
        limit = min(limit, _most_columns(self._solver) - self._offset)
        n_negative = len(self._pairs.negative)
        new = np.setdiff1d(wanted.positive * n_negative + wanted.negative, self._keys)
        if len(self._caps) + len(new) + len(self._cuts) + len(cuts) > limit:
            duals, caps = self._duals[self._places], self._caps[self._places]
            between = self._keys[(duals > 0.0) & (duals < caps)]
            room = max(0, limit - len(between) - len(self._cuts) - len(cuts))
            new, kept = np.union1d(between, new[:room]), self._cuts
            self._empty()
            self._cuts = kept
        self._add_pairs(new)
        self._set_cuts(cuts)

    def _add_pairs(self, keys: Indices) -> None:
        place, other = np.divmod(keys, len(self._pairs.negative))
        cap = self._pairs.positive_weight[place] * self._pairs.negative_weight[other]
        rows = np.column_stack((self._pairs.positive[place], self._pairs.negative[other]))
        signs = np.tile([1.0, -1.0], len(keys))
        ends = np.arange(0, 2 * len(keys) + 1, 2)
        coefficients = csr_matrix((signs, rows.ravel(), ends), shape=(len(keys), len(self._D)))
        first = len(self._caps)
        self._add_columns(coefficients, np.ones(len(keys)), self._unit * cap, is_cut=False)
        self._keys = np.concatenate((self._keys, keys))
        self._places = np.concatenate((self._places, np.arange(first, len(self._caps))))

    def _set_cuts(self, more: Sequence[Cut]) -> None:
        """Replace the cuts by those in use and `more`."""
        for column in self._cut_places:
            self._lp.change_column(int(column) + self._offset, 0.0, 0.0, 0.0)
            self._caps[column] = 0.0
        self._cuts = [*self._cuts, *more]
        single = SinglePairs(*np.divmod(self._keys, len(self._pairs.negative)))
        near = NearPairs(self._D, self._pairs, single, self._cuts)
        first = len(self._caps)
        caps = np.full(len(self._cuts), self._unit)
        self._add_columns(csr_matrix(near.coefficients[1:]), near.constants[1:], caps, is_cut=True)
        self._cut_places = np.arange(first, len(self._caps))

    def solve(self, strength: float) -> ProgramSolution:
        """Solve for one c; the weights of L1 are added as needed."""
        for runs in range(1, 1000):  # noqa: B007
            self._lp.change_rows(self._right_side(strength))
            solution = self._lp.solve()
            duals = np.clip(solution.x[self._offset :], 0.0, self._caps)
            gradient = (duals @ self._coefficients) @ self._D / self._unit
            if not self._price(gradient, strength):
                break
        self._duals = duals
        used = duals[self._cut_places]
        share = self._unit / max(self._unit, float(used.sum()))
        self._cuts = [c for c, dual in zip(self._cuts, used, strict=True) if dual > _USED]
        size = float(np.abs(gradient).sum() if self._bounded_sum else np.abs(gradient).max())
        share *= min(1.0, strength / max(size, np.finfo(float).tiny))
        bound = share * float(duals @ self._values) / self._unit
        dual = DualPoint(share * gradient, bound, bound)
        return ProgramSolution(self._weights(solution.duals), dual, runs)

    @property
    def _offset(self) -> int:
        """Columns before those of pairs and cuts: |g_j| of L∞."""
        return self._D.shape[1] if self._bounded_sum else 0

    def _add_sum_of_gradients(self) -> None:
        """Add the columns u_j ≥ |g_j| with Σ_j u_j ≤ c."""
        n_weights = self._D.shape[1]
        self._lp.add_rows(np.empty((1, 0)), np.zeros(1))
        self._head = 2
        entries = np.vstack((np.zeros(n_weights), -np.ones(n_weights)))
        upper = np.full(n_weights, np.inf)
        self._lp.add_columns(np.zeros(n_weights), np.zeros(n_weights), upper, entries)
        self._active = np.arange(n_weights)
        self._lp.add_rows(np.repeat(np.eye(n_weights), 2, axis=0), np.zeros(2 * n_weights))

    def _add_columns(
        self, coefficients: Any, values: Vector, caps: Vector, *, is_cut: bool
    ) -> None:
        head = np.zeros((self._head, len(values)))
        head[0] = -float(is_cut)
        body = _both_signs(coefficients @ self._D[:, self._active]).T
        self._lp.add_columns(-values, np.zeros(len(values)), caps, np.vstack((head, body)))
        self._coefficients = vstack((self._coefficients, coefficients), format="csr")
        self._caps = np.concatenate((self._caps, caps))
        self._values = np.concatenate((self._values, values))

    def _price(self, gradient: Vector, strength: float) -> bool:
        """Add rows for the weights whose |g_j| exceeds c; return whether there were any."""
        excess = np.abs(gradient) - strength * (1.0 + _PRICE_TOLERANCE)
        excess[self._active] = -np.inf
        if self._bounded_sum or excess.max() <= 0.0:
            return False
        new = np.argsort(-excess, kind="stable")[:_NEW_WEIGHTS]
        new = new[excess[new] > 0.0]
        self._active = np.concatenate((self._active, new))
        rows = _both_signs(self._coefficients @ self._D[:, new]).T
        self._lp.add_rows(np.ascontiguousarray(rows), np.zeros(2 * len(new)))
        return True

    def _right_side(self, strength: float) -> Vector:
        lower = np.zeros(self._lp.n_rows)
        lower[0] = -self._unit
        if self._bounded_sum:
            lower[1] = -self._unit * strength
        else:
            lower[1:] = -self._unit * strength
        return lower

    def _weights(self, row_duals: Vector) -> Vector:
        weights = np.zeros(self._D.shape[1])
        body = row_duals[self._head :]
        weights[self._active] = body[0::2] - body[1::2]
        return weights


def _most_columns(solver: str) -> int:
    """Return the most columns that the solver can take."""
    return backend(solver).capacity().size_limit or sys.maxsize


def _both_signs(slopes: Matrix) -> Matrix:
    """Return −x_j and x_j side by side, for the rows −g_j ≥ −c and g_j ≥ −c."""
    return np.asarray(np.stack((-slopes, slopes), axis=2).reshape(len(slopes), 2 * slopes.shape[1]))
