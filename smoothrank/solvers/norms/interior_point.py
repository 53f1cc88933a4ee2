"""A primal-dual interior-point method for the hinge of single pairs and cuts plus a norm.

For the single pairs i and the cuts k of `NearPairs`,

    min   Σ_i κ_i ξ_i + θ + c Ω(w),
          ξ_i − σ_i = 1 − x_i·w,    θ − τ_k = b_k − a_k·w,    ξ, σ, τ ≥ 0,
    max   Σ_i π_i + Σ_k λ_k b_k − c Ω*(g/c),    g = Σ_i π_i x_i + Σ_k λ_k a_k,
          0 ≤ π_i ≤ κ_i,    λ ≥ 0,    Σ_k λ_k = 1,

and at the optimum π_i σ_i = (κ_i − π_i) ξ_i = λ_k τ_k = 0. The dual iterates are feasible, so that
each of them bounds the optimum from below. A step solves one n × n system whose matrix is made by
two products with D, whatever the number of pairs (`NearPairs.gram`). Steps are Mehrotra's, a
predictor and a corrector whose target follows from the predictor, with Gondzio's centrality
correctors.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np
from scipy.linalg import LinAlgError, cho_factor, cho_solve

from smoothrank.arrays import Matrix, Vector
from smoothrank.losses.near_pairs import NearPairs
from smoothrank.solvers.norms.central_path import CentralPath, NewtonStep, longest_step
from smoothrank.solvers.norms.dual_point import DualPoint
from smoothrank.solvers.norms.far_cuts import CutStep, FarCuts

_Products = tuple[Vector, Vector, Vector, Vector, Vector]

MAX_STEPS = 100
_STEP_SHARE = 0.99
_CORRECTORS = 3
_BLUR = 0.3
_PRODUCT_SPREAD = 0.1
_LONGER = 0.3
_WORTHWHILE = 0.03
_LOOSE_GAP = 0.05


@dataclass(frozen=True)
class InnerSolution:
    """Where the interior-point method ended.

    Parameters
    ----------
    weights : ndarray
        The best weights visited, by the true objective.
    objective : float
        The true objective there.
    dual : DualPoint
        The best multipliers, with a lower bound of the true optimum.
    steps : int
        Newton steps taken.
    proposal : ndarray
        The last weights.
    duals, multipliers : ndarray
        The last π and λ.
    """

    weights: Vector
    objective: float
    dual: DualPoint
    steps: int
    proposal: Vector
    duals: Vector
    multipliers: Vector


@dataclass(frozen=True)
class _Step:
    duals: Vector
    slack: Vector
    surplus: Vector
    cuts: CutStep
    penalty: NewtonStep


class InteriorPoint:
    """The iterates of one solve.

    Parameters
    ----------
    near : NearPairs
        The single pairs and cuts.
    path : type of CentralPath
        The penalty.
    strength : float
        c.
    weights : ndarray
        The starting point; pairs and duals are set near the central path there.
    """

    def __init__(
        self, near: NearPairs, path: type[CentralPath], strength: float, weights: Vector
    ) -> None:
        self._near = near
        self._missing, height = near.missing(weights)
        root = np.hypot(self._missing, 2.0 * _BLUR)
        self._slack, self._surplus = (root + self._missing) / 2.0, (root - self._missing) / 2.0
        duals = near.cap * self._slack / root
        self._cuts = FarCuts(near.constants, near.slopes, height)
        gradient = near.dual_gradient(duals, self._cuts.multipliers)
        share = path.inner_share(strength, gradient, weights)
        self._duals = duals * share
        self._cuts.shrink(share)
        product = float(np.mean(self._duals * self._surplus)) if len(duals) else _BLUR
        self._path = path(strength, self._dual_gradient(), weights, product)

    def _dual_gradient(self) -> Vector:
        return self._near.dual_gradient(self._duals, self._cuts.multipliers)

    def run(self, objective: Callable[[Vector], float], tol: float) -> InnerSolution:
        """Step until the true relative gap is `tol`, or far pairs have crossed the margin.

        Parameters
        ----------
        objective : callable
            The true objective, over all pairs.
        tol : float
            The relative gap to reach.
        """
        best, upper = self._path.weights, np.inf
        dual = DualPoint.nothing(len(best))
        for steps in range(MAX_STEPS):  # noqa: B007
            weights = self._path.weights
            value = objective(weights)
            if value < upper:
                best, upper = weights, value
            model, bound = self._model_value(), self._dual_value()
            if bound > dual.bound:
                total = bound + self._path.dual_cost()
                dual = DualPoint(self._dual_gradient(), total, bound)
            crossed = model - bound < _LOOSE_GAP * model and value - model > model - bound
            if upper - dual.bound <= tol * upper or crossed:
                break
            with np.errstate(all="ignore"):
                if not self._advance():
                    break
        return InnerSolution(
            best,
            upper,
            dual,
            steps,
            self._path.weights,
            self._duals,
            self._cuts.multipliers,
        )

    def _model_value(self) -> float:
        path = self._path
        hinge = float(self._near.cap @ np.maximum(self._missing, 0.0)) + self._cuts.value
        return hinge + path.strength * path.penalty.value(path.weights)

    def _dual_value(self) -> float:
        return float(self._duals.sum()) + self._cuts.dual_value - self._path.dual_cost()

    def _products(self) -> _Products:
        """Return π_i σ_i, (κ_i − π_i) ξ_i, λ_k τ_k and the penalty's: zero at the optimum."""
        spare = self._near.cap - self._duals
        low, high = self._duals * self._surplus, spare * self._slack
        return low, high, self._cuts.products(), *self._path.products()

    def _products_after(self, step: _Step, primal: float, dual: float) -> _Products:
        duals = self._duals + dual * step.duals
        low = duals * (self._surplus + primal * step.surplus)
        high = (self._near.cap - duals) * (self._slack + primal * step.slack)
        cuts = self._cuts.products_after(step.cuts, primal, dual)
        return low, high, cuts, *self._path.products_after(step.penalty, primal, dual)

    def _advance(self) -> bool:
        """Take one predictor-corrector step; False when the equations cannot be solved."""
        spare = self._near.cap - self._duals
        self._scaling = 1.0 / (self._surplus / self._duals + self._slack / spare)
        factor = _factor(self._path.add_to(self._cuts.add_to(self._near.gram(self._scaling))))
        if factor is None:
            return False
        now = self._products()
        total = _total(now)
        guess = self._direction(factor, _combine(lambda x: -x, now))
        promised = _total(self._products_after(guess, *self._steps(guess))) / total
        goal = total / sum(map(len, now)) * min(1.0, max(promised, 0.0)) ** 3
        target = _combine(lambda x, bend: goal - x - bend, now, self._curvature(guess))
        step = self._centred(factor, target, goal)
        primal, dual = self._steps(step)
        self._move(step, _STEP_SHARE * primal, _STEP_SHARE * dual)
        return True

    def _centred(self, factor: Any, target: _Products, goal: float) -> _Step:
        """Apply Gondzio's correctors, which pull in products that would lie far from `goal`.

        A corrector is kept as long as it makes the step clearly longer.
        """
        step = self._direction(factor, target)
        low, high = goal * _PRODUCT_SPREAD, goal / _PRODUCT_SPREAD
        for _ in range(_CORRECTORS):
            primal, dual = self._steps(step)
            longer = min(1.0, primal + _LONGER), min(1.0, dual + _LONGER)
            there = self._products_after(step, *longer)
            target = _combine(
                lambda x, y: x + np.maximum(np.clip(y, low, high) - y, -high), target, there
            )
            other = self._direction(factor, target)
            if sum(self._steps(other)) < primal + dual + _WORTHWHILE:
                break
            step = other
        return step

    def _curvature(self, step: _Step) -> _Products:
        low, high = step.duals * step.surplus, -step.duals * step.slack
        cuts = step.cuts.multipliers * step.cuts.slack
        return low, high, cuts, *self._path.curvature(step.penalty)

    def _direction(self, factor: Any, target: _Products) -> _Step:
        """Return the Newton step that changes the products by `target`, to first order."""
        spare = self._near.cap - self._duals
        low, high, cut, plus, minus = target
        residual = self._missing - self._slack + self._surplus
        push = high / spare - low / self._duals - residual
        force = self._near.dual_gradient(-self._scaling * push, self._cuts.force(cut))
        side = self._path.right_side(force, (plus, minus))
        weights: Vector = cho_solve(factor, side, check_finite=False)
        near, far = self._near.moved(weights)
        duals = self._scaling * (-near - push)
        cuts = self._cuts.complete(far)
        return _Step(
            duals,
            (high + self._slack * duals) / spare,
            (low - self._surplus * duals) / self._duals,
            cuts,
            self._path.complete(weights, self._near.dual_gradient(duals, cuts.multipliers)),
        )

    def _steps(self, step: _Step) -> tuple[float, float]:
        primal, dual = self._path.longest_steps(step.penalty)
        primal = min(
            primal,
            longest_step(self._cuts.slack, step.cuts.slack),
            longest_step(self._slack, step.slack),
            longest_step(self._surplus, step.surplus),
        )
        dual = min(
            dual,
            longest_step(self._cuts.multipliers, step.cuts.multipliers),
            longest_step(self._duals, step.duals),
            longest_step(self._near.cap - self._duals, -step.duals),
        )
        if self._path.one_step:
            return min(primal, dual), min(primal, dual)
        return primal, dual

    def _move(self, step: _Step, primal: float, dual: float) -> None:
        self._duals = self._duals + dual * step.duals
        self._slack = self._slack + primal * step.slack
        self._surplus = self._surplus + primal * step.surplus
        self._cuts.move(step.cuts, primal, dual)
        self._path.move(step.penalty, primal, dual, self._dual_gradient())
        self._missing, height = self._near.missing(self._path.weights)
        self._cuts.refresh(height)


def _total(products: _Products) -> float:
    return float(sum(part.sum() for part in products))


def _combine(rule: Callable[..., Vector], *products: _Products) -> _Products:
    low, high, cut, plus, minus = (rule(*parts) for parts in zip(*products, strict=True))
    return low, high, cut, plus, minus


def _factor(matrix: Matrix) -> Any:
    """Return the Cholesky factor, with a regularised diagonal if need be; None on failure."""
    size = float(np.trace(matrix)) / len(matrix)
    if not np.isfinite(size):
        return None
    for little in (0.0, 1e-14, 1e-12, 1e-10, 1e-8):
        matrix[np.diag_indices_from(matrix)] += little * size
        try:
            return cho_factor(matrix, lower=True, check_finite=False)
        except LinAlgError:
            continue
    return None
