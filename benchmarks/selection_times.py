"""How long `SmoothRanking` takes, all selection included, beside a cross-validated forest.

    python -m benchmarks.selection_times [--rows 1000 10000 100000] [--sizes small best]

Synthetic data, 5 % positives, two processes or threads each; 1,000 rows have 10 features, more
rows 20. The forest has 500 trees and is fitted on five folds. Prints a line for each number of
rows: seconds by the clock, their ratio to the forest's, and the AUC on 20,000 other rows.
"""

from __future__ import annotations

import argparse
from time import perf_counter
from typing import Any

import numpy as np
from sklearn.base import clone
from sklearn.datasets import make_classification
from sklearn.ensemble import RandomForestClassifier
from sklearn.metrics import roc_auc_score
from sklearn.model_selection import StratifiedKFold

from smoothrank.arrays import Indices, Matrix

TESTED = 20_000
FEW_ROWS = 1_000


def table(n: int) -> tuple[Matrix, Indices, Matrix, Indices]:
    """Return n rows to learn from with their classes, and others to test on."""
    X, y = make_classification(
        n_samples=n + TESTED,
        n_features=10 if n <= FEW_ROWS else 20,
        n_informative=8,
        weights=[0.95],
        flip_y=0.02,
        random_state=0,
    )
    return X[:n], y[:n], X[n:], y[n:]


def forest_seconds(X: Matrix, y: Indices) -> float:
    """Return how long five folds of a forest take."""
    began = perf_counter()
    for train, validation in StratifiedKFold(5, shuffle=True, random_state=0).split(X, y):
        forest = clone(RandomForestClassifier(500, n_jobs=2, random_state=0))
        forest.fit(X[train], y[train]).predict_proba(X[validation])
    return perf_counter() - began


def ours(size: str, n: int) -> tuple[float, Any, float]:
    """Return seconds of a fit, the model, and its AUC on other rows."""
    from smoothrank import SmoothRanking

    X, y, others, classes = table(n)
    began = perf_counter()
    model = SmoothRanking(size=size, n_jobs=2).fit(X, y)
    seconds = perf_counter() - began
    return seconds, model, float(roc_auc_score(classes, model.decision_function(others)))


def main() -> None:
    """Run the command."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("--rows", type=int, nargs="+", default=[1_000, 10_000, 100_000])
    parser.add_argument("--sizes", nargs="+", default=["small", "best"])
    arguments = parser.parse_args()
    for n in arguments.rows:
        X, y, *_ = table(n)
        forest = forest_seconds(X, np.asarray(y))
        print(f"{n} rows: forest, five folds {forest:.1f} s", end="", flush=True)
        for size in arguments.sizes:
            seconds, model, auc = ours(size, n)
            ratio = seconds / forest
            columns = f"{model.n_columns_} columns"
            print(f"; {size} {seconds:.1f} s ({ratio:.1f}), {columns}, AUC {auc:.4f}", end="")
        print(flush=True)


if __name__ == "__main__":
    main()
