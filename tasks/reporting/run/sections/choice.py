"""How a model was chosen: C, scaling and number of prototypes, and what was left out."""

from __future__ import annotations

from collections.abc import Sequence

from smoothrank.plots import run_figures as plots
from smoothrank.plots.style import ON_PAGE, SCALE_NAMES
from smoothrank.selection.methods import AVERAGE, COLUMNS, method
from tasks.reporting.inline_svg import captioned
from tasks.reporting.pages import macros
from tasks.reporting.run.run_facts import Run
from tasks.reporting.tables import Cell, Head, number_cell, table
from tasks.results.fits import all_fits
from tasks.results.search import DroppedCandidate, SearchRecord
from tasks.tracking.retrain_run import mean_by_iteration


def content(run: Run) -> list[str]:
    """Return what the section shows."""
    search = run.chosen.search
    dropped = search.left_out if search else ()
    parameter = method(run.problem.method).parameter
    charts = [*_candidates(run, dropped), *_iterations(run)]
    return [
        *([_searched(search)] if search else []),
        *([macros.side_by_side(charts, "charts")] if charts else []),
        *([_left_out(dropped, parameter)] if dropped else []),
    ]


def _candidates(run: Run, dropped: Sequence[DroppedCandidate]) -> list[str]:
    """Draw validation AUC against the parameter, unless there is none."""
    chosen = run.chosen
    value, scale = chosen.value, chosen.scale
    parameter = method(run.problem.method).parameter
    if parameter == AVERAGE:
        return []
    figure = plots.validation_against_c(
        chosen.cv_auc,
        (value, scale),
        parameter,
        left_out={(one.value, one.scale) for one in dropped},
        size=ON_PAGE,
    )
    hollow = " Hollow: left out before, on fewer folds, so not comparable." if dropped else ""
    words = (
        f"Chosen, in the ring: {_named(parameter, value, scale)}, mean AUC "
        f"{chosen.cv_auc_mean:.4f} ± {chosen.cv_auc_std:.4f} over folds.{hollow}"
    )
    return [captioned(figure, "choice-chart", f"How {_what(parameter)} chosen", words)]


def _what(parameter: str) -> str:
    return "the number of columns was" if parameter == COLUMNS else f"{parameter} was"


def _named(parameter: str, value: float, scale: str | None) -> str:
    if parameter == COLUMNS:
        return f"{value:g} column{'' if value == 1 else 's'}"
    return f"{parameter} = {value:g}, {SCALE_NAMES[scale]}"


def _iterations(run: Run) -> list[str]:
    """Draw AUC by number of prototypes, unless there is only one."""
    chosen, evaluation = run.chosen, run.evaluation
    fits, limit = all_fits(run.trained)[chosen.value, chosen.scale], chosen.n_prototypes
    series = {
        "training rows": evaluation.train_auc_by_iteration,
        "validation, mean of folds": mean_by_iteration(fits),
        "test rows": evaluation.test_auc_by_iteration,
    }
    if max(map(len, series.values())) < 2:
        return []
    allowed = "" if limit is None else f"At most {limit} prototypes were allowed (dashed). "
    words = f"{allowed}The test rows were looked at only afterwards."
    title = "AUC by number of prototypes"
    return [captioned(plots.auc_by_part(series, limit), "iteration-chart", title, words)]


def _searched(search: SearchRecord) -> str:
    """Say what was tried."""
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
    return f"{tried}{rows}. {_capital(rounds)}. {chosen}.{budget}{early}"


def _left_out(candidates: Sequence[DroppedCandidate], parameter: str) -> str:
    """List the candidates that were dropped, in a collapsed section."""
    heads = [Head(parameter), Head("scaling", css=""), Head("last round"), Head("validation AUC")]
    heads += [Head("behind the best")]
    rows = [
        [
            number_cell(one.value, "g"),
            Cell(SCALE_NAMES[one.scale], one.scale or "none"),
            Cell(str(one.round or "not tried"), float(one.round), css="number"),
            *(number_cell(measure, ".4f") for measure in (one.cv_auc, one.behind)),
        ]
        for one in candidates
    ]
    listed = table("left-out", "Candidates that did not go on", heads, rows)
    html: str = macros.folded(f"{_many(len(rows), 'candidate')} that did not go on", listed)
    return html


def _many(count: int, name: str) -> str:
    return f"{count:,} {name}{'' if count == 1 else 's'}"


def _capital(text: str) -> str:
    return text[:1].upper() + text[1:]
