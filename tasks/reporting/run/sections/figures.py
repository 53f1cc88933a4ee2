"""ROC, precision and recall, calibration, gain, and rows and prototypes on a plane."""

from __future__ import annotations

import numpy as np

from smoothrank.estimators.distance_score import distance_score
from smoothrank.plots.prototypes import on_a_plane
from smoothrank.tables.tabular_model import TabularModel
from tasks.problem.problem import Data
from tasks.reporting.pages import Section, parts
from tasks.reporting.run.charts import calibration_chart, plane_chart, unit_chart
from tasks.reporting.run.curves import calibration_bins, gain_points, precision_points, roc_points
from tasks.reporting.run.prototypes import weight_in_words
from tasks.reporting.run.run_facts import Run

MOST_DOTS = 500
MOST_STARS = 20


def section(run: Run) -> Section:
    """Return the section."""
    outcome, tested = run.outcome, run.tested
    found, share = tested.confusion, float(tested.is_positive.mean())
    false_rate = found.false_positives / max(found.rows - found.positives, 1)
    note = f"at a probability of {tested.threshold:.3g}"
    charts = [
        unit_chart(
            "roc",
            "ROC",
            f"AUC {outcome.test_auc:.3f} ({outcome.test_auc_low:.3f} to "
            f"{outcome.test_auc_high:.3f}). The dot: the model’s threshold.",
            ("share of negatives reported", "share of positives reported"),
            roc_points(tested.score, tested.is_positive),
            reference=[(0.0, 0.0), (1.0, 1.0)],
            mark=(false_rate, found.recall),
            mark_note=note,
        ),
        unit_chart(
            "precision-recall",
            "Precision and recall",
            f"Average precision {outcome.test_average_precision:.3f}; by chance {share:.3f}, "
            "the dashed line.",
            ("recall", "precision"),
            precision_points(tested.score, tested.is_positive),
            reference=[(0.0, share), (1.0, share)],
            mark=(found.recall, found.precision) if found.reported else None,
            mark_note=note,
        ),
        calibration_chart(
            calibration_bins(tested.probability, tested.is_positive),
            f"Brier score {outcome.test_brier:.4f}; {share * (1 - share):.4f} for always saying "
            f"{share:.3f}. On the dashed line probabilities are what they say; lines are 95 % "
            "intervals.",
        ),
        unit_chart(
            "gain",
            "Gain",
            "How many of the positives are among the rows of highest score; dashed: by chance.",
            ("share of the rows, from the highest score on", "share of the positives"),
            gain_points(tested.score, tested.is_positive),
            reference=[(0.0, 0.0), (1.0, 1.0)],
            mark=(found.reported / found.rows, found.recall),
            mark_note=note,
        ),
        _plane(run.model, run.data),
    ]
    shown = parts.side_by_side(charts, "charts")
    return Section("figures", "Figures", "Figures", [shown])


def _plane(model: TabularModel, data: Data) -> str:
    score = distance_score(model.classifier)
    rows, is_positive = data.X[data.train], data.y[data.train] == 1
    scaled = rows if score.scaler is None else score.scaler.transform(rows)
    heaviest = np.argsort(-np.abs(score.weights), kind="stable")[:MOST_STARS]
    points, stars, shares = on_a_plane(scaled, score.prototypes[heaviest])
    low, high = np.quantile(points, [0.005, 0.995], axis=0)
    stars = np.clip(stars, low, high)
    rng = np.random.default_rng(0)
    kept = np.sort(rng.permutation(len(points))[:MOST_DOTS])
    inside = kept[np.all((points[kept] >= low) & (points[kept] <= high), axis=1)]
    dots = [
        [(float(a), float(b)) for a, b in points[inside[is_positive[inside] == flag]]]
        for flag in (False, True)
    ]
    labels = (model.negative, model.positive)
    marks = [
        (float(a), float(b), weight < 0, f"prototype {n}: {weight_in_words(weight, labels)}")
        for n, ((a, b), weight) in enumerate(zip(stars, score.weights[heaviest], strict=True), 1)
    ]
    words = (
        f"Training rows on their two main directions, {shares.sum():.0%} of the variance. Blue: "
        "positive rows, and prototypes (diamonds) near which rows are positive; grey: negative "
        "rows; red: prototypes near which rows are negative. Outliers are left out."
    )
    return plane_chart(dots[0], dots[1], marks, words)
