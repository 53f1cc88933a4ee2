"""Two baseline models on the same rows: what a user would try anyway, and who won.

Logistic regression on standardised features, its C chosen by cross-validated likelihood, and
scikit-learn's histogram gradient boosting as it is. Neither weighs the classes: that would hardly
change the ranking, and spoil the probabilities.
"""

from __future__ import annotations

from collections.abc import Sequence
from time import perf_counter
from typing import TYPE_CHECKING

import numpy as np
import numpy.typing as npt

from smoothrank.evaluation.delong import compare_auc
from smoothrank.persistence.model_file import load_tabular_model
from tasks.assessment.measures import measures
from tasks.problem.problem import Data, Problem, load_data
from tasks.problem.row_parts import Indices
from tasks.results.peers import FittedPeer, Peer

if TYPE_CHECKING:
    from sklearn.base import BaseEstimator

NAMES = {"logistic": "logistic regression", "boosting": "gradient boosting"}
MOST_ROWS = 50_000
MOST_CELLS = 5_000_000
REAL = 0.05
"""A difference is called significant below this p-value."""

_PENALTIES = (0.001, 0.01, 0.1, 1.0, 10.0)
_FOLDS = 3
_SEED = 0


def fit_peers(problem: Problem) -> list[FittedPeer]:
    """Fit both on the training part, or a stratified sample of it, and score the test part.

    One thread each: several that wait for a busy core take many times as long.
    """
    from threadpoolctl import threadpool_limits

    data = load_data(problem)
    rows = training_sample(data)
    X, is_positive = data.X[rows], data.y[rows] == 1
    found = []
    with threadpool_limits(1):
        for name, estimator in _estimators(is_positive).items():
            started = perf_counter()
            estimator.fit(X, is_positive)
            probability = estimator.predict_proba(data.X[data.test])[:, 1]
            found.append(FittedPeer(name, probability, perf_counter() - started))
    return found


def compare_peers(
    problem: Problem, model_folder: str, fitted: Sequence[FittedPeer]
) -> tuple[Peer, ...]:
    """Compare the model with each peer on the test rows."""
    data, model = load_data(problem), load_tabular_model(model_folder)
    is_positive = data.y[data.test] == 1
    own = model.decision_function(data.raw_test)
    peers = []
    for one in fitted:
        comparison = compare_auc(own, one.probability, is_positive)
        found = measures(one.probability, is_positive, problem.evaluation.precision)
        peers.append(
            Peer(
                name=one.name,
                test_auc=comparison.auc_old,
                test_average_precision=found.average_precision,
                test_brier=found.brier,
                seconds=one.seconds,
                n_train=len(training_sample(data)),
                difference=comparison.difference,
                p=min(1.0, 2.0 * min(comparison.p_worse, 1.0 - comparison.p_worse)),
            )
        )
    return tuple(peers)


def verdict(test_auc: float, n_prototypes: int, peers: Sequence[Peer]) -> str:
    """Say who won, and whether the difference from the best other model is significant."""
    if not peers:
        return ""
    ranked = sorted(peers, key=lambda peer: -peer.test_auc)
    listed = ", ".join(f"{NAMES[peer.name]} {peer.test_auc:.3f}" for peer in ranked)
    ahead = [peer for peer in ranked if peer.test_auc > test_auc]
    rival = (ahead or ranked)[0]
    place = ("first", "second", "third")[len(ahead)]
    many = f"{n_prototypes} prototype{'' if n_prototypes == 1 else 's'}"
    return (
        f"{listed}: this model, {test_auc:.3f} with {many}, is {place}; "
        f"{_difference(rival, is_ahead=bool(ahead))}"
    )


def _difference(rival: Peer, *, is_ahead: bool) -> str:
    name = NAMES[rival.name]
    p = "p < 0.001" if rival.p < 0.001 else f"p = {rival.p:.2g}"
    if rival.difference == 0.0:
        return f"it equals {name}"
    if rival.p >= REAL:
        return f"the difference from {name} may be chance ({p})"
    return (
        f"{name} is significantly better ({p})" if is_ahead else f"it is significantly better ({p})"
    )


def training_sample(data: Data) -> Indices:
    """Return the training rows, or a stratified sample of them where a fit would take long."""
    most = min(MOST_ROWS, max(2000, MOST_CELLS // data.X.shape[1]))
    if len(data.train) <= most:
        return data.train
    from sklearn.model_selection import train_test_split

    labels = data.y[data.train]
    sample, _ = train_test_split(data.train, train_size=most, stratify=labels, random_state=_SEED)
    return np.asarray(sample, dtype=np.intp)


def _estimators(is_positive: npt.NDArray[np.bool_]) -> dict[str, BaseEstimator]:
    from sklearn.ensemble import HistGradientBoostingClassifier
    from sklearn.linear_model import LogisticRegressionCV
    from sklearn.model_selection import StratifiedKFold
    from sklearn.pipeline import make_pipeline
    from sklearn.preprocessing import StandardScaler

    rarer = int(min(np.sum(is_positive), np.sum(~is_positive)))
    folds = StratifiedKFold(min(_FOLDS, rarer), shuffle=True, random_state=_SEED)
    logistic = LogisticRegressionCV(
        Cs=_PENALTIES,
        cv=folds,
        scoring="neg_log_loss",
        l1_ratios=(0.0,),
        use_legacy_attributes=False,
        max_iter=500,
    )
    return {
        "logistic": make_pipeline(StandardScaler(), logistic),
        "boosting": HistGradientBoostingClassifier(random_state=_SEED),
    }
