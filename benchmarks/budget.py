"""The search within a budget against the whole search: CPU seconds, and AUC on held-out rows.

    python -m benchmarks.budget pima abalone9-18 10000x3 --seeds 2

A name such as 10000x3 is a synthetic table of that size. The whole search fits every candidate on
every fold of all rows and shares nothing between values of C; where it would take too long, twelve
of its fits are timed. Test parts are only a check: nothing is selected on them.
"""

from __future__ import annotations

import argparse
from dataclasses import dataclass
from time import process_time
from typing import Any

import numpy as np
from sklearn.model_selection import train_test_split

from smoothrank import load_dataset, pricing
from smoothrank.losses.pairwise_hinge import Pairs, auc
from smoothrank.selection.choice import Candidate, Choice, choose_honest
from smoothrank.selection.experiment import with_settings
from smoothrank.selection.fold_fit import FoldFit, fit_fold
from smoothrank.selection.folds import honest_folds
from smoothrank.selection.halving import SearchPlan, best_candidates, plan_search, stratified_sample
from smoothrank.selection.methods import method
from smoothrank.solvers.memo import Memo
from smoothrank.tables.one_hot import Encoder
from tasks.steps.search import DEFAULT_BUDGETS, LONGEST_DEFAULT

SCALES = (None, "standard", "quantile")
FOLDS, REPEATS, FOLD_SEED = 5, 2, 10
Fits = dict[Candidate, list[FoldFit]]


@dataclass(frozen=True)
class Found:
    """What a search chose, its CPU seconds and how many fits it made."""

    choice: Choice | None
    seconds: float
    n_fits: int


def table(name: str) -> tuple[Any, Any]:
    """Return the features and labels of a data set, or of a synthetic table."""
    if not name[0].isdigit():
        data = load_dataset(name)
        return Encoder(missing="impute").fit(data.X).transform(data.X), data.y
    n, d = map(int, name.split("x"))
    rng = np.random.default_rng(7)
    X = rng.normal(size=(n, d))
    score = X[:, 0] + X[:, 1] * X[:, 2] + 0.5 * X[:, 0] ** 2 + rng.normal(size=n)
    X[:, 0] *= 100.0
    return X, np.where(score > np.quantile(score, 0.9), 1, -1)


def estimator(candidate: Candidate) -> Any:
    """Return the estimator of a candidate."""
    value, scale = candidate
    return with_settings(method("smooth"), "honest", scale).make(value)


def candidates() -> list[Candidate]:
    """Return all values with all scalings."""
    return [(value, scale) for value in method("smooth").grid for scale in SCALES]


def whole_search(X: Any, y: Any, most: float) -> Found:
    """Fit everything, sharing nothing; twelve fits are timed where that would take too long."""
    pricing.PRICES, pricing.BEST_ROWS = Memo(0), Memo(0)
    folds = honest_folds(y, FOLDS, REPEATS, FOLD_SEED)
    everyone = candidates()
    n_fits = len(everyone) * len(folds)
    started = process_time()
    for number in range(12):
        fit_fold(estimator(everyone[3 * number + number % 3]), X, y, *folds[number % len(folds)])
    a_fit = (process_time() - started) / 12
    if a_fit * n_fits > most:
        return Found(None, a_fit * n_fits, n_fits)
    started = process_time()
    fits: Fits = {c: [fit_fold(estimator(c), X, y, *fold) for fold in folds] for c in everyone}
    return Found(choose_honest(fits), process_time() - started, n_fits)


def search_by_plan(X: Any, y: Any, plan: SearchPlan) -> Found:
    """Go through the rounds of a plan."""
    pricing.PRICES, pricing.BEST_ROWS = Memo(pricing.REMEMBERED), Memo(pricing.REMEMBERED)
    started = process_time()
    drawn = stratified_sample(y, plan.n_rows, FOLD_SEED)
    folds = honest_folds(y[drawn], FOLDS, REPEATS, FOLD_SEED)
    values = plan.values(method("smooth").grid)
    fits: Fits = {candidate: [] for candidate in candidates() if candidate[0] in values}
    for round_ in plan.rounds:
        kept = best_candidates(fits, round_.n_candidates) if any(fits.values()) else tuple(fits)
        fits = {candidate: fits[candidate] for candidate in kept}
        for candidate, made in fits.items():
            for rows, validation in folds[len(made) : round_.n_folds]:
                made.append(fit_fold(estimator(candidate), X, y, drawn[rows], drawn[validation]))
    return Found(choose_honest(fits), process_time() - started, plan.n_fits)


def test_auc(choice: Choice, X: Any, y: Any, test: tuple[Any, Any]) -> float:
    """Return the AUC of the refit on held-out rows."""
    model = with_settings(method("smooth"), "honest", choice.scale, "auto", choice.n_prototypes)
    scores = model.make(choice.value).fit(X, y).decision_function(test[0])
    return auc(scores, Pairs.from_labels(test[1] == 1))


def compare(name: str, seed: int, most: float) -> str:
    """Compare both searches on one split; return a line of the table."""
    X, y = table(name)
    X, X_test, y, y_test = train_test_split(X, y, stratify=y, test_size=0.25, random_state=seed)
    limits = (seconds for rows, seconds in DEFAULT_BUDGETS if len(y) + len(y_test) <= rows)
    budget = next(limits, LONGEST_DEFAULT)
    plan = plan_search(
        len(y), X.shape[1], len(method("smooth").grid), len(SCALES), FOLDS * REPEATS, budget
    )
    old, new = whole_search(X, y, most), search_by_plan(X, y, plan)
    aucs = [
        "" if found.choice is None else f"{test_auc(found.choice, X, y, (X_test, y_test)):.4f}"
        for found in (old, new)
    ]
    size = f"{len(y)} × {X.shape[1]}"
    return (
        f"| {name} | {seed} | {size} | {plan.n_rows} | {old.n_fits} | {new.n_fits} | "
        f"{old.seconds:.0f}{'' if old.choice else '*'} | {new.seconds:.0f} | "
        f"{old.seconds / new.seconds:.1f} | {aucs[0]} | {aucs[1]} |"
    )


def main() -> None:
    """Print a line for each data set and split."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("names", nargs="+")
    parser.add_argument("--seeds", type=int, default=1)
    parser.add_argument("--most", type=float, default=400.0, help="seconds of a whole search")
    asked = parser.parse_args()
    estimator(candidates()[0]).fit(np.arange(4.0)[:, None], [-1, -1, 1, 1])
    print(
        "| data | split | rows | compared on | fits | fits now | CPU s | now | ratio | AUC | now |"
    )
    print("| --- | --- | --- | ---: | ---: | ---: | ---: | ---: | ---: | ---: | ---: |")
    for name in asked.names:
        for seed in range(asked.seeds):
            print(compare(name, seed, asked.most), flush=True)


if __name__ == "__main__":
    main()
