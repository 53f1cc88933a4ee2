"""Laplace bumps with learnt feature weights: φ(x; q, b) = exp(−Σ_j |b_j (x_j − q_j)|)."""

from __future__ import annotations

from smoothrank.columns.families.feature_weights import Bump


class Laplace(Bump):
    """φ(x; q, b) = exp(−Σ_j |b_j (x_j − q_j)|): 1 at q, 0 far away, with a sharp peak."""

    name = "laplace"
    power = 1
