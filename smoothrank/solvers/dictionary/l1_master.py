"""The restricted master problem with an L1 penalty: min_w R(D w) + C ‖w‖₁."""

from __future__ import annotations

from smoothrank.arrays import Vector
from smoothrank.penalties.l1 import L1
from smoothrank.solvers.master import Master


class L1Master(Master):
    """`Master` with the size of every weight penalised, and not its change.

        min  θ + C Σ_t (w⁺_t + w⁻_t)    s.t.   θ + (a_k·D)(w⁺ − w⁻)  ≥  b_k   for all cuts k

    An optimum has ‖w‖₁ ≤ R(0) / C = 1 / C, so that no weight meets the box of `Master` if C ≥ 10⁻⁶.
    """

    def add_column(self, column: Vector) -> None:
        """Add a standardised column, whose weight costs C times its size."""
        super().add_column(column)
        for place in (self._lp.n_columns - 2, self._lp.n_columns - 1):
            self._lp.change_column(place, self._change_cost, 0.0, self._bound)

    def _charge_for_changes(self) -> None:
        """Charge nothing for changes: w_old stays at zero."""

    def _penalty(self, weights: Vector) -> float:
        return self._change_cost * L1().value(weights)
