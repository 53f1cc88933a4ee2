"""What plans of the search cost in validation AUC, against trying everything.

    python -m benchmarks.plans pima glass0 haberman

All candidates are fitted on all folds once. Each plan then chooses from those of the fits that it
would have made, with the folds in 20 orders. Its regret is by how much the best candidate, on all
folds, is better than the one chosen. The test parts play no role.
"""

from __future__ import annotations

import argparse

import numpy as np
from sklearn.model_selection import train_test_split

from benchmarks.budget import FOLD_SEED, FOLDS, REPEATS, SCALES, Fits, candidates, estimator, table
from smoothrank.selection.choice import Candidate
from smoothrank.selection.fold_fit import fit_fold
from smoothrank.selection.folds import honest_folds
from smoothrank.selection.halving import HalvingRound, SearchPlan, best_auc, best_candidates
from smoothrank.selection.methods import method

GRID = method("smooth").grid
PLANS = {
    "39 on 2 folds, 13 on 5, 5 on 10": SearchPlan(
        0, (HalvingRound(39, 2), HalvingRound(13, 5), HalvingRound(5, 10))
    ),
    "39 on 5, 13 on 10": SearchPlan(0, (HalvingRound(39, 5), HalvingRound(13, 10))),
    "every second C: 21 on 5, 7 on 10": SearchPlan(
        0, (HalvingRound(21, 5), HalvingRound(7, 10)), 2
    ),
    "every third C: 15 on 5, 5 on 10": SearchPlan(0, (HalvingRound(15, 5), HalvingRound(5, 10)), 3),
}
ORDERS = 20


def all_fits(name: str) -> Fits:
    """Fit every candidate on every fold of the training part of a data set."""
    X, y = table(name)
    X, _, y, _ = train_test_split(X, y, stratify=y, test_size=0.25, random_state=0)
    folds = honest_folds(y, FOLDS, REPEATS, FOLD_SEED)
    return {c: [fit_fold(estimator(c), X, y, *fold) for fold in folds] for c in candidates()}


def chosen(plan: SearchPlan, fits: Fits, order: list[int]) -> Candidate:
    """Return what a plan chooses with the folds in this order."""
    kept = [(value, scale) for value in plan.values(GRID) for scale in SCALES]
    for number, round_ in enumerate(plan.rounds):
        seen = {c: [fits[c][fold] for fold in order[: round_.n_folds]] for c in kept}
        following = plan.rounds[number + 1 : number + 2]
        kept = list(best_candidates(seen, following[0].n_candidates if following else 1))
    return kept[0]


def regret(plan: SearchPlan, fits: Fits) -> float:
    """Return the mean regret over orders; each repeat of the folds stays together."""
    rng = np.random.default_rng(0)
    best = max(best_auc(folds) for folds in fits.values())
    orders = [
        np.concatenate([FOLDS * r + rng.permutation(FOLDS) for r in range(REPEATS)]).tolist()
        for _ in range(ORDERS)
    ]
    return float(np.mean([best - best_auc(fits[chosen(plan, fits, order)]) for order in orders]))


def main() -> None:
    """Print a line for each plan."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("names", nargs="+")
    fits = [all_fits(name) for name in parser.parse_args().names]
    print("| plan | fits | mean regret | worst data set |")
    print("| --- | ---: | ---: | ---: |")
    for name, plan in PLANS.items():
        regrets = [regret(plan, of_data) for of_data in fits]
        print(f"| {name} | {plan.n_fits} | {np.mean(regrets):.4f} | {max(regrets):.4f} |")


if __name__ == "__main__":
    main()
