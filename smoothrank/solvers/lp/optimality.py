"""Whether an answer of a solver is optimal, by conditions that the solver has no part in.

x and λ solve  min c·x  s.t.  A x ≥ b, l ≤ x ≤ u  if and only if, with z = c − Aᵀλ,

    A x ≥ b,   l ≤ x ≤ u            (primal feasibility)
    λ ≥ 0                           (dual feasibility)
    z_j ≥ 0 unless x_j = u_j,   z_j ≤ 0 unless x_j = l_j        (stationarity)
    λ_k (A x − b)_k = 0             (complementarity).

The largest violation, relative to the size of the numbers involved, is the KKT residual.
"""

from __future__ import annotations

import numpy as np

from smoothrank.arrays import Flags, Matrix, Vector

KKT_TOLERANCE = 1e-6
"""The largest KKT residual of an answer that is taken."""

MOST_ENTRIES = 1 << 24
"""Programs with more entries are not kept twice, and their answers not verified."""

_AT_BOUND = 1e-9


class KeptProgram:
    """A linear program as it was given to a solver, with room to grow."""

    def __init__(self) -> None:
        self._entries: Matrix = np.zeros((16, 16))
        self.cost = np.empty(0)
        self.lower = np.empty(0)
        self.upper = np.empty(0)
        self.right = np.empty(0)
        self.is_whole = True

    @property
    def entries(self) -> Matrix:
        """A."""
        return self._entries[: len(self.right), : len(self.cost)]

    def add_columns(self, cost: Vector, lower: Vector, upper: Vector, entries: Matrix) -> None:
        """Keep new columns."""
        end = len(self.cost) + len(cost)
        if self._has_room(len(self.right), end):
            self._entries[: len(self.right), len(self.cost) : end] = entries
        self.cost = np.append(self.cost, cost)
        self.lower, self.upper = np.append(self.lower, lower), np.append(self.upper, upper)

    def add_rows(self, entries: Matrix, right: Vector) -> None:
        """Keep new rows."""
        end = len(self.right) + len(right)
        if self._has_room(end, len(self.cost)):
            self._entries[len(self.right) : end, : len(self.cost)] = entries
        self.right = np.append(self.right, right)

    def delete_rows(self, kept: Flags) -> None:
        """Forget the rows that are not kept."""
        if self.is_whole:
            self._entries[: int(kept.sum())] = self._entries[: len(kept)][kept]
        self.right = self.right[kept]

    def _has_room(self, n_rows: int, n_columns: int) -> bool:
        """Make room for a larger program; one that is too large is not kept any longer."""
        if self.is_whole and n_rows * n_columns > MOST_ENTRIES:
            self.is_whole, self._entries = False, np.zeros((0, 0))
        if not self.is_whole:
            return False
        room = self._entries.shape
        if n_rows > room[0] or n_columns > room[1]:
            larger = np.zeros((_doubled(room[0], n_rows), _doubled(room[1], n_columns)))
            larger[: room[0], : room[1]] = self._entries
            self._entries = larger
        return True

    def kkt_residual(self, x: Vector, duals: Vector) -> float:
        """Return the largest violation of the conditions above; NaN if the program is not kept."""
        if not self.is_whole:
            return float("nan")
        if not (np.isfinite(x).all() and np.isfinite(duals).all()):
            return float("inf")
        values, prices = self.entries @ x, duals @ self.entries
        slack = values - self.right
        size = 1.0 + np.abs(self.right) + np.abs(values)
        return max(
            _largest(-slack / size),
            _largest((self.lower - x) / (1.0 + np.abs(x))),
            _largest((x - self.upper) / (1.0 + np.abs(x))),
            _largest(-duals),
            _largest(np.abs(duals * slack) / size),
            self._stationarity(x, prices),
        )

    def _stationarity(self, x: Vector, prices: Vector) -> float:
        near = _AT_BOUND * (1.0 + np.abs(x))
        at_lower, at_upper = x <= self.lower + near, x >= self.upper - near
        reduced = (self.cost - prices) / (1.0 + np.abs(self.cost) + np.abs(prices))
        return max(_largest(-reduced[~at_upper]), _largest(reduced[~at_lower]))


def _doubled(room: int, needed: int) -> int:
    while room < needed:
        room *= 2
    return room


def _largest(violations: Vector) -> float:
    return float(np.max(violations, initial=0.0))
