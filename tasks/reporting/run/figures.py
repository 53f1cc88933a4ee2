"""The figures of a run, as PNG images."""

from __future__ import annotations

import io
from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

from smoothrank.evaluation.delong import AucInterval
from smoothrank.persistence.model_file import load_tabular_model
from smoothrank.selection.methods import AVERAGE, method
from tasks.problem.problem import Problem, load_data
from tasks.results.chosen import Chosen
from tasks.results.evaluation import Evaluation
from tasks.results.fits import Trained, all_fits

if TYPE_CHECKING:
    from matplotlib.figure import Figure

DOTS_PER_INCH = 100


def draw_choice(problem: Problem, trained: Sequence[Trained], chosen: Chosen) -> dict[str, bytes]:
    """Draw how the model was chosen; the names put all figures in the order a reader wants."""
    from smoothrank.plots import run_figures as plots

    folds, parameter = all_fits(trained)[chosen.candidate], method(problem.method).parameter
    drawn = {
        "3_auc_by_iteration": plots.auc_by_iteration(
            [fold.auc_by_iteration for fold in folds],
            chosen.n_prototypes,
            f"{problem.name}: validation AUC by number of prototypes",
        ),
    }
    if parameter != AVERAGE:
        drawn[f"2_validation_against_{parameter}"] = plots.validation_against_c(
            chosen.cv_auc, chosen.candidate, parameter, f"{problem.name}: choice of {parameter}"
        )
    return {name: _png(figure) for name, figure in drawn.items()}


def draw_model(problem: Problem, model_folder: str, evaluation: Evaluation) -> dict[str, bytes]:
    """Draw what the model is and how good."""
    from smoothrank.plots import run_figures as plots

    data, model = load_data(problem), load_tabular_model(model_folder)
    train, is_positive = data.dataset.X.iloc[data.train], data.y[data.train] == 1
    drawn = {
        "1_roc": plots.roc(
            model.decision_function(data.raw_test),
            data.y[data.test] == 1,
            AucInterval(evaluation.test_auc, evaluation.test_auc_low, evaluation.test_auc_high),
            f"{problem.name}: ROC on the held-out rows",
        ),
    }
    if model.has_prototypes:
        drawn["4_prototypes"] = plots.parallel_coordinates(
            model, train, is_positive, f"{problem.name}: prototypes"
        )
        drawn["5_projection"] = plots.projection(
            model, train, is_positive, f"{problem.name}: rows and prototypes"
        )
    return {name: _png(figure) for name, figure in drawn.items()}


def _png(figure: Figure) -> bytes:
    """Draw once and compress fast: `savefig` draws twice, a quarter of the time of a small run."""
    import numpy as np
    from matplotlib import rc_context
    from matplotlib.backends.backend_agg import FigureCanvasAgg
    from PIL import Image

    for axes in figure.axes:
        axes.minorticks_off()
    figure.set_dpi(DOTS_PER_INCH)
    canvas: Any = FigureCanvasAgg(figure)
    with rc_context({"text.hinting": "no_hinting", "text.hinting_factor": 1}):
        canvas.draw()
    buffer = io.BytesIO()
    Image.fromarray(np.asarray(canvas.buffer_rgba())).save(buffer, "png", compress_level=1)
    return buffer.getvalue()
