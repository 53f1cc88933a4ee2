"""Score the model on the rows that were put aside."""

from __future__ import annotations

from dataclasses import asdict, dataclass
from typing import Any

import numpy as np

from smoothrank.estimators.ranking_classifier import n_used
from smoothrank.evaluation.delong import auc_interval
from smoothrank.losses.pairwise_hinge import Pairs, auc
from smoothrank.persistence.model_file import load_tabular_model
from tasks.assessment.measures import measures
from tasks.assessment.thresholds import confusion
from tasks.problem.problem import Problem, load_data

LEVEL = 0.95


@dataclass(frozen=True)
class Evaluation:
    """How good the model is, and what it is made of.

    Parameters
    ----------
    test_auc, test_auc_low, test_auc_high : float
        AUC on the test part and its 95 % interval, by DeLong's method.
    n_prototypes : int
        Prototypes, or training rows, with |w| ≥ 0.001.
    features_used_pct : float
        The same in per cent of the distances that all training rows would give.
    gap : float
        The largest optimality gap of the fit; NaN where a method does not tell.
    train_auc_by_iteration, test_auc_by_iteration : list of float
        AUC after each prototype; one number for a method without iterations.
    solver : str
        What solved the linear programs.
    test_average_precision, test_brier, test_recall_at_precision : float
        See `tasks.assessment.measures.Measures`; the precision is that of `params.yaml`.
    precision : float
        The precision at which the recall is measured.
    threshold : float
        The probability from which on a row is called positive.
    confusion : dict
        The test rows by class and by what the model says, as `Confusion` has it.
    """

    test_auc: float
    test_auc_low: float
    test_auc_high: float
    n_prototypes: int
    features_used_pct: float
    gap: float
    train_auc_by_iteration: list[float]
    test_auc_by_iteration: list[float]
    solver: str
    test_average_precision: float
    test_brier: float
    test_recall_at_precision: float
    precision: float
    threshold: float
    confusion: dict[str, int]


def evaluate(problem: Problem, model_folder: str) -> dict[str, Any]:
    """Score the test part; see `Evaluation` for what is given."""
    data = load_data(problem)
    model = load_tabular_model(model_folder)
    classifier = model.classifier
    is_positive = data.y[data.test] == 1
    scored = model.scored(data.raw_test)
    interval = auc_interval(scored["score"].to_numpy(), is_positive, LEVEL)
    precision = problem.evaluation.precision
    found = measures(scored["probability"].to_numpy(), is_positive, precision)
    said = scored["class"].to_numpy() == model.positive
    used = n_used(classifier.weights_)
    return asdict(
        Evaluation(
            test_auc=interval.auc,
            test_auc_low=interval.low,
            test_auc_high=interval.high,
            n_prototypes=used,
            features_used_pct=100.0 * used / len(data.train),
            gap=_gap(classifier),
            train_auc_by_iteration=_staged(classifier, data.X[data.train], data.y[data.train] == 1),
            test_auc_by_iteration=_staged(classifier, data.X[data.test], is_positive),
            solver=str(getattr(classifier, "solver_", "own")),
            test_average_precision=found.average_precision,
            test_brier=found.brier,
            test_recall_at_precision=found.recall_at_precision,
            precision=precision,
            threshold=model.threshold,
            confusion=asdict(confusion(said, is_positive)),
        )
    )


def _gap(classifier: Any) -> float:
    if hasattr(classifier, "gap_"):
        return float(classifier.gap_)
    return float(max((step.gap for step in classifier.history_), default=np.nan))


def _staged(classifier: Any, X: Any, is_positive: Any) -> list[float]:
    pairs = Pairs.from_labels(is_positive)
    if hasattr(classifier, "staged_decision_function"):
        return [float(auc(scores, pairs)) for scores in classifier.staged_decision_function(X)]
    return [float(auc(classifier.decision_function(X), pairs))]
