"""How a model was chosen: C, scaling and number of prototypes, and what was left out."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from tasks.reporting.pages import Section, parts
from tasks.reporting.paper.charts import legend
from tasks.reporting.run.charts import SCALE_CSS, SCALE_NAMES, SHAPES, choice_chart, iteration_chart
from tasks.reporting.run.run_facts import Run
from tasks.reporting.tables import Cell, Head, number_cell, table
from tasks.results.fits import all_fits
from tasks.tracking.retrain_run import mean_by_iteration

Facts = dict[str, Any]


def section(run: Run) -> Section:
    """Return the section."""
    chosen, evaluation, fits = run.chosen, run.evaluation, all_fits(run.trained)
    value, scale = chosen["value"], chosen["scale"]
    means = [(float(v), s, float(mean)) for v, s, mean in chosen["cv_auc"]]
    scales = list(dict.fromkeys(s or "none" for _, s, _ in means))
    series = {
        "training": evaluation["train_auc_by_iteration"],
        "validation": mean_by_iteration(fits[value, scale]),
        "test": evaluation["test_auc_by_iteration"],
    }
    names = legend(tuple((SCALE_CSS[s], SHAPES[s], SCALE_NAMES[s]) for s in scales))
    phases = legend(
        (
            ("m-ranking-svm", "square", "training rows"),
            ("m-smooth", "circle", "validation, mean of folds"),
            ("m-l1", "diamond", "test rows"),
        )
    )
    search = chosen.get("search")
    left_out = {(one["value"], one["scale"]) for one in search["left_out"]} if search else set()
    hollow = " Hollow: left out before, on fewer folds, so not comparable." if left_out else ""
    charts = [
        choice_chart(
            means,
            (value, scale),
            f"Chosen, in the ring: C = {value:g}, {SCALE_NAMES[scale or 'none']}, mean AUC "
            f"{chosen['cv_auc_mean']:.4f} ± {chosen['cv_auc_std']:.4f} over folds.{hollow}",
            left_out,
        )
    ]
    limit = chosen["n_prototypes"]
    if max(map(len, series.values())) > 1:
        allowed = "" if limit is None else f"At most {limit} prototypes were allowed (dashed). "
        words = f"{allowed}The test rows were looked at only afterwards."
        charts.append(iteration_chart(series, limit, words))
    else:
        phases = ""
    shown = [
        *([] if search is None else [_searched(search)]),
        parts.side_by_side(charts, "charts"),
        parts.legend(names),
        parts.legend(phases),
        *([_left_out(search["left_out"])] if search and left_out else []),
    ]
    return Section("choice", "Choice", "How it was chosen", shown)


def _searched(search: Facts) -> str:
    """Say what was tried."""
    tried = (
        f"{search['n_fits']:,} fits were made in {search['seconds']:.0f} seconds, of "
        f"{search['n_fits_of_all']:,} that all candidates on all folds would be"
    )
    rows = ""
    if search["n_rows"] < search["n_train"]:
        rows = f", on a sample of {search['n_rows']:,} of the {search['n_train']:,} training rows"
    rounds = "; ".join(
        f"round {number}: {_many(found['n_candidates'], 'candidate')} on "
        f"{_many(found['n_folds'], 'fold')}"
        for number, found in enumerate(search["rounds"], 1)
    )
    budget = "" if search["budget"] is None else f" The budget was {search['budget']:g} seconds."
    early = " It ended before the search did." if search["ended_early"] else ""
    chosen = (
        f"The choice was made among {_many(search['n_finalists'], 'candidate')} on "
        f"{_many(search['n_folds'], 'fold')}"
    )
    return f"{tried}{rows}. {_capital(rounds)}. {chosen}.{budget}{early}"


def _left_out(candidates: Sequence[Facts]) -> str:
    """List the candidates that did not go on, folded."""
    heads = [Head("C"), Head("scaling", css=""), Head("last round"), Head("validation AUC")]
    heads += [Head("behind the best")]
    rows = [
        [
            number_cell(one["value"], "g"),
            Cell(SCALE_NAMES[one["scale"] or "none"], one["scale"] or "none"),
            Cell(str(one["round"] or "not tried"), float(one["round"]), css="number"),
            *(number_cell(one[name], ".4f") for name in ("cv_auc", "behind")),
        ]
        for one in candidates
    ]
    listed = table("left-out", "Candidates that did not go on", heads, rows)
    html: str = parts.folded(f"{_many(len(rows), 'candidate')} that did not go on", listed)
    return html


def _many(count: int, name: str) -> str:
    return f"{count:,} {name}{'' if count == 1 else 's'}"


def _capital(text: str) -> str:
    return text[:1].upper() + text[1:]
