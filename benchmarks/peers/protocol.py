"""One participant on one split of one data set."""

from __future__ import annotations

import warnings
from dataclasses import dataclass
from time import process_time
from typing import Any

import numpy as np

from benchmarks.peers.data import load
from benchmarks.peers.participants import PARTICIPANTS, Participant, Shape
from benchmarks.peers.participants.base import RANDOM_STATE, score_of_rows
from benchmarks.peers.results import Job, Line
from smoothrank.arrays import Indices, Labels, Matrix, Vector
from smoothrank.errors import SmoothrankError
from smoothrank.losses.pairwise_hinge import Pairs, auc

TEST_SHARE = 0.25
MOST_FOLDS = 5
DECIMALS = 6


@dataclass(frozen=True)
class Choice:
    """The candidate to fit on all training rows, and its mean validation AUC if it has one."""

    candidate: Any
    cv_auc: float | None


def run_job(job: Job) -> Line:
    """Tune and fit a participant on the training part, and score the test part.

    The seconds are those of the processor for tuning, fitting and scoring, not those of imports.
    """
    from sklearn.model_selection import train_test_split

    X, y = load(job.dataset)
    X, X_test, y, y_test = train_test_split(
        X, y, stratify=y, test_size=TEST_SHARE, random_state=job.seed
    )
    participant = PARTICIPANTS[job.method]
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        candidates = participant.candidates(Shape(len(X), X.shape[1], n_folds(y)))
        np.random.seed(RANDOM_STATE)  # noqa: NPY002 - FIGS breaks ties by the global generator
        begin = process_time()
        choice = choose(participant, candidates, X, y, job.seed)
        model = choice.candidate.fit(X, y)
        scores = score_of_rows(model, X_test)
        seconds = process_time() - begin
        brier = brier_score(model, X_test, y_test) if participant.has_probabilities else None
        return Line(
            **vars(job),
            test_auc=round(area(scores, y_test), DECIMALS),
            cv_auc=None if choice.cv_auc is None else round(choice.cv_auc, DECIMALS),
            brier=None if brier is None else round(brier, DECIMALS),
            size=participant.size(model),
            seconds=round(seconds, 3),
        )


def n_folds(y: Labels) -> int:
    """Return how many folds the smaller class allows, five at most.

    Raises
    ------
    SmoothrankError
        If there are fewer than two rows of a class.
    """
    smaller = int(min(y.sum(), len(y) - y.sum()))
    if smaller < 2:
        raise SmoothrankError("the training part has fewer than two rows of a class")
    return min(MOST_FOLDS, smaller)


def folds(X: Matrix, y: Labels, seed: int) -> list[tuple[Indices, Indices]]:
    """Return the folds that every participant is tuned on."""
    from sklearn.model_selection import StratifiedKFold

    return list(StratifiedKFold(n_folds(y), shuffle=True, random_state=seed).split(X, y))


def choose(participant: Participant, candidates: Any, X: Matrix, y: Labels, seed: int) -> Choice:
    """Return the candidate of highest mean validation AUC, the first of equals."""
    if len(candidates) == 1:
        return Choice(candidates[0], None)
    aucs = [
        [
            area(scores, y[validation])
            for scores in participant.scores(candidates, X[train], y[train], X[validation])
        ]
        for train, validation in folds(X, y, seed)
    ]
    means = np.mean(aucs, axis=0)
    best = int(np.argmax(np.round(means, 12)))
    return Choice(candidates[best], float(means[best]))


def area(scores: Vector, y: Labels) -> float:
    """Return the AUC of scores."""
    return auc(scores, Pairs.from_labels(y == 1))


def brier_score(model: Any, X: Matrix, y: Labels) -> float:
    """Return the mean squared difference between probabilities and labels."""
    return float(np.mean((np.asarray(model.predict_proba(X))[:, 1] - y) ** 2))
