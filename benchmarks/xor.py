"""Draw the XOR problem of Figure 1 with many seeds, and count in how many Smooth loses less.

    python -m benchmarks.xor [--first 100] [--seeds 50] [--smooth-c 0.01]

What a curve loses is the sum of its drops of test AUC from one iteration to the next. The last
line of the output is one JSON object.
"""

from __future__ import annotations

import argparse
import json
from dataclasses import replace
from statistics import median

from smoothrank.xor import total_drop
from tasks.figure import DEFAULT_SETTINGS, LABELS, compute_figure


def main() -> None:
    """Run the command."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0] if __doc__ else None)
    parser.add_argument("--first", type=int, default=100, help="the first seed")
    parser.add_argument("--seeds", type=int, default=50)
    parser.add_argument("--smooth-c", type=float, default=DEFAULT_SETTINGS.C)
    arguments = parser.parse_args()
    losses: dict[str, list[float]] = {method: [] for method in LABELS}
    for seed in range(arguments.first, arguments.first + arguments.seeds):
        data = compute_figure(replace(DEFAULT_SETTINGS, seed=seed, C=arguments.smooth_c))
        for method, values in losses.items():
            values.append(total_drop(data.test_auc(method)))
        print(seed, *(f"{method} {values[-1]:.3f}" for method, values in losses.items()))
    smooth = losses.pop("smooth")
    print(
        json.dumps(
            {
                "seeds": arguments.seeds,
                "C": arguments.smooth_c,
                "median_loss_smooth": round(median(smooth), 4),
                **{f"median_loss_{m}": round(median(v), 4) for m, v in losses.items()},
                **{
                    f"smooth_loses_less_than_{m}": sum(
                        ours < other for ours, other in zip(smooth, values, strict=True)
                    )
                    for m, values in losses.items()
                },
            }
        )
    )


if __name__ == "__main__":
    main()
