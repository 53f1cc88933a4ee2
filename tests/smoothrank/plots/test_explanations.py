"""The pictures of a small model show its columns and the parts of a score."""

from typing import Any

import numpy as np
import pandas as pd
import pytest
from matplotlib.colors import to_hex

from smoothrank import SmoothRanking
from smoothrank.columns.families.gaussian import Gaussian
from smoothrank.columns.weighted import WeightedColumns
from smoothrank.plots.explanations import importance_picture, model_picture, row_picture
from smoothrank.plots.prototype_dots import prototype_dots
from smoothrank.plots.style import POSITIVE, REPELS
from smoothrank.tables.feature_words import FeatureWords
from tests.support.quick_teacher import quick_teacher


@pytest.fixture(scope="module")
def fitted():
    rng = np.random.default_rng(0)
    X = pd.DataFrame(rng.normal(size=(150, 3)), columns=["age", "dose", "noise"])
    with quick_teacher():
        return SmoothRanking(2).fit(X, np.abs(X["age"]) + 0.3 * rng.normal(size=150) > 1.2), X


def test_the_bars_are_the_parts_of_the_features(fitted):
    model, X = fitted
    (explanation,) = model.explain(X[:1])
    axes = row_picture(explanation).axes[0]
    bars: list[Any] = list(axes.patches)
    widths = [bar.get_width() for bar in bars]
    assert widths == pytest.approx([part.part for part in explanation.features])
    colours = [POSITIVE if width >= 0 else REPELS for width in widths]
    assert [to_hex(bar.get_facecolor()) for bar in bars] == colours
    assert axes.get_yticklabels()[0].get_text().startswith(explanation.features[0].name)


def test_the_columns_and_their_points_are_shown(fitted):
    model, _ = fitted
    axes = model_picture(model).axes[0]
    assert [label.get_text() for label in axes.get_xticklabels()] == ["age", "dose", "noise"]
    assert len(axes.collections) == len(axes.get_yticklabels()) == 2
    effects = [float(label.get_text().split(":")[1]) for label in axes.get_yticklabels()]
    expected = model.model_.weights / model.model_.spreads
    assert effects == pytest.approx(expected, rel=0.06)
    shown = {text.get_text() for text in axes.texts}
    assert f"{model.columns_[0, 0]:.3g}" in shown


def test_bars_of_importance_come_in_order():
    figure = importance_picture(["a", "b $c$", "d"], np.array([0.1, 0.5, 0.2]), "lost")
    axes = figure.axes[0]
    bars: list[Any] = list(axes.patches)
    assert [bar.get_width() for bar in bars] == [0.5, 0.2, 0.1]
    assert [label.get_text() for label in axes.get_yticklabels()] == ["b $c$", "d", "a"]
    assert not any(label.get_parse_math() for label in axes.get_yticklabels())


def test_dots_show_only_features_that_decide_and_say_where_a_prototype_is():
    """One prototype at (3, yes) looks at both features, the other at the first alone."""
    parameters = np.array([[3.0, 1.0, 9.0, 1.0, 0.5, 0.0], [1.5, 0.0, 9.0, 1.0, 0.05, 0.0]])
    ones, weights = np.ones(2), np.array([2.0, -1.0])
    score = WeightedColumns(Gaussian(), parameters, ones, ones, weights, None)
    words = [
        FeatureWords("age"),
        FeatureWords("eye is red", "flag", "eye is red", "eye is not red"),
        FeatureWords("idle"),
    ]
    axes = prototype_dots(score, words).axes[0]
    assert [label.get_text() for label in axes.get_yticklabels()] == ["age", "eye is red"]
    assert [label.get_text() for label in axes.get_xticklabels()] == ["1\n+2", "2\n-1"]
    assert [text.get_text() for text in axes.texts] == ["3", "yes", "1.5"]
    dots: list[Any] = list(axes.collections)
    assert [to_hex(one.get_facecolor()[0]) for one in dots] == [POSITIVE, REPELS]
    assert dots[0].get_sizes()[1] == pytest.approx(0.5 * dots[0].get_sizes()[0])
