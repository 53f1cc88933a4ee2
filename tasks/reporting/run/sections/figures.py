"""ROC, precision and recall, calibration, gain, and rows and prototypes on a plane."""

from __future__ import annotations

from smoothrank.plots import run_figures as plots
from smoothrank.plots.style import ON_PAGE
from tasks.reporting.inline_svg import captioned
from tasks.reporting.pages import macros
from tasks.reporting.run.curves import calibration_bins, gain_points, precision_points, roc_points
from tasks.reporting.run.run_facts import Run

MOST_DOTS = 250
DIAGONAL = [(0.0, 0.0), (1.0, 1.0)]


def content(run: Run) -> list[str]:
    """Return what the section shows."""
    figures = [_roc(run), _precision(run), _calibration(run), _gain(run)]
    if run.model.has_prototypes:
        figures.append(_plane(run))
    return [macros.side_by_side(figures, "charts")]


def _roc(run: Run) -> str:
    outcome, found = run.outcome, run.tested.confusion
    figure = plots.unit_curve(
        roc_points(run.tested.score, run.tested.is_positive),
        ("share of negatives reported", "share of positives reported"),
        DIAGONAL,
        (found.false_positives / max(found.rows - found.positives, 1), found.recall),
        _threshold(run),
    )
    words = (
        f"AUC {outcome.test_auc:.3f} ({outcome.test_auc_low:.3f} to "
        f"{outcome.test_auc_high:.3f}). The dot: the model’s threshold."
    )
    return captioned(figure, "roc", "ROC", words)


def _precision(run: Run) -> str:
    found, share = run.tested.confusion, float(run.tested.is_positive.mean())
    figure = plots.unit_curve(
        precision_points(run.tested.score, run.tested.is_positive),
        ("recall", "precision"),
        [(0.0, share), (1.0, share)],
        (found.recall, found.precision) if found.reported else None,
        _threshold(run),
    )
    words = (
        f"Average precision {run.outcome.test_average_precision:.3f}; by chance {share:.3f}, "
        "the dashed line."
    )
    return captioned(figure, "precision-recall", "Precision and recall", words)


def _calibration(run: Run) -> str:
    share = float(run.tested.is_positive.mean())
    bins = calibration_bins(run.tested.probability, run.tested.is_positive)
    figure = plots.calibration(
        [
            (b.said, b.seen, b.low, b.high, f"{b.rows} rows: said {b.said:.3f}, seen {b.seen:.3f}")
            for b in bins
        ]
    )
    words = (
        f"Brier score {run.outcome.test_brier:.4f}; {share * (1 - share):.4f} for always saying "
        f"{share:.3f}. On the dashed line probabilities are what they say; lines are 95 % "
        "intervals."
    )
    return captioned(figure, "calibration", "Calibration", words)


def _gain(run: Run) -> str:
    found = run.tested.confusion
    figure = plots.unit_curve(
        gain_points(run.tested.score, run.tested.is_positive),
        ("share of the rows, from the highest score on", "share of the positives"),
        DIAGONAL,
        (found.reported / found.rows, found.recall),
        _threshold(run),
    )
    words = "How many of the positives are among the rows of highest score; dashed: by chance."
    return captioned(figure, "gain", "Gain", words)


def _plane(run: Run) -> str:
    data = run.data
    figure = plots.projection(
        run.model,
        data.dataset.X.iloc[data.train],
        data.y[data.train] == 1,
        size=(ON_PAGE[0], ON_PAGE[1] + 0.7),
        most_rows=MOST_DOTS,
    )
    words = (
        "Training rows on their two main directions; a star is a prototype, the larger the "
        "heavier. Outliers are left out."
    )
    return captioned(figure, "plane", "Rows and prototypes", words)


def _threshold(run: Run) -> str:
    return f"at a probability of {run.tested.threshold:.3g}"
