"""Figures of a retraining: curves between 0 and 1, AUC by iteration, validation AUC, prototypes.

Each function returns a matplotlib figure that needs no display: `roc(...).savefig("roc.png")`.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from typing import TYPE_CHECKING, Any

import numpy as np

from smoothrank.arrays import Vector
from smoothrank.evaluation.delong import AucInterval, auc_interval
from smoothrank.plots.prototypes import parallel_coordinates, projection
from smoothrank.plots.style import (
    DASHED,
    INK,
    NEGATIVE,
    ON_PAGE,
    POSITIVE,
    REPELS,
    SCALE_COLOURS,
    SCALE_NAMES,
    label_axes,
    legend_below,
    new_figure,
    notes,
    short_number,
    use_log_scale,
)
from smoothrank.selection.choice import SCALE_ORDER, Candidate

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

Points = Sequence[tuple[float, float]]

__all__ = [
    "auc_by_iteration",
    "auc_by_part",
    "calibration",
    "parallel_coordinates",
    "projection",
    "roc",
    "unit_curve",
    "validation_against_c",
]


def roc(
    scores: Any, is_positive: Any, interval: AucInterval | None = None, title: str | None = None
) -> Figure:
    """Draw the ROC curve, with the point at which the model decides (a score of zero).

    Parameters
    ----------
    scores, is_positive : array-like
        A score and a class for each row.
    interval : AucInterval, optional
        The AUC and its interval; by default that of `auc_interval`.
    title : str, optional
        A line above the figure.
    """
    from sklearn.metrics import roc_curve

    flags, values = np.asarray(is_positive), np.asarray(scores, dtype=np.float64)
    found = interval or auc_interval(values, flags)
    false_rate, true_rate, _ = roc_curve(flags, values, drop_intermediate=False)
    labels = ("share of negatives taken for positives", "share of positives found")
    figure, axes = _unit_axes(labels, [(0.0, 0.0), (1.0, 1.0)], (5.4, 5.2), title)
    axes.fill_between(false_rate, true_rate, color=POSITIVE, alpha=0.07, linewidth=0)
    told = f"AUC {found.auc:.3f}  ({found.low:.3f} to {found.high:.3f})\n"
    told += f"{flags.sum()} positives, {(~flags).sum()} negatives"
    axes.plot(false_rate, true_rate, color=POSITIVE, linewidth=1.8, label=told)
    decided = float(np.mean(values[~flags] > 0)), float(np.mean(values[flags] > 0))
    dot: dict[str, Any] = {"color": REPELS, "edgecolors": "white", "linewidths": 1.2, "s": 55}
    axes.scatter(*decided, zorder=4, clip_on=False, label="where the model decides", **dot)
    axes.plot([], [], label="chance", **DASHED)
    axes.legend(loc="lower right", frameon=False, fontsize=9)
    axes.set_aspect("equal")
    return figure


def unit_curve(
    points: Points,
    labels: tuple[str, str],
    reference: Points,
    mark: tuple[float, float] | None = None,
    note: str = "",
) -> Figure:
    """Draw a curve between 0 and 1 both ways, for a page.

    Parameters
    ----------
    points, reference : sequence of pairs
        The curve, and the dashed line to compare it with.
    labels : tuple of str
        Names of the axes.
    mark : pair, optional
        The point at which the model decides.
    note : str
        The tooltip of that point.
    """
    figure, axes = _unit_axes(labels, reference)
    axes.plot(*_columns(points), color=POSITIVE, linewidth=1.8)
    if mark is not None:
        dot: dict[str, Any] = {"color": REPELS, "markersize": 7, "markeredgecolor": "white"}
        axes.plot(*_columns([mark]), "o", gid=notes([note]), **dot)
    return figure


def calibration(bins: Sequence[tuple[float, float, float, float, str]]) -> Figure:
    """Draw predicted probabilities against observed shares, for a page.

    Parameters
    ----------
    bins : sequence of tuples
        For each group of rows the mean probability, the share that is positive, the ends of its
        interval, and a tooltip.
    """
    labels = ("probability that the model says", "share that is positive")
    figure, axes = _unit_axes(labels, [(0.0, 0.0), (1.0, 1.0)])
    said, seen, low, high, told = zip(*bins, strict=True)
    axes.vlines(said, low, high, color=POSITIVE, linewidth=1.8)
    axes.plot(said, seen, "o", color=POSITIVE, markersize=5, gid=notes(told))
    return figure


def _unit_axes(
    labels: tuple[str, str],
    reference: Points,
    size: tuple[float, float] = ON_PAGE,
    title: str | None = None,
) -> tuple[Figure, Axes]:
    figure, axes = new_figure(*size, title)
    axes.plot(*_columns(reference), **DASHED)
    axes.set(xlim=(-0.01, 1.01), ylim=(-0.01, 1.01))
    label_axes(axes, *labels)
    return figure, axes


def auc_by_part(series: Mapping[str, Sequence[float]], limit: int | None = None) -> Figure:
    """Draw AUC after each prototype, a line for each part of the rows, for a page.

    Parameters
    ----------
    series : mapping
        For each of three parts of the rows its name and its AUC by iteration.
    limit : int, optional
        The most prototypes that were allowed.
    """
    figure, axes = new_figure(*ON_PAGE)
    styles = zip((INK, POSITIVE, SCALE_COLOURS["quantile"]), "soD", strict=True)
    for (name, aucs), (colour, marker) in zip(series.items(), styles, strict=True):
        told = notes(f"{name}, {number}: {auc:.4f}" for number, auc in enumerate(aucs, 1))
        look: dict[str, Any] = {"color": colour, "marker": marker, "markersize": 4}
        axes.plot(range(1, len(aucs) + 1), aucs, linewidth=1.6, label=name, gid=told, **look)
    longest = max(map(len, series.values()))
    if limit is not None and limit <= longest:
        axes.axvline(limit, zorder=1, **DASHED)
    _whole_numbers(axes, longest)
    legend_below(figure)
    label_axes(axes, "prototypes", "AUC")
    return figure


def auc_by_iteration(
    aucs: Sequence[Sequence[float]], chosen: int | None = None, title: str | None = None
) -> Figure:
    """Draw validation AUC after each prototype: every fold, and their mean.

    Parameters
    ----------
    aucs : sequence of sequences of float
        For each fold the AUC by iteration; a fold that stopped earlier keeps its last AUC.
    chosen : int, optional
        The number of prototypes that was chosen.
    title : str, optional
        A line above the figure.
    """
    longest = max(len(fold) for fold in aucs)
    padded = np.array([[*fold, *[fold[-1]] * (longest - len(fold))] for fold in aucs])
    numbers = np.arange(1, longest + 1)
    figure, axes = new_figure(6.4, 4.2, title)
    for fold in aucs:
        steps = numbers[: len(fold)]
        axes.plot(steps, fold, color=NEGATIVE, linewidth=0.9, alpha=0.8)
        axes.plot(steps[-1:], fold[-1:], "o", color=NEGATIVE, markersize=3.5)
    mean = padded.mean(axis=0)
    axes.plot([], [], "o-", color=NEGATIVE, linewidth=0.9, markersize=3.5, label="fold, to its end")
    axes.plot(numbers, mean, "o-", color=POSITIVE, linewidth=2, markersize=4.5, label="mean")
    if chosen is not None:
        _mark_chosen(axes, chosen, float(mean[min(chosen, longest) - 1]))
    _whole_numbers(axes, longest)
    legend_below(figure)
    label_axes(axes, "prototypes", "validation AUC")
    return figure


def _mark_chosen(axes: Axes, chosen: int, height: float) -> None:
    axes.axvline(chosen, color=REPELS, linewidth=1, linestyle=(0, (4, 3)), zorder=1)
    label = f"chosen: at most {chosen} ({height:.3f})"
    axes.plot(
        [chosen], [height], "o", color=REPELS, markersize=9, fillstyle="none", mew=1.8, label=label
    )


def _whole_numbers(axes: Axes, longest: int) -> None:
    from matplotlib.ticker import MaxNLocator

    axes.xaxis.set_major_locator(MaxNLocator(nbins=12, integer=True, min_n_ticks=1))
    axes.set_xlim(0.5, longest + 0.5)


def validation_against_c(
    cv_auc_by_value: Mapping[Candidate, float],
    chosen: Candidate | None = None,
    parameter: str = "C",
    title: str | None = None,
    *,
    left_out: Collection[Candidate] = (),
    size: tuple[float, float] = (6.4, 4.2),
) -> Figure:
    """Draw mean validation AUC against the method's parameter, a line for each scaling.

    A method that was tried without scaling only has nothing to say about it.

    Parameters
    ----------
    cv_auc_by_value : mapping
        The mean by (value, scale), as `Choice` has it.
    chosen : tuple, optional
        The (value, scale) that was chosen.
    parameter : str
        The parameter's name.
    title : str, optional
        A line above the figure.
    left_out : collection of tuples
        The (value, scale) that a search dropped before its last round; they are hollow.
    size : tuple of float
        Width and height in inches.
    """
    figure, axes = new_figure(*size, title)
    has_scalings = any(scale is not None for _, scale in cv_auc_by_value)
    for scale in SCALE_ORDER:
        points = sorted(
            (value, auc) for (value, name), auc in cv_auc_by_value.items() if name == scale
        )
        if points:
            look: dict[str, Any] = {"color": SCALE_COLOURS[scale], "markersize": 4.5}
            scaling = f", {SCALE_NAMES[scale]}" if has_scalings else ""
            told = [f"{parameter} = {v:g}{scaling}: {auc:.4f}" for v, auc in points]
            (line,) = axes.plot(*_columns(points), "o-", linewidth=1.6, gid=notes(told), **look)
            line.set_label(SCALE_NAMES[scale] if has_scalings else "mean of folds")
            for point, note in zip(points, told, strict=True):
                if (point[0], scale) in left_out:
                    axes.plot(*_columns([point]), "o", mfc="white", gid=notes([note]), **look)
    if chosen is not None:
        auc = cv_auc_by_value[chosen]
        label = f"chosen: {parameter} = {short_number(chosen[0])} ({auc:.3f})"
        ring: dict[str, Any] = {"markersize": 11, "fillstyle": "none", "mew": 1.8}
        axes.plot([chosen[0]], [auc], "o", color=REPELS, label=label, **ring)
    use_log_scale(axes)
    _mark_counts(axes, {value for value, _ in cv_auc_by_value})
    legend_below(figure)
    axes.margins(y=0.12)
    label_axes(axes, f"{parameter} (logarithmic)", "mean validation AUC")
    return figure


def _mark_counts(axes: Axes, values: Collection[float]) -> None:
    """Put a tick at every value if they are counts, such as numbers of columns."""
    if all(float(value).is_integer() for value in values):
        axes.set_xticks(sorted(values))


def _columns(points: Points) -> tuple[Vector, Vector]:
    table = np.array(points)
    return table[:, 0], table[:, 1]
