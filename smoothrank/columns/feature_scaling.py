"""Scaling of the features before distances are taken: none, standard, by quantiles, or whitened.

Quantiles are uniform ("quantile") or those of the normal distribution ("normal").

Distances mix the units of the features, so their scales decide what the model sees. A scaler is
fitted on weighted rows and can be saved as plain arrays. All but the whitening one are monotone in
each feature, so that a point in scaled units can be read.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal, Protocol, get_args

import numpy as np
from scipy.special import ndtri

from smoothrank.arrays import Matrix, Vector

ScaleName = Literal["standard", "quantile", "normal"]
ViewName = Literal[ScaleName, "whitened"]
SCALE_NAMES: frozenset[str] = frozenset(get_args(ScaleName))

MAX_QUANTILES = 1000
_UNIFORM_SPREAD = float(np.sqrt(12.0))
_ROUNDING = 1e-12
_SHRINKAGE = 0.1


class Scaler(Protocol):
    """What every scaler can do."""

    def transform(self, X: Matrix) -> Matrix:
        """Bring rows from the data's units to scaled units."""
        ...

    def inverse_transform(self, Z: Matrix) -> Matrix:
        """Bring rows from scaled units to the data's units."""
        ...

    def arrays(self) -> dict[str, Matrix]:
        """Return everything needed to rebuild the scaler."""
        ...


@dataclass(frozen=True)
class StandardScaler:
    """(x − mean) / standard deviation of each feature; a constant feature becomes 0."""

    mean: Vector
    spread: Vector

    @classmethod
    def fit(cls, X: Matrix, weight: Vector) -> StandardScaler:
        """Learn weighted mean and population standard deviation."""
        mean = np.average(X, axis=0, weights=weight)
        spread = np.sqrt(np.average((X - mean) ** 2, axis=0, weights=weight))
        negligible = spread <= 1e-12 * np.abs(mean)
        return cls(mean, np.where(negligible, 1.0, spread))

    def transform(self, X: Matrix) -> Matrix:
        """Bring rows to scaled units."""
        return (X - self.mean) / self.spread

    def inverse_transform(self, Z: Matrix) -> Matrix:
        """Bring rows to the data's units; what is zero but for rounding becomes zero."""
        rows = Z * self.spread + self.mean
        return np.where(np.abs(rows) < _ROUNDING * self.spread, 0.0, rows)

    def arrays(self) -> dict[str, Matrix]:
        """Return mean and spread."""
        return {"mean": self.mean, "spread": self.spread}


@dataclass(frozen=True)
class QuantileScaler:
    """√12 · (F(x) − ½), where F is the share of training weight below x plus half of that at x.

    Between the values seen F is linear, outside it is constant. √12 gives a continuous feature
    standard deviation one, as `StandardScaler` does.

    Parameters
    ----------
    values, levels : ndarray of shape (d, at most MAX_QUANTILES)
        Knots of F for each feature; rows are padded by repeating the last knot.
    """

    values: Matrix
    levels: Matrix

    @classmethod
    def fit(cls, X: Matrix, weight: Vector) -> QuantileScaler:
        """Learn the weighted mid-distribution function of each feature."""
        knots = [_mid_distribution(column, weight) for column in X.T]
        width = max(len(values) for values, _ in knots)
        return cls(
            np.array(
                [np.pad(values, (0, width - len(values)), mode="edge") for values, _ in knots]
            ),
            np.array(
                [np.pad(levels, (0, width - len(levels)), mode="edge") for _, levels in knots]
            ),
        )

    def transform(self, X: Matrix) -> Matrix:
        """Bring rows to scaled units."""
        return _UNIFORM_SPREAD * (_interpolate(X, self.values, self.levels) - 0.5)

    def inverse_transform(self, Z: Matrix) -> Matrix:
        """Bring rows to the data's units; points outside the values seen are clipped."""
        return _interpolate(Z / _UNIFORM_SPREAD + 0.5, self.levels, self.values)

    def arrays(self) -> dict[str, Matrix]:
        """Return the knots."""
        return {"values": self.values, "levels": self.levels}


@dataclass(frozen=True)
class NormalScaler:
    """Φ⁻¹(F(x)), standardised; Φ is the normal distribution function, F as in `QuantileScaler`.

    Parameters
    ----------
    values, levels : ndarray of shape (d, at most MAX_QUANTILES)
        Knots of the function of each feature; rows are padded by repeating the last knot.
    """

    values: Matrix
    levels: Matrix

    @classmethod
    def fit(cls, X: Matrix, weight: Vector) -> NormalScaler:
        """Learn the normal scores of each feature, and standardise them."""
        ranks = QuantileScaler.fit(X, weight)
        scores = cls(ranks.values, ndtri(ranks.levels))
        standard = StandardScaler.fit(scores.transform(X), weight)
        return cls(ranks.values, standard.transform(scores.levels.T).T)

    def transform(self, X: Matrix) -> Matrix:
        """Bring rows to scaled units."""
        return _interpolate(X, self.values, self.levels)

    def inverse_transform(self, Z: Matrix) -> Matrix:
        """Bring rows to the data's units; points outside the values seen are clipped."""
        return _interpolate(Z, self.levels, self.values)

    def arrays(self) -> dict[str, Matrix]:
        """Return the knots."""
        return {"values": self.values, "levels": self.levels}


@dataclass(frozen=True)
class WhiteningScaler:
    """Λ^(−½) Vᵀ z of standardised features z, so that distances are Mahalanobis distances.

    V Λ Vᵀ is the covariance of z, a tenth of it replaced by as much of the identity: features that
    repeat each other count about once, and the small differences between them count for more.

    Parameters
    ----------
    mean, spread : ndarray of shape (d,)
        Of the features, as in `StandardScaler`.
    axes : ndarray of shape (d, d)
        V Λ^(−½): a column for each direction.
    """

    mean: Vector
    spread: Vector
    axes: Matrix

    @classmethod
    def fit(cls, X: Matrix, weight: Vector) -> WhiteningScaler:
        """Learn mean and spread of the features, and the principal axes of their correlation."""
        standard = StandardScaler.fit(X, weight)
        rows = standard.transform(X)
        covariance = (rows.T * weight) @ rows / weight.sum()
        level = float(np.trace(covariance)) / len(covariance) or 1.0
        covariance *= 1.0 - _SHRINKAGE
        covariance[np.diag_indices_from(covariance)] += _SHRINKAGE * level
        variances, directions = np.linalg.eigh(covariance)
        return cls(standard.mean, standard.spread, directions / np.sqrt(variances))

    def transform(self, X: Matrix) -> Matrix:
        """Bring rows to whitened units."""
        return np.asarray((X - self.mean) / self.spread @ self.axes)

    def inverse_transform(self, Z: Matrix) -> Matrix:
        """Bring rows to the data's units."""
        return StandardScaler(self.mean, self.spread).inverse_transform(
            Z @ np.linalg.inv(self.axes)
        )

    def arrays(self) -> dict[str, Matrix]:
        """Return mean, spread and axes."""
        return {"mean": self.mean, "spread": self.spread, "axes": self.axes}


def _interpolate(rows: Matrix, knots: Matrix, values: Matrix) -> Matrix:
    """Return each feature's piecewise linear function through its knots; constant outside."""
    columns = [
        np.interp(column, places, heights)
        for column, places, heights in zip(rows.T, knots, values, strict=True)
    ]
    return np.column_stack(columns)


def _mid_distribution(column: Vector, weight: Vector) -> tuple[Vector, Vector]:
    values, position = np.unique(column, return_inverse=True)
    share = np.bincount(position, weights=weight) / weight.sum()
    levels = np.cumsum(share) - share / 2.0
    if len(values) > MAX_QUANTILES:
        kept = np.linspace(0, len(values) - 1, MAX_QUANTILES).round().astype(int)
        values, levels = values[kept], levels[kept]
    return values, levels


_SCALERS: dict[ViewName, type[StandardScaler | QuantileScaler | NormalScaler | WhiteningScaler]] = {
    "standard": StandardScaler,
    "quantile": QuantileScaler,
    "normal": NormalScaler,
    "whitened": WhiteningScaler,
}


def fit_scaler(name: ViewName, X: Matrix, weight: Vector) -> Scaler:
    """Fit the scaler of this name on weighted rows."""
    return _SCALERS[name].fit(X, weight)


def scaler_from_arrays(name: ViewName, arrays: dict[str, Matrix]) -> Scaler:
    """Rebuild a scaler from what its `arrays` returned."""
    return _SCALERS[name](**arrays)


def scaler_name(scaler: Scaler) -> ViewName:
    """Return the name of a scaler's kind."""
    return next(name for name, kind in _SCALERS.items() if isinstance(scaler, kind))
