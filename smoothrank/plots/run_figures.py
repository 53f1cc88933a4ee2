"""Figures of a retraining: ROC, AUC by iteration, validation AUC, and the prototypes.

Each function returns a matplotlib figure that needs no display: `roc(...).savefig("roc.png")`.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any

import numpy as np

from smoothrank.arrays import Vector
from smoothrank.evaluation.delong import AucInterval, auc_interval
from smoothrank.plots.prototypes import parallel_coordinates, projection
from smoothrank.plots.style import (
    INK,
    NEGATIVE,
    POSITIVE,
    REPELS,
    SCALE_COLOURS,
    SCALE_NAMES,
    label_axes,
    legend_below,
    make_room_for_numbers,
    new_figure,
    short_number,
)
from smoothrank.selection.choice import SCALE_ORDER, Candidate

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

__all__ = [
    "auc_by_iteration",
    "parallel_coordinates",
    "projection",
    "roc",
    "validation_against_c",
]


def roc(
    scores: Any, is_positive: Any, interval: AucInterval | None = None, title: str | None = None
) -> Figure:
    """The ROC curve, with the point at which the model decides (a score of zero).

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
    figure, axes = new_figure(5.4, 5.2, title)
    axes.plot([0, 1], [0, 1], color=NEGATIVE, linewidth=1, linestyle=(0, (4, 4)))
    axes.fill_between(false_rate, true_rate, color=POSITIVE, alpha=0.07, linewidth=0)
    axes.plot(false_rate, true_rate, color=POSITIVE, linewidth=1.8)
    decided = float(np.mean(values[~flags] > 0)), float(np.mean(values[flags] > 0))
    axes.scatter(
        *decided, s=55, color=REPELS, edgecolors="white", linewidths=1.2, zorder=4, clip_on=False
    )
    axes.plot([], [], "o", color=REPELS, label="where the model decides")
    axes.plot([], [], color=NEGATIVE, linestyle=(0, (4, 4)), linewidth=1, label="chance")
    _say_auc(axes, found, int(flags.sum()), int((~flags).sum()))
    axes.legend(loc="lower right", frameon=False, fontsize=9, bbox_to_anchor=(1.0, 0.16))
    axes.set(xlim=(-0.01, 1.01), ylim=(-0.01, 1.01), aspect="equal")
    label_axes(axes, "share of negatives taken for positives", "share of positives found")
    return figure


def _say_auc(axes: Axes, found: AucInterval, positives: int, negatives: int) -> None:
    axes.text(
        0.98,
        0.03,
        f"AUC {found.auc:.3f}  ({found.low:.3f} to {found.high:.3f})\n"
        f"{positives} positives, {negatives} negatives",
        transform=axes.transAxes,
        ha="right",
        va="bottom",
        fontsize=10,
        color=INK,
        linespacing=1.5,
    )


def auc_by_iteration(
    aucs: Sequence[Sequence[float]], chosen: int | None = None, title: str | None = None
) -> Figure:
    """Validation AUC after each prototype: every fold, and their mean.

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
    legend_below(figure, columns=3)
    label_axes(axes, "prototypes", "validation AUC")
    make_room_for_numbers(figure, axes)
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
) -> Figure:
    """Mean validation AUC against the method's parameter, a line for each scaling.

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
    """
    figure, axes = new_figure(6.4, 4.2, title)
    for scale in SCALE_ORDER:
        points = sorted(
            (value, auc) for (value, name), auc in cv_auc_by_value.items() if name == scale
        )
        if points:
            values, aucs = _columns(points)
            axes.plot(
                values,
                aucs,
                "o-",
                color=SCALE_COLOURS[scale],
                linewidth=1.6,
                markersize=4.5,
                label=SCALE_NAMES[scale],
            )
    if chosen is not None:
        label = f"chosen: {parameter} = {short_number(chosen[0])} ({cv_auc_by_value[chosen]:.3f})"
        axes.plot(
            [chosen[0]],
            [cv_auc_by_value[chosen]],
            "o",
            color=REPELS,
            markersize=11,
            fillstyle="none",
            mew=1.8,
            label=label,
        )
    axes.set_xscale("log")
    axes.xaxis.set_major_formatter(lambda value, _: f"{value:g}")
    axes.grid(which="minor", visible=False)
    legend_below(figure, columns=4)
    label_axes(axes, f"{parameter} (logarithmic)", "mean validation AUC")
    axes.margins(y=0.12)
    make_room_for_numbers(figure, axes)
    return figure


def _columns(points: list[tuple[float, float]]) -> tuple[Vector, Vector]:
    table = np.array(points)
    return table[:, 0], table[:, 1]
