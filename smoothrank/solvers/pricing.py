"""The pricing problem: the column whose reduced cost is the largest.

With the dual sums γ of the master problem (+α_p for positive rows, −β_n for negative ones) and a
family of columns φ(x; q)

    g(q) = Σ_i γ_i φ(x_i; q)  =  Σ_p α_p φ(x_p; q) − Σ_n β_n φ(x_n; q),

and the new column maximises |g(q)|. The search starts near the training row with the largest |g|
and climbs by Adam, all steps in one compiled TensorFlow loop.
"""

from __future__ import annotations

import os
from dataclasses import dataclass
from functools import cache, cached_property
from typing import Any

import numpy as np
import numpy.typing as npt

from smoothrank.arrays import Matrix, Vector
from smoothrank.columns.base import ColumnFamily
from smoothrank.solvers.memo import Memo, fingerprint

START_NOISE = 0.1
"""Standard deviation of the noise at the start: at a training row g has no gradient."""

RELATIVE_CHANGE = 1e-5
"""Adam stops when |g| changes by less than this share in a step."""

MAX_CANDIDATES = 2048
"""Up to this many training rows, |g| is computed for all of them."""

EXACT_ROWS = 20_000
"""Up to this many rows, `best_row` can be exact: n² distances, in blocks."""

SHORT_LIST = 1024
"""With more rows, g is estimated everywhere from this many, and computed at this many."""

REMEMBERED = 1024
"""How many prices are cached: values of C share their first columns, and often more."""


@dataclass(frozen=True)
class Price:
    """The parameters q of a new column, and its price |g(q)|."""

    parameters: Vector
    value: float


PRICES: Memo[Price] = Memo(REMEMBERED)
BEST_ROWS: Memo[int] = Memo(REMEMBERED)


class Pricing:
    """The pricing problem of one fit.

    Parameters
    ----------
    family : ColumnFamily
        The columns to choose from.
    X : ndarray of shape (n, d)
        The training rows.
    rng : numpy.random.Generator
        Draws the noise at the start, one vector per column, in order.
    adam_steps : int
        The most steps of Adam.
    learning_rate : float
        Adam's learning rate.
    """

    def __init__(
        self,
        family: ColumnFamily,
        X: Matrix,
        rng: np.random.Generator,
        *,
        adam_steps: int,
        learning_rate: float,
    ) -> None:
        self._family = family
        self._origin = family.origin(X)
        self._X = X - self._origin
        self._rng = rng
        self._adam_steps = adam_steps
        self._learning_rate = learning_rate

    @cached_property
    def _fingerprint(self) -> bytes:
        """A fingerprint of these rows."""
        name = f"{self._family.name} {self._X.shape}".encode()
        return fingerprint(name, self._origin.tobytes(), self._X.tobytes())

    @cached_property
    def _padded(self) -> Any:
        """The centred rows as a d × n tensor, padded with zeros, which change no distance."""
        import tensorflow as tf

        n, d = self._X.shape
        padded = np.zeros((padded_size(d, 4), padded_size(n, 64)))
        padded[:d, :n] = self._X.T
        return tf.constant(padded)

    def best_row(self, duals: Vector, *, exact: bool = False) -> int:
        """Return the index of the training row with the largest |g|; the first on a tie.

        Of more than `MAX_CANDIDATES` rows the best are estimated from a sample, unless `exact`
        is asked for and they are no more than `EXACT_ROWS`.
        """
        return BEST_ROWS.get_or_make(
            (self._fingerprint, duals.tobytes(), bytes([exact])),
            lambda: self._best_row(duals, exact),
        )

    def _best_row(self, duals: Vector, exact: bool) -> int:
        candidates = self.candidates(duals, exact)
        starts = self._family.starts(self._X)[candidates]
        prices = np.abs(self._family.prices(self._X, duals, starts))
        return int(candidates[np.argmax(prices)])

    def price(self, duals: Vector) -> Price:
        """Return the parameters found by gradient ascent from the best training row.

        Returns the point that the step from the best one led to, as the published code does.
        """
        noise = self._rng.normal(0.0, START_NOISE, self._X.shape[1:])
        settings = np.array([self._adam_steps, self._learning_rate])
        key = (self._fingerprint, duals.tobytes(), noise.tobytes(), settings.tobytes())
        return PRICES.get_or_make(key, lambda: self._price(duals, noise))

    def _price(self, duals: Vector, noise: Vector) -> Price:
        n, d = self._X.shape
        best_row = self._best_row(duals, exact=False)
        start = self._family.starts(self._X)[[best_row]].reshape(self._family.n_parts, d)
        start[0] += noise
        climb = _climb(self._family)
        columns, rows = self._padded.shape
        best, value = climb(
            self._padded,
            np.pad(duals, (0, rows - n)),
            np.pad(start, ((0, 0), (0, columns - d))).ravel(),
            self._adam_steps,
            self._learning_rate,
        )
        found = best.numpy().reshape(self._family.n_parts, columns)[:, :d]
        found[0] += self._origin
        return Price(found.ravel(), float(value))

    def candidates(self, duals: Vector, exact: bool) -> npt.NDArray[np.intp]:
        """Return all rows, or the ones of largest |g| by an estimate from a sample drawn by |γ|."""
        n, total = len(duals), float(np.abs(duals).sum())
        if n <= MAX_CANDIDATES or total == 0.0:
            return np.arange(min(n, MAX_CANDIDATES))
        if exact and n <= EXACT_ROWS:
            screened = self._family.screened_starts(self._X, duals)
            if screened is None:
                return np.arange(n)
            prices, error = screened
            return np.flatnonzero(prices >= prices.max() - 2.0 * error)
        drawn = _sample(duals, SHORT_LIST // 2)
        signs, starts = np.sign(duals[drawn]), self._family.starts(self._X)
        estimate = np.abs(self._family.prices(self._X[drawn], signs, starts))
        return np.sort(np.argpartition(-estimate, SHORT_LIST)[:SHORT_LIST])


def _sample(duals: Vector, size: int) -> npt.NDArray[np.intp]:
    """Sample rows in proportion to |γ|, as many of either sign, so that Σα = Σβ still holds."""
    rng = np.random.default_rng(len(duals))
    shares = (np.maximum(duals, 0.0), np.maximum(-duals, 0.0))
    return np.concatenate([rng.choice(len(duals), size, p=share / share.sum()) for share in shares])


def padded_size(size: int, smallest: int) -> int:
    """Return the next of smallest·{1, 1.5, 2, 3, 4, 6, 8, …}: few shapes, so few compilations."""
    padded = smallest
    while padded < size:
        padded = padded * 3 // 2 if padded & (padded - 1) == 0 else padded * 4 // 3
    return padded


@cache
def _climb(family: ColumnFamily) -> Any:
    """Compile Adam on |g| for any number of rows and features, once per process and family."""
    os.environ.setdefault("TF_CPP_MIN_LOG_LEVEL", "3")
    os.environ.setdefault("TF_ENABLE_ONEDNN_OPTS", "0")
    import tensorflow as tf

    beta_1, beta_2, epsilon = 0.9, 0.999, 1e-7
    real = tf.float64

    @tf.function(
        jit_compile=True,
        autograph=False,
        input_signature=[
            tf.TensorSpec([None, None], real),
            tf.TensorSpec([None], real),
            tf.TensorSpec([None], real),
            tf.TensorSpec([], tf.int32),
            tf.TensorSpec([], real),
        ],
    )
    def climb(X: Any, duals: Any, start: Any, steps: Any, learning_rate: Any) -> Any:
        def value_and_gradient(q: Any) -> Any:
            g, gradient = family.tensor_price(X, duals, q)
            return tf.abs(g), tf.sign(g) * gradient

        def step(k: Any, q: Any, m: Any, v: Any, last: Any, best: Any, top: Any, _: Any) -> Any:
            value, gradient = value_and_gradient(q)
            done = tf.abs(value - last) < RELATIVE_CHANGE * last
            m = beta_1 * m + (1 - beta_1) * gradient
            v = beta_2 * v + (1 - beta_2) * gradient * gradient
            power = tf.cast(k + 1, real)
            rate = learning_rate * tf.sqrt(1 - beta_2**power) / (1 - beta_1**power)
            q = q + rate * m / (tf.sqrt(v) + epsilon)
            best = tf.where(value > top, q, best)
            top = tf.maximum(value, top)
            return k + 1, q, m, v, value, best, top, done

        def goes_on(k: Any, *state: Any) -> Any:
            return tf.logical_and(k <= steps, tf.logical_not(state[-1]))

        zero = tf.zeros_like(start)
        state = (
            0,
            start,
            zero,
            zero,
            tf.constant(0.0, real),
            start,
            tf.constant(-1.0, real),
            False,
        )
        final = tf.while_loop(goes_on, step, state)
        return final[5], value_and_gradient(final[5])[0]

    return climb
