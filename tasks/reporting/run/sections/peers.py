"""Two plain models on the same rows, and who won."""

from __future__ import annotations

from tasks.assessment.peers import NAMES, verdict
from tasks.reporting.run.run_facts import Run
from tasks.reporting.run.verdict import sentence
from tasks.reporting.tables import Cell, Head, number_cell, shown_p, signed, table
from tasks.results.peers import Peer

HEADS = ("test AUC", "average precision", "Brier score (low is good)")
MEASURES = ("test_auc", "test_average_precision", "test_brier")


def content(run: Run) -> list[str]:
    """Return what the section shows; nothing without peers."""
    outcome = run.outcome
    if not outcome.peers:
        return []
    measures = {name: getattr(outcome, name) for name in MEASURES}
    own = Peer(name="", seconds=0.0, n_train=outcome.n_train, difference=0.0, p=1.0, **measures)
    found = sorted([own, *outcome.peers], key=lambda peer: -peer.test_auc)
    names = {"": f"this model, {outcome.n_prototypes} prototypes", **NAMES}
    others = ("this model minus it", "p", "seconds")
    count = outcome.peers[0].n_train
    sample = "" if count >= outcome.n_train else f", from {count:,.0f} of the training rows"
    return [
        sentence(verdict(outcome.test_auc, outcome.n_prototypes, outcome.peers)),
        table(
            "peer-table",
            "On the same test rows",
            [Head("model", css=""), *map(Head, (*HEADS, *others))],
            [_row(names[peer.name], peer) for peer in found],
            ["" if peer.name else "ours" for peer in found],
        ),
        f"Same split, same encoded features{sample}. Logistic regression on standardised "
        "features, C by cross-validation; gradient boosting with scikit-learn’s defaults. p: "
        "DeLong’s paired test of no difference in AUC.",
    ]


def _row(name: str, peer: Peer) -> list[Cell]:
    cells = [Cell(name, name), *(number_cell(getattr(peer, key), ".4f") for key in MEASURES)]
    if not peer.name:
        return [*cells, *[Cell("", css="number")] * 3]
    return [
        *cells,
        Cell(signed(peer.difference, 4), peer.difference, css="number"),
        Cell(shown_p(peer.p), peer.p, css="number"),
        number_cell(peer.seconds, ".1f"),
    ]
