"""The pictures of a small model show its columns and the parts of a score."""

from typing import Any

import numpy as np
import pandas as pd
import pytest
from matplotlib.colors import to_hex

from smoothrank import SmoothRanking
from smoothrank.plots.explanations import model_picture, row_picture
from smoothrank.plots.style import POSITIVE, REPELS


@pytest.fixture(scope="module")
def fitted():
    rng = np.random.default_rng(0)
    X = pd.DataFrame(rng.normal(size=(150, 3)), columns=["age", "dose", "noise"])
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
