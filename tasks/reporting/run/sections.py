"""The parts of a run's page: peers, threshold, figures, data and provenance."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from html import escape

import numpy as np

from smoothrank.estimators.score import score_of
from smoothrank.plots.prototypes import on_a_plane
from smoothrank.tables.tabular_model import TabularModel
from tasks.assessment.peers import NAMES, verdict
from tasks.assessment.thresholds import (
    Alternative,
    Flags,
    Vector,
    alternatives,
    confusion,
)
from tasks.problem.problem import Data
from tasks.reporting.html_parts import Cell, Head, html_table, paragraph, section
from tasks.reporting.run.charts import calibration_chart, plane_chart, unit_chart
from tasks.reporting.run.curves import calibration_bins, gain_points, precision_points, roc_points
from tasks.reporting.run.prototypes import weight_in_words
from tasks.reporting.run.verdict import sentence
from tasks.results.confusion import Confusion
from tasks.results.outcome import RetrainOutcome
from tasks.results.peers import Peer
from tasks.validation.result import ValidationResult

MOST_DOTS = 500
MOST_STARS = 20


@dataclass(frozen=True, eq=False)
class Tested:
    """The model on the test rows.

    Parameters
    ----------
    score, probability : numpy.ndarray
        What it gives each row.
    is_positive, is_reported : numpy.ndarray of bool
        What each row is, and what `predict` calls it.
    threshold : float
        The probability from which on a row is called positive.
    """

    score: Vector
    probability: Vector
    is_positive: Flags
    is_reported: Flags
    threshold: float

    @classmethod
    def of(cls, model: TabularModel, data: Data) -> Tested:
        """Score the test rows as `predict` does."""
        scored = model.scored(data.raw_test)
        return cls(
            score=scored["score"].to_numpy(),
            probability=scored["probability"].to_numpy(),
            is_positive=data.y[data.test] == 1,
            is_reported=scored["class"].to_numpy() == model.positive,
            threshold=model.threshold,
        )

    @property
    def confusion(self) -> Confusion:
        """Rows by what they are and what they are called."""
        return confusion(self.is_reported, self.is_positive)


def peers_section(outcome: RetrainOutcome) -> str:
    """Two plain models on the same rows, and who won."""
    own = Peer(
        name="",
        test_auc=outcome.test_auc,
        test_average_precision=outcome.test_average_precision,
        test_brier=outcome.test_brier,
        seconds=outcome.seconds,
        n_train=outcome.n_train,
        difference=0.0,
        p=1.0,
    )
    names = {"": f"this model, {outcome.n_prototypes} prototypes", **NAMES}
    found = sorted([own, *outcome.peers], key=lambda peer: -peer.test_auc)
    heads = [Head("model", css=""), Head("test AUC"), Head("average precision")]
    heads += [
        Head("Brier score (low is good)"),
        Head("this model minus it"),
        Head("p"),
        Head("seconds"),
    ]
    rows = [
        [
            Cell(names[peer.name], names[peer.name]),
            *(
                Cell(f"{measure:.4f}", measure, css="number")
                for measure in (peer.test_auc, peer.test_average_precision, peer.test_brier)
            ),
            *_against(peer),
        ]
        for peer in found
    ]
    marks = ["ours" if peer.name == "" else "" for peer in found]
    count = outcome.peers[0].n_train if outcome.peers else 0
    sample = "" if count >= outcome.n_train else f", from {count:,.0f} of the training rows"
    return section(
        "peers",
        "Against two plain peers",
        paragraph(sentence(verdict(outcome.test_auc, outcome.n_prototypes, outcome.peers))),
        html_table("peer-table", "On the same test rows", heads, rows, row_css=marks),
        paragraph(
            f"Same split, same encoded features{sample}. Logistic regression on standardised "
            "features, C by cross-validation; gradient boosting with scikit-learn’s defaults. p: "
            "DeLong’s paired test of no difference in AUC."
        ),
    )


def _against(peer: Peer) -> list[Cell]:
    if not peer.name:
        return [Cell("", css="number")] * 3
    difference = f"{peer.difference:+.4f}".replace("-", "−")
    p = "< 0.001" if peer.p < 0.001 else f"{peer.p:.3f}"
    return [
        Cell(difference, peer.difference, css="number"),
        Cell(p, peer.p, css="number"),
        Cell(f"{peer.seconds:.1f}", peer.seconds, css="number"),
    ]


def threshold_section(outcome: RetrainOutcome, tested: Tested) -> str:
    """What the model says at its threshold, and what it would say at others."""
    own = Alternative("as it is", "", tested.threshold, tested.confusion)
    others = alternatives(tested.score, tested.probability, tested.is_positive)
    heads = [Head("rule", css=""), Head("probability from"), Head("reported")]
    heads += [Head("right"), Head("precision"), Head("recall"), Head("lift"), Head("false alarms")]
    heads += [Head("missed"), Head("option of predict", css="")]
    rows = [_alternative(one) for one in (own, *others)]
    return section(
        "threshold",
        "Where to draw the line",
        _confusion_table(tested),
        html_table(
            "alternatives",
            f"Other thresholds, on the {len(tested.score):,} test rows",
            heads,
            rows,
            row_css=["ours", *[""] * len(others)],
        ),
        paragraph(
            "Precision: the share of what is reported that is right. Recall: the share of the "
            "positives that is reported. Lift: how many times as many positives there are among "
            "the reported as among all rows. At a precision of "
            f"{outcome.precision:g} the model finds {outcome.test_recall_at_precision:.0%} of the "
            "positives."
        ),
    )


def _alternative(one: Alternative) -> list[Cell]:
    found = one.confusion
    counts = (found.reported, found.true_positives)
    shares = ((found.precision, "{:.0%}"), (found.recall, "{:.0%}"), (found.lift, "{:.1f}"))
    errors = (found.false_positives, found.false_negatives)
    return [
        Cell(one.name, one.name),
        Cell(f"{one.threshold:.3g}", one.threshold, css="number"),
        *(Cell(f"{count:,}", float(count), css="number") for count in counts),
        *(
            Cell("–" if value != value else form.format(value), value, css="number")
            for value, form in shares
        ),
        *(Cell(f"{count:,}", float(count), css="number") for count in errors),
        Cell(one.option, one.option),
    ]


def _confusion_table(tested: Tested) -> str:
    found = tested.confusion
    lines = (
        ("positive rows", found.true_positives, "right", found.false_negatives, "wrong"),
        ("negative rows", found.false_positives, "wrong", found.true_negatives, "right"),
    )
    body = "".join(
        f'<tr><th scope="row">{name}</th><td class="{a}">{n:,}</td><td class="{b}">{m:,}</td></tr>'
        for name, n, a, m, b in lines
    )
    return (
        '<div class="scroll"><table class="confusion"><caption>At the model’s threshold, a '
        f"probability of {tested.threshold:.3g}</caption><thead><tr><td></td>"
        '<th scope="col">called positive</th><th scope="col">called negative</th></tr></thead>'
        f"<tbody>{body}</tbody></table></div>"
    )


def figures_section(
    outcome: RetrainOutcome, tested: Tested, model: TabularModel, data: Data
) -> str:
    """ROC, precision and recall, calibration, gain, and rows and prototypes on a plane."""
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
        _plane(model, data),
    ]
    return section("figures", "Figures", f'<div class="charts">{"".join(charts)}</div>')


def _plane(model: TabularModel, data: Data) -> str:
    score = score_of(model.classifier)
    rows, is_positive = data.X[data.train], data.y[data.train] == 1
    scaled = rows if score.scaler is None else score.scaler.transform(rows)
    heaviest = np.argsort(-np.abs(score.weights), kind="stable")[:MOST_STARS]
    points, stars, shares = on_a_plane(scaled, score.parameters[heaviest])
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


def data_section(outcome: RetrainOutcome, data: Data, validation: ValidationResult) -> str:
    """What was read, recognised and left out."""
    listed = "".join(f"<li>{escape(note)}</li>" for note in outcome.notes)
    rows, columns = data.dataset.X.shape
    return section(
        "data",
        "The data",
        paragraph(
            f"{rows:,} rows of {columns:,} columns became {data.X.shape[1]:,} features; "
            f"{len(data.train):,} rows to train and {len(data.test):,} to test. "
            f"{validation.expectations} expectations were checked."
        ),
        f"<ul>{listed}</ul>" if listed else "",
    )


def provenance_section(outcome: RetrainOutcome, provenance: Mapping[str, str]) -> str:
    """Where data and model come from."""
    facts = {
        "model": f"{outcome.model_name} version {outcome.model_version}",
        "method": f"{outcome.method}, {outcome.selection} selection",
        "MLflow run": outcome.mlflow_run_id,
        "seconds": f"{outcome.seconds:.1f}",
        "solver gap": f"{outcome.gap:.1e}",
        **provenance,
    }
    listed = "".join(f"<dt>{escape(k)}</dt><dd>{escape(v)}</dd>" for k, v in facts.items())
    return section("provenance", "Provenance", f"<dl>{listed}</dl>")
