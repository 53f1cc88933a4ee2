"""The kernel models that a teacher averages: views, kernels, widths and strengths.

One model is pairwise least squares (`smoothrank.losses.pairwise_squares`) in the feature space of a
kernel: its path over C costs one eigendecomposition, and selection needs nothing more.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import product

import numpy as np

from smoothrank.arrays import Flags, Indices, Matrix, Vector
from smoothrank.columns.distinct_rows import distinct_rows
from smoothrank.columns.families.feature_weights import FeatureWeighted
from smoothrank.columns.feature_scaling import ScaleName, Scaler, ViewName, fit_scaler
from smoothrank.columns.kernel_features import (
    KERNELS,
    KernelFeatures,
    KernelSpace,
    family_of_bumps,
    landmark_rows,
)
from smoothrank.columns.weighted import WeightedColumns
from smoothrank.losses.certificate import Certificate
from smoothrank.losses.pairwise_hinge import Pairs
from smoothrank.losses.pairwise_squares import pairwise_squares, pairwise_squares_path

VIEWS: tuple[ScaleName, ...] = ("standard", "normal")
"""Views that a point can be read in: those of students."""

ROTATED: tuple[ViewName, str] = ("whitened", "gaussian")
"""The whitened view has no axes of its own; only the Gaussian kernel does not depend on any."""

WIDTHS = (0.7, 1.4, 2.8, 5.6)
"""Widths of a kernel, in units of the median distance between training rows."""

STRENGTHS = tuple(float(10.0**power) for power in np.arange(-1.0, 6.5, 0.75))
"""Values of C: ten, from weak to strong."""


@dataclass(frozen=True)
class KernelModel:
    """A view of the features, a kernel and its width."""

    view: ViewName
    kernel: str
    width: float


KERNEL_MODELS = tuple(
    KernelModel(view, kernel, width)
    for view, kernel in (*product(VIEWS, KERNELS), ROTATED)
    for width in WIDTHS
)


@dataclass(frozen=True)
class TrainingRows:
    """The rows that kernel models are fitted on.

    Parameters
    ----------
    X : ndarray of shape (n, d)
        The rows.
    is_positive : ndarray of bool
        Their class.
    weight : ndarray of shape (n,)
        Their weight.
    """

    X: Matrix
    is_positive: Flags
    weight: Vector

    @property
    def pairs(self) -> Pairs:
        """The positive and the negative rows with their weights."""
        return Pairs.from_labels(self.is_positive, self.weight)

    def only(self, rows: Indices) -> TrainingRows:
        """Return some of the rows."""
        return TrainingRows(self.X[rows], self.is_positive[rows], self.weight[rows])

    def merged(self) -> TrainingRows:
        """Return each distinct row of a class once, with the weight of all that are equal to it."""
        rows = distinct_rows(self.X, self.is_positive, self.weight, keep_order=False)
        return TrainingRows(rows.X, rows.is_positive, rows.weight)

    def copies(self, most: int) -> TrainingRows:
        """Return a row of weight two or more as several, so many at most, with equal weights.

        What is split by these rows is split as the rows that were given: a row that came three
        times may be learnt from and held out.
        """
        times = np.clip(self.weight.astype(np.int64), 1, most)
        rows = np.repeat(np.arange(len(self.X)), times)
        return TrainingRows(self.X[rows], self.is_positive[rows], (self.weight / times)[rows])


@dataclass(frozen=True)
class KernelPath:
    """One kernel model, fitted for every strength.

    Parameters
    ----------
    family : FeatureWeighted
        The family of the kernel.
    columns : ndarray of shape (m, 2 d)
        The parameters of the bumps on the landmarks.
    weights : ndarray of shape (len(STRENGTHS), m)
        Their weights, a row for each C.
    scaler : Scaler
        The view.
    """

    family: FeatureWeighted
    columns: Matrix
    weights: Matrix
    scaler: Scaler

    def combined(self, shares: Mapping[float, float]) -> WeightedColumns:
        """Return the sum of the scores of some C, each times its share."""
        total = sum(share * self.weights[STRENGTHS.index(C)] for C, share in shares.items())
        zeros = np.zeros(len(self.columns))
        return WeightedColumns(
            self.family, self.columns, zeros, zeros + 1.0, np.asarray(total), self.scaler
        )


def fit_paths(
    models: Sequence[KernelModel], rows: TrainingRows, X: Matrix, n_landmarks: int, seed: int
) -> Iterator[tuple[KernelModel, KernelPath, Matrix]]:
    """Fit every model for every strength, and yield it with its scores of other rows.

    Parameters
    ----------
    models : sequence of KernelModel
        What to fit; models of one view and kernel share their distances.
    rows : TrainingRows
        The rows to fit on.
    X : ndarray
        The rows to score: a row of scores for each C.
    n_landmarks : int
        The most landmarks of a kernel.
    seed : int
        Draws the landmarks.
    """
    landmarks = landmark_rows(rows.pairs, n_landmarks, np.random.default_rng(seed))
    for view in dict.fromkeys(model.view for model in models):
        scaler = fit_scaler(view, rows.X, rows.weight)
        scaled, others = scaler.transform(rows.X), scaler.transform(X)
        for kernel in dict.fromkeys(model.kernel for model in models if model.view == view):
            bumps = family_of_bumps(kernel)
            width = bumps.median_distance(scaled)
            columns = bumps.around(scaled[landmarks], width)
            here, there = bumps.distances(scaled, columns), bumps.distances(others, columns)
            for model in models:
                if (model.view, model.kernel) == (view, kernel):
                    unit = model.width**bumps.power
                    values = bumps.of_distance(here / unit)
                    weights = _weights_of_path(values, rows.pairs, landmarks)
                    around = bumps.around(scaled[landmarks], width * unit)
                    scores = weights @ bumps.of_distance(there / unit).T
                    yield model, KernelPath(bumps, around, weights, scaler), scores


def _weights_of_path(values: Matrix, pairs: Pairs, landmarks: Indices) -> Matrix:
    features = KernelFeatures.fit(values[landmarks])
    path = pairwise_squares_path(features.transform(values), pairs, STRENGTHS)
    return features.column_weights(path)


def fit_kernel_model(
    model: KernelModel,
    shares: Mapping[float, float],
    rows: TrainingRows,
    n_landmarks: int,
    seed: int,
) -> tuple[WeightedColumns, Certificate]:
    """Fit one model; return the sum of its scores for several strengths, and its certificate.

    A sum of expansions in one kernel is again one.

    Parameters
    ----------
    model : KernelModel
        View, kernel and width.
    shares : mapping
        The factor of each C.
    rows, n_landmarks, seed
        As for `fit_paths`.
    """
    landmarks = landmark_rows(rows.pairs, n_landmarks, np.random.default_rng(seed))
    scaler = fit_scaler(model.view, rows.X, rows.weight)
    space = KernelSpace.fit(model.kernel, model.width, scaler.transform(rows.X), landmarks)
    solutions, found = pairwise_squares(space.of_rows, rows.pairs, tuple(shares))
    return space.weighted(np.array(tuple(shares.values())) @ solutions, scaler), found
