"""The kernel models that a teacher averages: views, kernels, widths and strengths.

One model is pairwise least squares (`smoothrank.losses.pairwise_squares`) in the feature space of a
kernel: its path over C costs one eigendecomposition, and selection needs nothing more.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

import numpy as np

from smoothrank.arrays import Flags, Indices, Matrix, Vector
from smoothrank.columns.families.feature_weights import FeatureWeighted
from smoothrank.columns.feature_scaling import ScaleName, fit_scaler
from smoothrank.columns.kernel_features import (
    KERNELS,
    KernelFeatures,
    KernelSpace,
    family_of_bumps,
    landmark_rows,
)
from smoothrank.columns.weighted import WeightedColumns
from smoothrank.losses.pairwise_hinge import Pairs
from smoothrank.losses.pairwise_squares import pairwise_squares, pairwise_squares_path

VIEWS: tuple[ScaleName, ...] = ("standard", "normal")
WIDTHS = (0.7, 1.4, 2.8, 5.6)
"""Widths of a kernel, in units of the median distance between training rows."""

STRENGTHS = tuple(float(10.0**power) for power in np.arange(-1.0, 6.5, 0.75))
"""Values of C: ten, from weak to strong."""


@dataclass(frozen=True)
class KernelModel:
    """A view of the features, a kernel and its width."""

    view: ScaleName
    kernel: str
    width: float


KERNEL_MODELS = tuple(
    KernelModel(view, kernel, width) for view in VIEWS for kernel in KERNELS for width in WIDTHS
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


def path_scores(
    models: Sequence[KernelModel], rows: TrainingRows, X: Matrix, n_landmarks: int, seed: int
) -> Iterator[tuple[KernelModel, Matrix]]:
    """Fit every model for every strength, and yield its scores of other rows, a row for each C.

    Parameters
    ----------
    models : sequence of KernelModel
        What to fit; models of one view and kernel share their distances.
    rows : TrainingRows
        The rows to fit on.
    X : ndarray
        The rows to score.
    n_landmarks : int
        The most landmarks of a kernel.
    seed : int
        Draws the landmarks.
    """
    for model, bumps, here, there, landmarks in _columns(models, rows, X, n_landmarks, seed):
        features = KernelFeatures.fit(bumps.of_distance(here[landmarks]))
        of_rows = features.transform(bumps.of_distance(here))
        path = pairwise_squares_path(of_rows, rows.pairs, STRENGTHS)
        yield model, features.column_weights(path) @ bumps.of_distance(there).T


def _columns(
    models: Sequence[KernelModel], rows: TrainingRows, X: Matrix, n_landmarks: int, seed: int
) -> Iterator[tuple[KernelModel, FeatureWeighted, Matrix, Matrix, Indices]]:
    """Yield each model with distances to its landmarks, in units of its width."""
    landmarks = landmark_rows(rows.pairs, n_landmarks, np.random.default_rng(seed))
    for view in dict.fromkeys(model.view for model in models):
        scaler = fit_scaler(view, rows.X, rows.weight)
        scaled, others = scaler.transform(rows.X), scaler.transform(X)
        for kernel in dict.fromkeys(model.kernel for model in models if model.view == view):
            bumps = family_of_bumps(kernel)
            columns = bumps.around(scaled[landmarks], bumps.median_distance(scaled))
            here, there = bumps.distances(scaled, columns), bumps.distances(others, columns)
            for model in models:
                if (model.view, model.kernel) == (view, kernel):
                    unit = model.width**bumps.power
                    yield model, bumps, here / unit, there / unit, landmarks


def fit_kernel_model(
    model: KernelModel,
    shares: Mapping[float, float],
    rows: TrainingRows,
    n_landmarks: int,
    seed: int,
) -> tuple[WeightedColumns, float]:
    """Fit one model; return the average of its scores for several strengths, and its largest gap.

    Each score is divided by its standard deviation over the rows, and weighed by its share; a sum
    of expansions in one kernel is again one.

    Parameters
    ----------
    model : KernelModel
        View, kernel and width.
    shares : mapping
        The share of each C.
    rows, n_landmarks, seed
        As for `path_scores`.
    """
    landmarks = landmark_rows(rows.pairs, n_landmarks, np.random.default_rng(seed))
    scaler = fit_scaler(model.view, rows.X, rows.weight)
    space = KernelSpace.fit(model.kernel, model.width, scaler.transform(rows.X), landmarks)
    solutions, gap = pairwise_squares(space.of_rows, rows.pairs, tuple(shares))
    combined = np.zeros(len(landmarks))
    for coefficients, share in zip(solutions, shares.values(), strict=True):
        spread = float(np.std(space.of_rows @ coefficients)) or 1.0
        combined += share / spread * coefficients
    return space.weighted(combined, scaler), gap
