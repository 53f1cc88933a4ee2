"""Draw the XOR problem of Figure 1 with many seeds, and count how often Smooth loses less.

    python -m benchmarks.xor [--first 100] [--seeds 50] [--smooth-c 0.01]

A curve's loss is the sum of its drops in test AUC from one iteration to the next. The last
line of the output is one JSON object.
"""

from __future__ import annotations

import argparse
import json
from collections.abc import Sequence
from dataclasses import replace
from statistics import median

from smoothrank.datasets.xor import largest_drop, total_drop
from tasks.benchmark.figure import DEFAULT_SETTINGS, LABELS, compute_figure

Curves = dict[str, list[list[float]]]


def measures(curves: Curves) -> dict[str, dict[str, float]]:
    """Return medians over the seeds, and how often Smooth loses less than another method."""
    losses = {method: [total_drop(curve) for curve in curves[method]] for method in curves}
    return {
        method: {
            "median_loss": round(median(losses[method]), 4),
            "median_largest_drop": round(median(map(largest_drop, curves[method])), 4),
            "median_last_auc": round(median(curve[-1] for curve in curves[method]), 4),
            "smooth_loses_less": _less(losses["smooth"], losses[method]),
        }
        for method in curves
    }


def _less(first: Sequence[float], second: Sequence[float]) -> int:
    return sum(a < b for a, b in zip(first, second, strict=True))


def main() -> None:
    """Run the command."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0] if __doc__ else None)
    parser.add_argument("--first", type=int, default=100, help="the first seed")
    parser.add_argument("--seeds", type=int, default=50)
    parser.add_argument("--smooth-c", type=float, default=DEFAULT_SETTINGS.C)
    arguments = parser.parse_args()
    curves: Curves = {method: [] for method in LABELS}
    for seed in range(arguments.first, arguments.first + arguments.seeds):
        data = compute_figure(replace(DEFAULT_SETTINGS, seed=seed, C=arguments.smooth_c))
        for method in LABELS:
            curves[method].append(data.test_auc(method))
        print(seed, *(f"{m} {total_drop(curves[m][-1]):.3f}" for m in LABELS), flush=True)
    print(
        json.dumps({"seeds": arguments.seeds, "C": arguments.smooth_c, "methods": measures(curves)})
    )


if __name__ == "__main__":
    main()
