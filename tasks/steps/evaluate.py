"""Score the model on the held-out rows."""

from __future__ import annotations

import math

from smoothrank.arrays import Flags, Matrix
from smoothrank.evaluation.delong import auc_interval
from smoothrank.losses.pairwise_hinge import Pairs, auc
from smoothrank.persistence.model_file import load_tabular_model
from smoothrank.selection.fold_fit import Fitted, fitted
from tasks.assessment.measures import measures
from tasks.assessment.thresholds import confusion
from tasks.problem.problem import Problem, load_data
from tasks.results.evaluation import Evaluation

LEVEL = 0.95


def evaluate(problem: Problem, model_folder: str) -> Evaluation:
    """Score the test part."""
    data = load_data(problem)
    model = load_tabular_model(model_folder)
    classifier = model.classifier
    is_positive = data.y[data.test] == 1
    scored = model.scored(data.raw_test)
    interval = auc_interval(scored["score"].to_numpy(), is_positive, LEVEL)
    precision = problem.evaluation.precision
    found = measures(scored["probability"].to_numpy(), is_positive, precision)
    said = scored["class"].to_numpy() == model.positive
    fit = fitted(classifier)
    return Evaluation(
        test_auc=interval.auc,
        test_auc_low=interval.low,
        test_auc_high=interval.high,
        n_prototypes=fit.n_used,
        features_used_pct=100.0 * fit.n_used / len(data.train),
        gap=fit.gap,
        kkt_residual=float(getattr(classifier, "kkt_residual_", math.nan)),
        train_auc_by_iteration=_staged(fit, data.X[data.train], data.y[data.train] == 1),
        test_auc_by_iteration=_staged(fit, data.X[data.test], is_positive),
        solver=str(getattr(classifier, "solver_", "own")),
        test_average_precision=found.average_precision,
        test_brier=found.brier,
        test_recall_at_precision=found.recall_at_precision,
        precision=precision,
        threshold=model.threshold,
        confusion=confusion(said, is_positive),
    )


def _staged(found: Fitted, X: Matrix, is_positive: Flags) -> tuple[float, ...]:
    pairs = Pairs.from_labels(is_positive)
    return tuple(float(auc(scores, pairs)) for scores in found.stages(X))
