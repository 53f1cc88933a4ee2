"""RankNet (Burges et al. 2005) for two classes: a small network with the pairwise logistic loss.

Each step draws a block of positives and a block of negatives, takes all pairs between them, and
moves the parameters by Adam. Small data are one block, so that every step sees all pairs.
"""

from __future__ import annotations

from dataclasses import dataclass
from numbers import Integral, Real
from typing import Any, ClassVar, Self

import numpy as np
from sklearn.base import _fit_context
from sklearn.utils._param_validation import Interval

from smoothrank.arrays import Flags, Indices, Matrix, Vector
from smoothrank.columns.feature_scaling import StandardScaler
from smoothrank.estimators.cited.hidden_layer import HiddenLayer
from smoothrank.estimators.ranking_classifier import RankingClassifier, one_blas_thread
from smoothrank.losses.pairwise_logistic import pairwise_logistic

__all__ = ["RankNet"]

MOST_POSITIVES, MOST_NEGATIVES = 64, 256
"""Rows of each class in the block of a step."""


class RankNet(RankingClassifier):
    """A network of one hidden layer that ranks positives above negatives.

    Parameters
    ----------
    weight_decay : float
        λ in loss + λ/2 ‖A, b‖²: the price of large weights.
    n_hidden : int
        Hidden units.
    n_steps : int
        Steps of Adam.
    learning_rate : float
        Length of a step at the beginning; it falls to zero along a half cosine.
    random_state : int
        Seed of the first weights and of the blocks.

    Attributes
    ----------
    model_ : HiddenLayer
        The score.
    n_columns_ : int
        Hidden units.

    Examples
    --------
    >>> import numpy as np
    >>> from smoothrank import RankNet
    >>> from smoothrank.datasets.xor import noisy_xor
    >>> X, y = noisy_xor(80, 0.1, np.random.default_rng(0))
    >>> float(RankNet().fit(X, y).score(X, y))
    1.0
    """

    _parameter_constraints: ClassVar[dict[str, list[Any]]] = {
        "weight_decay": [Interval(Real, 0, None, closed="left")],
        "n_hidden": [Interval(Integral, 1, None, closed="left")],
        "n_steps": [Interval(Integral, 1, None, closed="left")],
        "learning_rate": [Interval(Real, 0, None, closed="neither")],
        "random_state": [Interval(Integral, 0, None, closed="left")],
    }
    scale = None
    score_type = HiddenLayer
    model_: HiddenLayer

    def __init__(
        self,
        weight_decay: float = 1e-3,
        *,
        n_hidden: int = 16,
        n_steps: int = 300,
        learning_rate: float = 0.03,
        random_state: int = 0,
    ) -> None:
        self.weight_decay = weight_decay
        self.n_hidden = n_hidden
        self.n_steps = n_steps
        self.learning_rate = learning_rate
        self.random_state = random_state

    @_fit_context(prefer_skip_nested_validation=True)
    def fit(self, X: Any, y: Any) -> Self:
        """Learn the network, then decision and calibration."""
        X, is_positive, weight = self._checked(X, y, None)
        rng = np.random.default_rng(self.random_state)
        scaler = StandardScaler.fit(X, weight)
        start = HiddenLayer.random(scaler.mean, scaler.spread, self.n_hidden, rng)
        with one_blas_thread():
            self.model_ = self._descend(start, start.scaled(X), is_positive, rng)
        self._learn_decision(self.model_.score(X), is_positive, weight)
        return self

    @property
    def n_columns_(self) -> int:
        """Hidden units."""
        return len(self.model_.outer)

    def _descend(
        self, layer: HiddenLayer, Z: Matrix, is_positive: Flags, rng: np.random.Generator
    ) -> HiddenLayer:
        positives, negatives = np.flatnonzero(is_positive), np.flatnonzero(~is_positive)
        adam = Adam.at(layer.parameters)
        for step in range(self.n_steps):
            rows = _drawn(positives, MOST_POSITIVES, rng), _drawn(negatives, MOST_NEGATIVES, rng)
            _, gradient = penalised_loss(layer, Z[rows[0]], Z[rows[1]], self.weight_decay)
            rate = self.learning_rate * 0.5 * (1.0 + np.cos(np.pi * step / self.n_steps))
            adam = adam.moved(gradient, rate)
            layer = layer.with_parameters(adam.values)
        return layer


def penalised_loss(
    layer: HiddenLayer, positives: Matrix, negatives: Matrix, weight_decay: float
) -> tuple[float, Vector]:
    """Return loss plus decay of standardised rows, and its gradient in the parameters."""
    Z = np.concatenate((positives, negatives))
    hidden = layer.hidden(Z)
    scores = hidden @ layer.outer
    loss = pairwise_logistic(scores[: len(positives)], scores[len(positives) :])
    slopes = np.concatenate((loss.positive_gradient, loss.negative_gradient))
    decayed = layer.with_parameters(layer.parameters)
    decayed.inner_bias[:] = 0.0
    priced = decayed.parameters
    value = loss.value + 0.5 * weight_decay * float(priced @ priced)
    return value, layer.gradient(Z, hidden, slopes) + weight_decay * priced


def _drawn(rows: Indices, most: int, rng: np.random.Generator) -> Indices:
    """Return all rows, or as many as there is room for, drawn without replacement."""
    return rows if len(rows) <= most else rng.choice(rows, most, replace=False, shuffle=False)


@dataclass(frozen=True)
class Adam:
    """A state of Adam (Kingma and Ba 2015).

    Parameters
    ----------
    values : ndarray
        The parameters.
    mean, square : ndarray
        Running means of gradient and squared gradient.
    step : int
        Steps so far.
    """

    values: Vector
    mean: Vector
    square: Vector
    step: int = 0

    @classmethod
    def at(cls, values: Vector) -> Adam:
        """Return the state before the first step."""
        return cls(values, np.zeros_like(values), np.zeros_like(values))

    def moved(self, gradient: Vector, rate: float) -> Adam:
        """Return the state after a step."""
        step = self.step + 1
        mean = 0.9 * self.mean + 0.1 * gradient
        square = 0.999 * self.square + 0.001 * gradient**2
        size = np.sqrt(square / (1.0 - 0.999**step)) + 1e-8
        return Adam(self.values - rate * mean / (1.0 - 0.9**step) / size, mean, square, step)
