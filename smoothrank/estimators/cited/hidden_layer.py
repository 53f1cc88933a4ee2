"""The score of RankNet: one hidden layer on standardised features, and its gradient."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from smoothrank.arrays import Matrix, Vector


@dataclass(frozen=True)
class HiddenLayer:
    """s(x) = b · tanh(A z + a), with z = (x − mean) / spread.

    Parameters
    ----------
    mean, spread : ndarray
        Of each feature.
    inner : ndarray of shape (n_hidden, n_features)
        A.
    inner_bias, outer : ndarray of shape (n_hidden,)
        a and b.
    """

    mean: Vector
    spread: Vector
    inner: Matrix
    inner_bias: Vector
    outer: Vector

    @classmethod
    def random(
        cls, mean: Vector, spread: Vector, n_hidden: int, rng: np.random.Generator
    ) -> HiddenLayer:
        """Return a layer of small random weights."""
        n_features = len(mean)
        return cls(
            mean,
            spread,
            rng.normal(0.0, 1.0 / np.sqrt(n_features), (n_hidden, n_features)),
            np.zeros(n_hidden),
            rng.normal(0.0, 1.0 / np.sqrt(n_hidden), n_hidden),
        )

    def scaled(self, X: Matrix) -> Matrix:
        """Return rows in standardised units."""
        return np.asarray((X - self.mean) / self.spread)

    def hidden(self, Z: Matrix) -> Matrix:
        """Return tanh(A z + a) of standardised rows."""
        return np.asarray(np.tanh(Z @ self.inner.T + self.inner_bias))

    def score(self, X: Matrix) -> Vector:
        """Return the score of rows in the data's units."""
        return np.asarray(self.hidden(self.scaled(X)) @ self.outer)

    @property
    def parameters(self) -> Vector:
        """All that is learnt, as one vector: A, a, b."""
        return np.concatenate((self.inner.ravel(), self.inner_bias, self.outer))

    def with_parameters(self, values: Vector) -> HiddenLayer:
        """Return the layer with other parameters."""
        n_hidden, n_inner = len(self.outer), self.inner.size
        return HiddenLayer(
            self.mean,
            self.spread,
            values[:n_inner].reshape(self.inner.shape).copy(),
            values[n_inner : n_inner + n_hidden].copy(),
            values[n_inner + n_hidden :].copy(),
        )

    def gradient(self, Z: Matrix, hidden: Matrix, slopes: Vector) -> Vector:
        """Return the gradient in the parameters from that in the scores of standardised rows."""
        inside = slopes[:, None] * self.outer * (1.0 - hidden**2)
        return np.concatenate(((inside.T @ Z).ravel(), inside.sum(axis=0), slopes @ hidden))
