"""The report: one page, `index.html`, and its tables as CSV and Markdown.

Nothing in it depends on the clock or the machine: the same results give the same bytes.
"""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

from tasks.benchmark.figure import read_figure
from tasks.benchmark.results import Results, read_results, read_table
from tasks.reporting.pages import macros, render_page
from tasks.reporting.paper.dvc_metrics import METRICS_FILE, PLOTS_FOLDER, write_metrics, write_plots
from tasks.reporting.paper.files import write_tables
from tasks.reporting.paper.sections import SECTIONS
from tasks.reporting.paper.tables import Comparison

TITLE = "The paper’s tables, and ours"
PAPER = "Smooth Ranking SVM via Cutting-Plane Method"
N_DATASETS, N_METHODS = 73, 5


@dataclass(frozen=True)
class Report:
    """What was written.

    Parameters
    ----------
    page : Path
        The page.
    tables : tuple of Path
        The tables.
    results : Results
        What they show.
    has_figure : bool
        Whether Figure 1 was there to be shown.
    """

    page: Path
    tables: tuple[Path, ...]
    results: Results
    has_figure: bool


def write_report(results_file: Path, folder: Path, figure_folder: Path | None = None) -> Report:
    """Read the results and Figure 1, and write the page and the tables.

    Parameters
    ----------
    results_file : Path
        The benchmark's CSV, or a folder of such files, which are then put together in
        `benchmark.csv`.
    folder : Path
        The output folder, for `index.html`, `tables/`, `metrics.json`, `plots/`.
    figure_folder : Path, optional
        Where `figure1.csv` and `figure1_points.csv` are; `folder` unless given.
    """
    results = read_results(results_file)
    drawing = read_figure(figure_folder or folder)
    comparison = Comparison(results, drawing)
    folder.mkdir(parents=True, exist_ok=True)
    if results_file.is_dir():
        together = read_table(results_file).to_csv(index=False, lineterminator="\n")
        (folder / "benchmark.csv").write_text(together, encoding="utf-8")
    tables = write_tables(comparison, folder / "tables")
    write_metrics(comparison, folder / METRICS_FILE)
    write_plots(comparison, folder / PLOTS_FOLDER)
    page = folder / "index.html"
    page.write_text(paper_page(comparison), encoding="utf-8")
    return Report(page, tuple(tables), results, drawing is not None)


def paper_page(comparison: Comparison) -> str:
    """Return the whole page as HTML."""
    results = comparison.results
    return render_page(
        TITLE,
        [_lead(results)],
        SECTIONS,
        comparison,
        skip="Skip to the results",
        notes=_notes(results),
    )


def _lead(results: Results) -> str:
    runs, wanted = len(results.table), N_DATASETS * N_METHODS
    if runs == wanted:
        done = f"all {N_DATASETS} data sets with all {N_METHODS} methods."
    else:
        done = (
            f"so far {runs} of {wanted} results, {len(results.datasets)} of {N_DATASETS} data sets "
            f"and {len(results.methods)} of {N_METHODS} methods. {len(results.complete)} data sets "
            "have a result of every method that was run; what compares methods uses only those."
        )
    html: str = macros.paper_lead(PAPER, done)
    return html


def _notes(results: Results) -> list[str]:
    notes = []
    if results.without_result:
        notes.append(f"{results.without_result} lines of the results have no AUC.")
    if results.left_out:
        notes.append(f"Not in the paper and left out: {', '.join(results.left_out)}.")
    return notes
