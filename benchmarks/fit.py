"""One fit against the textbook way, on data that the size-limited licence lets the baseline do.

    python -m benchmarks.fit [--solver gurobi] [NAME ...]

Both fit the same training rows (the first prototype is the first row, C = 0.001). The baseline
solves the linear program over all pairs and takes eager TensorFlow Adam steps over all pairs. The
last line is one JSON object.
"""

from __future__ import annotations

import argparse
import json
from statistics import geometric_mean
from time import perf_counter

from benchmarks.baseline import textbook_fit
from smoothrank import SmoothRankingPrototype
from smoothrank.datasets import load_dataset
from smoothrank.tables.one_hot import Encoder, drop_missing_rows
from tests.support.oracles.paper_protocol import paper_split

NAMES = ("glass-0-4_vs_5", "shuttle-c2-vs-c4", "zoo-3", "glass-0-1-6_vs_5", "glass-0-6_vs_5")
REPEATS = 5


def measure(name: str, solver: str, C: float = 1e-3) -> dict[str, float | str]:
    """Time both ways on the training part of one data set."""
    data = drop_missing_rows(load_dataset(name))
    split = paper_split(Encoder().fit_transform(data.X), data.y)
    is_positive = split.y_train == 1
    model = SmoothRankingPrototype(C, first_prototype="first", solver=solver)
    model.fit(split.X_train, is_positive)
    begin = perf_counter()
    for _ in range(REPEATS):
        model.fit(split.X_train, is_positive)
    seconds = (perf_counter() - begin) / REPEATS
    begin = perf_counter()
    n_prototypes, auc = textbook_fit(split.X_train, is_positive, C, solver, 100)
    baseline = perf_counter() - begin
    return {
        "dataset": name,
        "n_pairs": int(is_positive.sum() * (~is_positive).sum()),
        "prototypes": len(model.weights_),
        "prototypes_baseline": n_prototypes,
        "train_auc": round(model.history_[-1].train_auc, 4),
        "train_auc_baseline": round(auc, 4),
        "seconds": round(seconds, 4),
        "seconds_baseline": round(baseline, 2),
        "ratio": round(baseline / seconds, 1),
    }


def main() -> None:
    """Run the command."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0] if __doc__ else None)
    parser.add_argument("names", nargs="*", default=NAMES, metavar="NAME")
    parser.add_argument("--solver", choices=["highs", "gurobi"], default="gurobi")
    arguments = parser.parse_args()
    measure(NAMES[0], arguments.solver)
    found = [measure(name, arguments.solver) for name in arguments.names]
    for line in found:
        print(json.dumps(line))
    total = sum(float(x["seconds_baseline"]) for x in found) / sum(
        float(x["seconds"]) for x in found
    )
    print(
        json.dumps(
            {
                "solver": arguments.solver,
                "datasets": len(found),
                "ratio": round(total, 1),
                "ratio_geometric_mean": round(geometric_mean(float(x["ratio"]) for x in found), 1),
                "ratio_min": min(float(x["ratio"]) for x in found),
            }
        )
    )


if __name__ == "__main__":
    main()
