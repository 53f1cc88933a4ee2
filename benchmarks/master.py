"""The master problem by cutting planes against the full pair program, with the same solver.

    python -m benchmarks.master [--dataset abalone9-18] [--prototypes 8] [--solver highs] [--rows N]

Both solve the same sequence of masters, one for each prototype (training rows, fixed seed); the
last line is one JSON object. `--rows` takes the first N training rows only, to see how the ratio
grows; without it three sizes are measured.
"""

from __future__ import annotations

import argparse
import json
from time import perf_counter

import numpy as np
import numpy.typing as npt
from scipy.spatial.distance import cdist

from benchmarks.baseline import pair_differences, solve_all_pairs
from smoothrank.arrays import Matrix
from smoothrank.datasets import load_dataset
from smoothrank.losses.pairwise_hinge import Pairs
from smoothrank.solvers.master import Master
from smoothrank.tables.one_hot import Encoder, drop_missing_rows
from tests.support.oracles.paper_protocol import paper_split


def problem(name: str, n_prototypes: int) -> tuple[Matrix, npt.NDArray[np.bool_]]:
    """Return the standardised distances of a data set's training rows to some of them."""
    data = drop_missing_rows(load_dataset(name))
    split = paper_split(Encoder().fit_transform(data.X), data.y)
    rng = np.random.default_rng(0)
    chosen = rng.choice(len(split.X_train), n_prototypes, replace=False)
    columns = cdist(split.X_train, split.X_train[chosen])
    return (columns - columns.mean(axis=0)) / columns.std(axis=0), split.y_train == 1


def measure(columns: Matrix, is_positive: npt.NDArray[np.bool_], solver: str) -> dict[str, float]:
    """Time both ways on the same master problems; both use the w_old of the cutting planes."""
    C = 1e-3
    pairs = Pairs.from_labels(is_positive)
    begin = perf_counter()
    master = Master(pairs, change_cost=C, solver=solver, max_columns=columns.shape[1])
    solutions = []
    for column in columns.T:
        master.add_column(column)
        solutions.append(master.solve())
    seconds_cuts = perf_counter() - begin
    begin = perf_counter()
    worst = 0.0
    for T, solution in enumerate(solutions, start=1):
        old = solutions[T - 2].weights if T > 1 else np.empty(0)
        differences = pair_differences(columns[:, :T], is_positive)
        full = solve_all_pairs(differences, old, C, solver)
        worst = max(worst, abs(full.objective - solution.objective))
    seconds_full = perf_counter() - begin
    return {
        "n_rows": len(columns),
        "n_pairs": pairs.n_pairs,
        "seconds_cuts": round(seconds_cuts, 4),
        "seconds_full": round(seconds_full, 2),
        "ratio": round(seconds_full / seconds_cuts, 1),
        "objective_difference": worst,
    }


def main() -> None:
    """Run the command."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0] if __doc__ else None)
    parser.add_argument("--dataset", default="abalone9-18")
    parser.add_argument("--prototypes", type=int, default=8)
    parser.add_argument("--solver", choices=["highs", "gurobi"], default="highs")
    parser.add_argument("--rows", type=int)
    arguments = parser.parse_args()
    columns, is_positive = problem(arguments.dataset, arguments.prototypes)
    measure(columns[:100], is_positive[:100], arguments.solver)
    shares = (0.25, 0.5, 1.0) if arguments.rows is None else (arguments.rows / len(columns),)
    for share in shares:
        n = round(share * len(columns))
        found = measure(columns[:n], is_positive[:n], arguments.solver)
        described = {"dataset": arguments.dataset, "prototypes": arguments.prototypes}
        print(json.dumps(described | {"solver": arguments.solver} | found), flush=True)


if __name__ == "__main__":
    main()
