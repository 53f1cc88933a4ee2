"""The sub-problem: the point whose distances the duals would most like to have as a column.

With the dual sums γ of the master problem (+α_p for positive rows, −β_n for negative ones)

    g(q) = Σ_i γ_i ‖x_i − q‖  =  Σ_p α_p ‖x_p − q‖ − Σ_n β_n ‖x_n − q‖,

and the new prototype maximises |g(q)|. The search starts near the training row with the
largest |g| and climbs by Adam, all steps in one compiled TensorFlow loop.
"""

from __future__ import annotations

import os
from dataclasses import dataclass
from functools import cache, cached_property
from typing import Any

import numpy as np
import numpy.typing as npt
from scipy.spatial.distance import cdist

from smoothrank.arrays import Matrix, Vector
from smoothrank.solvers.memo import Memo, fingerprint

START_NOISE = 0.1
"""Standard deviation of what is added to the start: at a training row g has no gradient."""

RELATIVE_CHANGE = 1e-5
"""Adam stops when |g| changes by less than this share in a step."""

MAX_CANDIDATES = 2048
"""Up to this many training rows, |g| is computed for all of them."""

EXACT_ROWS = 20_000
"""Up to this many, `best_row` can be asked to be exact: n² distances, in blocks."""

SHORT_LIST = 1024
"""Of more rows, g is estimated everywhere from this many, and computed at this many."""

_BLOCK = 1 << 18
_SCREEN_BLOCK = 512

REMEMBERED = 1024
"""How many prices are remembered: values of C share their first columns, and often more."""


@dataclass(frozen=True)
class Price:
    """A new prototype and its price |g|."""

    prototype: Vector
    value: float


_PRICES: Memo[Price] = Memo(REMEMBERED)
_BEST_ROWS: Memo[int] = Memo(REMEMBERED)


class Pricing:
    """The sub-problem of one fit.

    Parameters
    ----------
    X : ndarray of shape (n, d)
        The training rows.
    rng : numpy.random.Generator
        Draws the start's noise, one vector a column, in order.
    adam_steps : int
        The most steps of Adam.
    learning_rate : float
        Adam's learning rate.
    """

    def __init__(
        self, X: Matrix, rng: np.random.Generator, *, adam_steps: int, learning_rate: float
    ) -> None:
        self._origin = X.mean(axis=0)
        self._X = X - self._origin
        self._rng = rng
        self._adam_steps = adam_steps
        self._learning_rate = learning_rate

    @cached_property
    def _fingerprint(self) -> bytes:
        """What tells these rows from others."""
        return fingerprint(repr(self._X.shape).encode(), self._origin.tobytes(), self._X.tobytes())

    @cached_property
    def _padded(self) -> Any:
        """The centred rows as a d × n tensor, filled up with zeros: they change no distance."""
        import tensorflow as tf

        n, d = self._X.shape
        padded = np.zeros((_padded_size(d, 4), _padded_size(n, 64)))
        padded[:d, :n] = self._X.T
        return tf.constant(padded)

    def best_row(self, duals: Vector, *, exact: bool = False) -> int:
        """Number of the training row with the largest |g|; the first on a tie.

        Of more than `MAX_CANDIDATES` rows the best are estimated from a sample, unless `exact`
        is asked for and they are no more than `EXACT_ROWS`.
        """
        return _BEST_ROWS.get_or_make(
            (self._fingerprint, duals.tobytes(), bytes([exact])),
            lambda: self._best_row(duals, exact),
        )

    def _best_row(self, duals: Vector, exact: bool) -> int:
        candidates = self._candidates(duals, exact)
        values = np.abs(price_at(self._X[candidates], self._X, duals))
        return int(candidates[np.argmax(values)])

    def price(self, duals: Vector) -> Price:
        """Climb from the best training row.

        Returns the point that the step from the best one led to, as the published code does.
        """
        noise = self._rng.normal(0.0, START_NOISE, self._X.shape[1])
        settings = np.array([self._adam_steps, self._learning_rate])
        key = (self._fingerprint, duals.tobytes(), noise.tobytes(), settings.tobytes())
        return _PRICES.get_or_make(key, lambda: self._price(duals, noise))

    def _price(self, duals: Vector, noise: Vector) -> Price:
        n, d = self._X.shape
        start = self._X[self._best_row(duals, exact=False)] + noise
        climb = _climb()
        columns, rows = self._padded.shape
        best, value = climb(
            self._padded,
            np.pad(duals, (0, rows - n)),
            np.pad(start, (0, columns - d)),
            self._adam_steps,
            self._learning_rate,
        )
        return Price(best.numpy()[:d] + self._origin, float(value))

    def _candidates(self, duals: Vector, exact: bool) -> npt.NDArray[np.intp]:
        """All rows, or the ones of largest |g| by an estimate from a sample drawn by |γ|."""
        n, total = len(duals), float(np.abs(duals).sum())
        if n <= MAX_CANDIDATES or total == 0.0:
            return np.arange(min(n, MAX_CANDIDATES))
        if exact and n <= EXACT_ROWS:
            values, error = screen(self._X, duals)
            return np.flatnonzero(values >= values.max() - 2.0 * error)
        drawn = _sample(duals, SHORT_LIST // 2)
        estimate = np.abs(price_at(self._X, self._X[drawn], np.sign(duals[drawn])))
        return np.sort(np.argpartition(-estimate, SHORT_LIST)[:SHORT_LIST])


def _sample(duals: Vector, size: int) -> npt.NDArray[np.intp]:
    """Rows drawn in proportion to |γ|, as many of either sign: Σα = Σβ holds in the sample too."""
    rng = np.random.default_rng(len(duals))
    shares = (np.maximum(duals, 0.0), np.maximum(-duals, 0.0))
    return np.concatenate([rng.choice(len(duals), size, p=share / share.sum()) for share in shares])


def price_at(points: Matrix, X: Matrix, duals: Vector) -> Vector:
    """g at each of some points, in blocks that stay in the cache: never all distances at once."""
    support = np.flatnonzero(duals)
    rows, weights = X[support], duals[support]
    block = max(1, _BLOCK // max(1, len(support)))
    values = np.empty(len(points))
    for first in range(0, len(points), block):
        values[first : first + block] = cdist(points[first : first + block], rows) @ weights
    return values


def screen(X: Matrix, duals: Vector) -> tuple[Vector, float]:
    """|g| at every row in single precision, and a bound of the error.

    With ‖x‖ ≤ R and unit roundoff u a squared distance is off by at most 4(d + 4)u R², so that
    a distance is by its root; sums of m terms in a block by m u times their size.
    """
    R = float(np.sqrt(np.einsum("ij,ij->i", X, X).max()))
    unit = float(np.finfo(np.float32).eps)
    rows, weights = X.astype(np.float32), duals.astype(np.float32)
    squares = np.einsum("ij,ij->i", rows, rows)
    values = np.zeros(len(X))
    width = 4 * _SCREEN_BLOCK
    for first in range(0, len(X), _SCREEN_BLOCK):
        block = slice(first, first + _SCREEN_BLOCK)
        for start in range(0, len(X), width):
            others = slice(start, start + width)
            distances = rows[block] @ (-2.0 * rows[others].T)
            distances += squares[block, None]
            distances += squares[others]
            np.sqrt(np.maximum(distances, 0.0, out=distances), out=distances)
            values[block] += distances @ weights[others]
    a_distance = R * (np.sqrt(4.0 * (X.shape[1] + 4) * unit) + 2.0 * (width + 2) * unit)
    return np.abs(values), a_distance * float(np.abs(duals).sum())


def _padded_size(size: int, smallest: int) -> int:
    """The next of smallest·{1, 1.5, 2, 3, 4, 6, 8, …}: few shapes, so few compilations."""
    padded = smallest
    while padded < size:
        padded = padded * 3 // 2 if padded & (padded - 1) == 0 else padded * 4 // 3
    return padded


@cache
def _climb() -> Any:
    """Compile, once a process, Adam on |g| for any number of rows and columns."""
    os.environ.setdefault("TF_CPP_MIN_LOG_LEVEL", "3")
    os.environ.setdefault("TF_ENABLE_ONEDNN_OPTS", "0")
    import tensorflow as tf

    beta_1, beta_2, epsilon = 0.9, 0.999, 1e-7
    real = tf.float64

    @tf.function(
        jit_compile=True,
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
            distance = tf.sqrt(tf.reduce_sum(tf.square(q[:, None] - X), axis=0))
            g = tf.reduce_sum(duals * distance)
            pull = tf.math.divide_no_nan(duals, distance)
            return tf.abs(g), tf.sign(g) * (q * tf.reduce_sum(pull) - tf.linalg.matvec(X, pull))

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
