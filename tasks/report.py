"""The report of a run: one HTML file that needs no other."""

from __future__ import annotations

import base64
from collections.abc import Mapping
from html import escape

from smoothrank.datasets.fetch import write_whole
from smoothrank.tabular import TabularModel
from tasks.home import state_folder
from tasks.outcome import RetrainOutcome

_MOST_PROTOTYPES = 20
_STYLE = """
body { font: 16px/1.5 system-ui, sans-serif; max-width: 60rem; margin: 2rem auto; padding: 0 1rem }
table { border-collapse: collapse; font-variant-numeric: tabular-nums }
td, th { text-align: left; padding: .2rem 1rem .2rem 0; border-bottom: 1px solid #ddd }
img { max-width: 100%; display: block; margin: 1rem 0 }
div.wide { overflow-x: auto }
"""


def report(outcome: RetrainOutcome, model_folder: str, figures: Mapping[str, bytes]) -> str:
    """Write the report of a run with its figures, and give its path."""
    path = state_folder("reports") / f"{outcome.dataset}-{outcome.method}.html"
    write_whole(path, _page(outcome, model_folder, figures).encode())
    return str(path)


def _page(outcome: RetrainOutcome, model_folder: str, figures: Mapping[str, bytes]) -> str:
    title = f"{escape(outcome.dataset)}, {escape(outcome.method)}"
    table = TabularModel.load(model_folder).prototype_table()
    shown = table.head(_MOST_PROTOTYPES).to_html(border=0, float_format=_short)
    more = len(table) - _MOST_PROTOTYPES
    rest = f"<p>The {_MOST_PROTOTYPES} heaviest of {len(table)}.</p>" if more > 0 else ""
    return (
        '<!doctype html>\n<html lang="en"><meta charset="utf-8">'
        f"<title>{title}</title><style>{_STYLE}</style>\n<h1>{title}</h1>\n"
        f"<table>{''.join(_row(*row) for row in summary(outcome))}</table>\n"
        f'<h2>Prototypes</h2>\n<div class="wide">{shown}</div>{rest}\n'
        f"{''.join(_image(*figure) for figure in sorted(figures.items()))}</html>\n"
    )


def summary(outcome: RetrainOutcome) -> list[tuple[str, str]]:
    """The short table of a run."""
    state = "champion" if outcome.promoted else "challenger"
    return [
        ("data", f"{outcome.dataset}: {outcome.n_train} rows to train, {outcome.n_test} to test"),
        ("method", f"{outcome.method}, {outcome.selection} selection"),
        ("chosen", f"C = {outcome.C:g}, {outcome.scale or 'no'} scaling"),
        ("CV AUC", f"{outcome.cv_auc_mean:.4f} ± {outcome.cv_auc_std:.4f}"),
        (
            "test AUC",
            f"{outcome.test_auc:.4f} (95 % interval {outcome.test_auc_low:.4f} to "
            f"{outcome.test_auc_high:.4f})",
        ),
        ("prototypes", f"{outcome.n_prototypes}"),
        ("seconds", f"{outcome.seconds:.1f}"),
        ("model", f"{outcome.model_name} version {outcome.model_version}, {state}"),
        ("because", outcome.reason),
    ]


def _short(value: float) -> str:
    """Write four digits, and nothing of what is only rounding error."""
    return f"{round(value, 12) + 0.0:.4g}"


def _row(name: str, value: str) -> str:
    return f"<tr><th>{escape(name)}</th><td>{escape(value)}</td></tr>"


def _image(name: str, content: bytes) -> str:
    data = base64.b64encode(content).decode()
    return f'<img alt="{escape(name)}" src="data:image/png;base64,{data}">\n'
