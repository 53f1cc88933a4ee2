"""Gaussian bumps with learnt feature weights: φ(x; q, b) = exp(−Σ_j b_j² (x_j − q_j)²)."""

from __future__ import annotations

from smoothrank.columns.families.feature_weights import Bump


class Gaussian(Bump):
    """φ(x; q, b) = exp(−Σ_j b_j² (x_j − q_j)²): 1 at q, 0 far away."""

    name = "gaussian"
    power = 2
