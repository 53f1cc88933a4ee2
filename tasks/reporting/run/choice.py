"""How a model was chosen: C, scaling and number of prototypes, and what was left out."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from html import escape

from smoothrank.selection.choice import Candidate
from smoothrank.selection.fold_fit import FoldFit
from tasks.reporting.html_parts import Cell, Head, html_table, paragraph, section
from tasks.reporting.paper.charts import legend
from tasks.reporting.run.charts import SCALE_CSS, SCALE_NAMES, SHAPES, choice_chart, iteration_chart
from tasks.results.chosen import Chosen
from tasks.results.evaluation import Evaluation
from tasks.results.search import SearchRecord
from tasks.tracking.retrain_run import mean_by_iteration


def choice_section(
    chosen: Chosen, evaluation: Evaluation, fits: Mapping[Candidate, Sequence[FoldFit]]
) -> str:
    """How C, scaling and number of prototypes were chosen."""
    value, scale = chosen.candidate
    means = [(v, s, mean) for (v, s), mean in chosen.cv_auc.items()]
    scales = list(dict.fromkeys(s or "none" for _, s, _ in means))
    series = {
        "training": evaluation.train_auc_by_iteration,
        "validation": mean_by_iteration(fits[value, scale]),
        "test": evaluation.test_auc_by_iteration,
    }
    names = legend(tuple((SCALE_CSS[s], SHAPES[s], SCALE_NAMES[s]) for s in scales))
    parts = legend(
        (
            ("m-ranking-svm", "square", "training rows"),
            ("m-smooth", "circle", "validation, mean of folds"),
            ("m-l1", "diamond", "test rows"),
        )
    )
    search = chosen.search
    left_out = {(one.value, one.scale) for one in search.left_out} if search else set()
    hollow = " Hollow: left out before, on fewer folds, so not comparable." if left_out else ""
    charts = choice_chart(
        means,
        (value, scale),
        f"Chosen, in the ring: C = {value:g}, {SCALE_NAMES[scale or 'none']}, mean AUC "
        f"{chosen.cv_auc_mean:.4f} ± {chosen.cv_auc_std:.4f} over folds.{hollow}",
        left_out,
    )
    limit = chosen.n_prototypes
    if max(map(len, series.values())) > 1:
        allowed = "" if limit is None else f"At most {limit} prototypes were allowed (dashed). "
        words = f"{allowed}The test rows were looked at only afterwards."
        charts += iteration_chart(series, limit, words)
    else:
        parts = ""
    return section(
        "choice",
        "How it was chosen",
        *_searched(search),
        f'<div class="charts">{charts}</div>',
        names,
        parts,
        _left_out(search),
    )


def _searched(search: SearchRecord | None) -> list[str]:
    """Say what was tried, as far as a search tells."""
    if search is None:
        return []
    tried = (
        f"{search.n_fits:,} fits were made in {search.seconds:.0f} seconds, of "
        f"{search.n_fits_of_all:,} that all candidates on all folds would be"
    )
    rows = ""
    if search.n_rows < search.n_train:
        rows = f", on a sample of {search.n_rows:,} of the {search.n_train:,} training rows"
    rounds = "; ".join(
        f"round {number}: {_many(found.n_candidates, 'candidate')} on "
        f"{_many(found.n_folds, 'fold')}"
        for number, found in enumerate(search.rounds, 1)
    )
    budget = "" if search.budget is None else f" The budget was {search.budget:g} seconds."
    early = " It ended before the search did." if search.ended_early else ""
    chosen = (
        f"The choice was made among {_many(search.n_finalists, 'candidate')} on "
        f"{_many(search.n_folds, 'fold')}"
    )
    return [paragraph(f"{tried}{rows}. {_capital(rounds)}. {chosen}.{budget}{early}")]


def _left_out(search: SearchRecord | None) -> str:
    """List the candidates that did not go on, folded."""
    if search is None or not search.left_out:
        return ""
    heads = [Head("C"), Head("scaling", css=""), Head("last round"), Head("validation AUC")]
    heads += [Head("behind the best")]
    rows = [
        [
            Cell(f"{one.value:g}", one.value, css="number"),
            Cell(SCALE_NAMES[one.scale or "none"], one.scale or "none"),
            Cell(str(one.round or "not tried"), float(one.round), css="number"),
            _number(one.cv_auc),
            _number(one.behind),
        ]
        for one in search.left_out
    ]
    table = html_table("left-out", "Candidates that did not go on", heads, rows)
    summary = escape(f"{_many(len(rows), 'candidate')} that did not go on")
    return f"<details><summary>{summary}</summary>{table}</details>"


def _number(value: float | None) -> Cell:
    return Cell("–" if value is None else f"{value:.4f}", value, css="number")


def _many(count: int, name: str) -> str:
    return f"{count:,} {name}{'' if count == 1 else 's'}"


def _capital(text: str) -> str:
    return text[:1].upper() + text[1:]
