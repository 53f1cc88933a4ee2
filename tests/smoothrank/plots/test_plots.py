"""The figures show what they are given, and can be read at any size."""

import io
from itertools import pairwise
from typing import Any

import numpy as np
import pandas as pd
import pytest
from matplotlib.backends.backend_agg import FigureCanvasAgg
from matplotlib.colors import to_hex
from matplotlib.image import imread
from sklearn.metrics import roc_curve

from smoothrank import L1Ranking, RankingCGPrototype, TabularModel
from smoothrank.columns import family
from smoothrank.columns.feature_scaling import StandardScaler
from smoothrank.columns.weighted import WeightedColumns
from smoothrank.evaluation.delong import AucInterval, auc_interval
from smoothrank.plots.run_figures import (
    auc_by_iteration,
    auc_by_part,
    calibration,
    parallel_coordinates,
    projection,
    roc,
    unit_curve,
    validation_against_c,
)
from smoothrank.plots.style import POSITIVE, REPELS
from smoothrank.tables.one_hot import Encoder


def picture(figure):
    file = io.BytesIO()
    figure.savefig(file, format="png")
    file.seek(0)
    return imread(file, format="png")


def texts(figure):
    axes = figure.axes[0]
    legends = [legend for legend in (axes.get_legend(), *figure.legends) if legend]
    found = [text.get_text() for legend in legends for text in legend.get_texts()]
    return found + [text.get_text() for text in axes.texts]


def line_of(figure, label):
    return next(line for line in figure.axes[0].lines if str(line.get_label()).startswith(label))


def table_model(n_features, n_prototypes, seed=0):
    """A model with random prototypes, as large as one likes, without a fit."""
    rng = np.random.default_rng(seed)
    X = rng.standard_normal((120, n_features)) * np.logspace(-3, 5, n_features)
    names = [f"measurement {number} of many" for number in range(n_features)]
    frame = pd.DataFrame(X, columns=names)
    scaler = StandardScaler.fit(X, np.ones(len(X)))
    classifier = RankingCGPrototype(scale="standard")
    weights = rng.standard_normal(n_prototypes)
    scaled = rng.standard_normal((n_prototypes, n_features)) * 1.5
    ones = np.ones(n_prototypes)
    classifier.model_ = WeightedColumns(family("distance"), scaled, ones, ones, weights, scaler)
    classifier.prototypes_ = scaler.inverse_transform(scaled)
    classifier.weights_ = weights
    model = TabularModel(Encoder().fit(frame), classifier, "y", "0", "1")
    return model, frame, rng.random(120) < 0.3


@pytest.fixture(scope="module")
def scored():
    rng = np.random.default_rng(0)
    is_positive = rng.random(80) < 0.3
    return rng.standard_normal(80) + is_positive - 0.5, is_positive


def test_roc_is_the_curve_with_its_auc(scored):
    scores, is_positive = scored
    figure = roc(scores, is_positive, title="glass0")
    curves = [np.column_stack(line.get_data()) for line in figure.axes[0].lines]
    expected = np.column_stack(roc_curve(is_positive, scores, drop_intermediate=False)[:2])
    assert any(np.array_equal(curve, expected) for curve in curves)
    found = auc_interval(scores, is_positive)
    said = " ".join(texts(figure))
    assert f"AUC {found.auc:.3f}  ({found.low:.3f} to {found.high:.3f})" in said
    assert f"{is_positive.sum()} positives" in said
    assert figure.axes[0].get_title(loc="left") == "glass0"


def test_roc_marks_the_decision(scored):
    scores, is_positive = scored
    figure = roc(scores, is_positive)
    ((across, up),) = np.asarray(figure.axes[0].collections[-1].get_offsets())
    assert across == pytest.approx(np.mean(scores[~is_positive] > 0))
    assert up == pytest.approx(np.mean(scores[is_positive] > 0))


def test_roc_takes_an_interval_that_is_known(scored):
    scores, is_positive = scored
    figure = roc(scores, is_positive, AucInterval(0.5, 0.4, 0.6))
    assert "AUC 0.500  (0.400 to 0.600)" in " ".join(texts(figure))


def test_iterations_are_averaged_with_the_last_auc_of_short_folds():
    figure = auc_by_iteration([[0.5, 0.7, 0.9], [0.6, 0.8]], chosen=2)
    numbers, mean = line_of(figure, "mean").get_data()
    assert list(numbers) == [1, 2, 3]
    assert list(mean) == pytest.approx([0.55, 0.75, 0.85])
    assert "chosen: at most 2 (0.750)" in texts(figure)
    assert all(tick == round(tick) for tick in figure.axes[0].get_xticks())


@pytest.mark.parametrize("aucs", [[[0.8]], [[0.8], [0.9]], [list(np.linspace(0.5, 0.9, 100))]])
def test_any_number_of_iterations_can_be_drawn(aucs):
    assert picture(auc_by_iteration(aucs)).std() > 0.01
    assert picture(auc_by_iteration(aucs, chosen=1)).std() > 0.01


def test_validation_has_a_line_for_each_scaling():
    values = {(1e-3, None): 0.7, (1e-1, None): 0.8, (1e-3, "standard"): 0.9}
    figure = validation_against_c(values, (1e-3, "standard"), parameter="alpha")
    assert figure.axes[0].get_xscale() == "log"
    across, up = line_of(figure, "raw").get_data()
    assert (list(across), list(up)) == ([1e-3, 1e-1], [0.7, 0.8])
    assert "chosen: alpha = 0.001 (0.900)" in texts(figure)
    assert "standardised" in texts(figure)
    assert "by quantiles" not in texts(figure)
    assert "alpha" in figure.axes[0].get_xlabel()


def test_every_number_of_columns_has_a_tick():
    sizes = (1.0, 2.0, 5.0, 20.0)
    counts: dict[Any, float] = {(size, None): 0.7 for size in sizes}
    axes = validation_against_c(counts, (2.0, None), "columns").axes[0]
    assert tuple(axes.get_xticks()) == sizes
    assert axes.get_xlabel() == "columns (logarithmic)"
    others: dict[Any, float] = {(value, None): 0.7 for value in (0.1, 1.0, 10.0)}
    assert 100.0 in validation_against_c(others).axes[0].get_xticks()


def test_candidates_that_were_left_out_are_hollow():
    values: dict[Any, float] = {(1e-6, None): 0.7, (1e-3, None): 0.8, (1.0, None): 0.75}
    figure = validation_against_c(values, (1e-3, None), left_out={(1.0, None)})
    hollow = [line for line in figure.axes[0].lines if line.get_markerfacecolor() == "white"]
    assert [line.get_xdata() for line in hollow] == [[1.0]]
    assert line_of(figure, "mean of folds").get_gid().splitlines()[1] == "C = 1e-06: 0.7000"
    both = validation_against_c(values | {(1.0, "standard"): 0.8})
    assert line_of(both, "raw").get_gid().splitlines()[1] == "C = 1e-06, raw features: 0.7000"


def test_curves_of_a_page():
    points = [(0.0, 0.0), (0.2, 0.9), (1.0, 1.0)]
    figure = unit_curve(points, ("across", "up"), [(0.0, 0.0), (1.0, 1.0)], (0.2, 0.9), "here")
    reference, curve, mark = figure.axes[0].lines
    assert np.column_stack(curve.get_data()).tolist() == [list(point) for point in points]
    assert reference.get_linestyle() == "--"
    assert (mark.get_gid(), mark.get_xdata()) == ("notes\nhere", [0.2])
    assert len(unit_curve(points, ("across", "up"), points).axes[0].lines) == 2
    figure = calibration([(0.1, 0.2, 0.1, 0.4, "10 rows"), (0.8, 0.7, 0.5, 0.9, "20 rows")])
    assert figure.axes[0].lines[1].get_gid() == "notes\n10 rows\n20 rows"


@pytest.mark.parametrize(("limit", "lines"), [(None, 3), (2, 4), (9, 3)])
def test_parts_have_a_line_each_and_the_limit_too_if_it_was_reached(limit, lines):
    series = {"training": [0.8, 0.9], "validation": [0.7, 0.8, 0.85], "test": [0.75]}
    figure = auc_by_part(series, limit)
    assert len(figure.axes[0].lines) == lines
    assert texts(figure) == list(series)
    assert picture(figure).std() > 0.01


SIZES = [(1, 1), (3, 1), (3, 4), (9, 30), (14, 5), (15, 5), (34, 8), (60, 30)]


@pytest.mark.parametrize(("n_features", "n_prototypes"), SIZES)
def test_prototypes_are_lines_that_can_be_told_apart_by_name(n_features, n_prototypes):
    model, frame, is_positive = table_model(n_features, n_prototypes)
    figure = parallel_coordinates(model, frame, is_positive)
    assert picture(figure).std() > 0.01
    lines = [line for line in figure.axes[0].lines if line.get_marker() == "o"]
    assert len(lines) == n_prototypes
    assert all(np.size(line.get_xdata()) == n_features for line in lines)
    colours = sorted(to_hex(line.get_color()) for line in lines)
    expected = np.where(model.classifier.weights_ < 0, POSITIVE, REPELS)
    assert colours == sorted(expected)
    assert_no_overlap(figure)


def assert_no_overlap(figure):
    """No name of a feature runs into the next, out of the picture, or into the legend."""
    canvas = FigureCanvasAgg(figure)
    canvas.draw()
    renderer = canvas.get_renderer()
    boxes = [label.get_window_extent(renderer) for label in figure.axes[0].get_xticklabels()]
    rotated = figure.axes[0].get_xticklabels()[0].get_rotation() not in (0.0, 90.0)
    if not rotated:
        assert all(a.x1 <= b.x0 + 1 for a, b in pairwise(boxes))
    legend = figure.legends[0].get_window_extent(renderer)
    assert all(box.y0 >= legend.y1 - 1 and box.x0 >= -1 for box in boxes)
    assert legend.x0 >= 0
    assert legend.x1 <= figure.bbox.x1


def test_a_line_is_the_prototype_between_the_rows_least_and_greatest():
    model, frame, is_positive = table_model(4, 1)
    figure = parallel_coordinates(model, frame, is_positive)
    (line,) = [line for line in figure.axes[0].lines if line.get_marker() == "o"]
    low, high = frame.min().to_numpy(), frame.max().to_numpy()
    share = (model.classifier.prototypes_[0] - low) / (high - low)
    assert line.get_ydata() == pytest.approx(np.clip(share, -0.12, 1.12))
    assert f"{low[0]:.3g}" in texts(figure)
    assert f"{high[3]:.3g}" in texts(figure)


@pytest.mark.parametrize(("n_features", "n_prototypes"), SIZES)
def test_projection_has_every_row_and_prototype_in_view(n_features, n_prototypes):
    model, frame, is_positive = table_model(n_features, n_prototypes)
    figure = projection(model, frame, is_positive)
    assert picture(figure).std() > 0.01
    axes = figure.axes[0]
    sets: dict[str, Any] = {str(part.get_label()): part.get_offsets() for part in axes.collections}
    assert len(sets[f"negative rows ({(~is_positive).sum()})"]) == (~is_positive).sum()
    assert len(sets[f"positive rows ({is_positive.sum()})"]) == is_positive.sum()
    stars = np.vstack([points for name, points in sets.items() if name.startswith("prototype")])
    assert len(stars) == n_prototypes
    (left, right), (bottom, top) = axes.get_xlim(), axes.get_ylim()
    assert np.all((stars[:, 0] > left) & (stars[:, 0] < right))
    assert np.all((stars[:, 1] > bottom) & (stars[:, 1] < top))


def test_projection_keeps_distances_of_two_features():
    model, frame, is_positive = table_model(2, 3)
    figure = projection(model, frame, is_positive)
    rows = np.vstack([part.get_offsets() for part in figure.axes[0].collections[:2]])
    X = frame.to_numpy()
    scaled = (X - X.mean(axis=0)) / X.std(axis=0)
    scaled = np.vstack([scaled[~is_positive], scaled[is_positive]])
    assert np.linalg.norm(rows, axis=1) == pytest.approx(np.linalg.norm(scaled, axis=1))
    axes = figure.axes[0]
    shares = [
        int(text.split("(")[1].split("%")[0]) for text in (axes.get_xlabel(), axes.get_ylabel())
    ]
    assert sum(shares) == pytest.approx(100, abs=1)


def test_of_many_training_rows_the_heaviest_are_drawn():
    rng = np.random.default_rng(0)
    frame = pd.DataFrame(rng.standard_normal((90, 3)), columns=list("abc"))
    y = np.where(rng.random(90) < 0.4, 1, -1)
    encoder = Encoder().fit(frame)
    model = TabularModel(encoder, L1Ranking(0.01).fit(frame.to_numpy(), y), "y", "0", "1")
    total = len(model.prototype_table())
    assert total > 30
    for figure in (parallel_coordinates(model, frame, y == 1), projection(model, frame, y == 1)):
        assert any(f"(heaviest 30 of {total})" in text for text in texts(figure))


def test_a_constant_feature_can_be_drawn():
    model, frame, is_positive = table_model(3, 2)
    constant = frame.assign(**{frame.columns[1]: 5.0})
    figure = parallel_coordinates(model, constant, is_positive)
    assert all(np.isfinite(np.asarray(line.get_ydata())).all() for line in figure.axes[0].lines)
    assert np.isfinite(picture(figure)).all()
    assert np.isfinite(picture(projection(model, constant, is_positive))).all()
