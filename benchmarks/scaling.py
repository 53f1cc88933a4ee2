"""How a fit's time and memory grow with the number of rows.

    python -m benchmarks.scaling [--rows 10000 20000 100000] [--solver auto]

Synthetic data, d = 20, 5 % positives, standard scaling; each size in a process of its own, so that
its peak memory can be read. The last line is one JSON object.
"""

from __future__ import annotations

import argparse
import json
import resource
import subprocess
import sys
from itertools import pairwise
from time import perf_counter

import numpy as np
from sklearn.datasets import make_classification


def measure(n: int, solver: str) -> dict[str, float]:
    """Fit once on n rows, after a small fit that compiles and imports."""
    from smoothrank import SmoothRankingPrototype

    X, y = make_classification(
        n_samples=n, n_features=20, n_informative=8, weights=[0.95], flip_y=0.02, random_state=0
    )
    model = SmoothRankingPrototype(
        1e-3, scale="standard", solver=solver, max_prototypes=5, auc_tol=0
    )
    model.fit(X, y)
    begin = perf_counter()
    model.fit(X, y)
    seconds = perf_counter() - begin
    peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024
    return {
        "rows": n,
        "seconds": round(seconds, 3),
        "seconds_master": round(sum(h.seconds_master for h in model.history_), 3),
        "seconds_pricing": round(sum(h.seconds_pricing for h in model.history_), 3),
        "cuts": sum(h.cuts for h in model.history_),
        "prototypes": len(model.weights_),
        "peak_megabytes": round(peak),
        "gap": max(h.gap for h in model.history_),
    }


def main() -> None:
    """Run the command."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0] if __doc__ else None)
    parser.add_argument("--rows", type=int, nargs="+", default=[1000, 10_000, 20_000, 100_000])
    parser.add_argument("--solver", choices=["auto", "highs", "gurobi"], default="auto")
    parser.add_argument("--one", action="store_true", help="measure the first size here")
    arguments = parser.parse_args()
    if arguments.one:
        print(json.dumps(measure(arguments.rows[0], arguments.solver)))
        return
    found = []
    for n in arguments.rows:
        command = [sys.executable, "-m", "benchmarks.scaling", "--one", "--rows", str(n)]
        ran = subprocess.run(
            [*command, "--solver", arguments.solver], capture_output=True, text=True, check=True
        )
        found.append(json.loads(ran.stdout.splitlines()[-1]))
        print(json.dumps(found[-1]), flush=True)
    growth = [
        float(np.log2(b["seconds"] / a["seconds"]) / np.log2(b["rows"] / a["rows"]))
        for a, b in pairwise(found)
    ]
    print(json.dumps({"time_factor_when_rows_double": [round(2**g, 2) for g in growth]}))


if __name__ == "__main__":
    main()
