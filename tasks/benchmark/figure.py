"""The paper's Figure 1: the noisy XOR problem, and test AUC by iteration for three methods."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    import pandas as pd
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

    from smoothrank.estimators.prototype_base import BasePrototypeClassifier

CURVES_FILE = "figure1.csv"
POINTS_FILE = "figure1_points.csv"

LABELS = {
    "smooth": "Smooth Ranking-CG Prototype",
    "ranking-cg": "Ranking-CG Prototype",
    "ranking-cg-unbounded": "Unbounded Ranking-CG Prototype",
}


@dataclass(frozen=True)
class XorSettings:
    """What Figure 1 is made of.

    Parameters
    ----------
    seed : int
        Seed of the data; that of the paper's splits, and not chosen for its looks.
    rows, test_rows : int
        Training and test rows.
    noise : float
        Standard deviation around the corners of the unit square.
    iterations : int
        The most prototypes; no method stops before, unless nothing is left to learn.
    C : float
        Price of change of the smooth method.
    """

    seed: int = 10
    rows: int = 100
    test_rows: int = 2000
    noise: float = 0.4
    iterations: int = 15
    C: float = 0.01


DEFAULT_SETTINGS = XorSettings()


@dataclass(frozen=True)
class FigureOne:
    """The data of Figure 1.

    Parameters
    ----------
    points : DataFrame
        The training rows: x, y, label.
    curves : DataFrame
        method, iteration, test_auc, train_auc.
    """

    points: pd.DataFrame
    curves: pd.DataFrame

    def test_auc(self, method: str) -> list[float]:
        """Test AUC of a method, by iteration."""
        return [float(v) for v in self.curves.query("method == @method")["test_auc"]]


def compute_figure(settings: XorSettings = DEFAULT_SETTINGS) -> FigureOne:
    """Draw the data, fit the three methods, and score the test rows after each iteration."""
    import numpy as np
    import pandas as pd

    from smoothrank.datasets.xor import noisy_xor
    from smoothrank.losses.pairwise_hinge import Pairs, auc

    rng = np.random.default_rng(settings.seed)
    X, y = noisy_xor(settings.rows, settings.noise, rng)
    X_test, y_test = noisy_xor(settings.test_rows, settings.noise, rng)
    pairs = Pairs.from_labels(y_test == 1)
    lines = []
    for method, model in _models(settings).items():
        model.fit(X, y)
        stages = model.staged_decision_function(X_test)
        for number, (scores, record) in enumerate(zip(stages, model.history_, strict=True), 1):
            lines.append((method, number, auc(scores, pairs), record.train_auc))
    points = pd.DataFrame({"x": X[:, 0], "y": X[:, 1], "label": y})
    curves = pd.DataFrame(lines, columns=["method", "iteration", "test_auc", "train_auc"])
    return FigureOne(points.round(6), curves.round(6))


def _models(settings: XorSettings) -> dict[str, BasePrototypeClassifier]:
    from smoothrank.estimators.prototypes import RankingCGPrototype, SmoothRankingPrototype

    shared: dict[str, Any] = {
        "first_prototype": "first",
        "max_prototypes": settings.iterations,
    }
    return {
        "smooth": SmoothRankingPrototype(settings.C, auc_tol=0.0, **shared),
        "ranking-cg": RankingCGPrototype(0.0, **shared),
        "ranking-cg-unbounded": RankingCGPrototype(0.0, bounded=False, **shared),
    }


def draw_figure(data: FigureOne) -> Figure:
    """Draw both panels next to each other."""
    from matplotlib.figure import Figure

    figure = Figure(figsize=(9.6, 4.1), dpi=150, layout="constrained")
    left, right = figure.subplots(1, 2)
    draw_points(left, data)
    left.set(title="(a) Noisy XOR, training rows", xlabel="$x_1$", ylabel="$x_2$", aspect="equal")
    left.legend(frameon=False, loc="upper center", bbox_to_anchor=(0.5, -0.14), ncols=2)
    draw_curves(right, data)
    right.set(title="(b) Test AUC", xlabel="iteration (prototypes)", ylabel="test AUC")
    right.grid(alpha=0.25)
    right.legend(frameon=False, loc="lower right")
    return figure


def draw_points(axes: Axes, data: FigureOne) -> None:
    """Draw the training rows."""
    for label, name, marker, color in (
        (1, "positive", "o", "#1f6fd0"),
        (-1, "negative", "x", "#c0392b"),
    ):
        rows = data.points[data.points["label"] == label]
        axes.scatter(rows["x"], rows["y"], s=26, marker=marker, color=color, label=name, lw=1.2)


def draw_curves(axes: Axes, data: FigureOne) -> None:
    """Draw test AUC by iteration, a line for each method of `LABELS`."""
    from smoothrank.plots.style import METHODS

    for method, label in LABELS.items():
        aucs = data.test_auc(method)
        look = {**METHODS[method], "linewidth": 2.2 if method == "smooth" else 1.3}
        axes.plot(range(1, len(aucs) + 1), aucs, markersize=4.5, label=label, **look)


def write_figure(data: FigureOne, folder: Path) -> list[Path]:
    """Write figure1.svg, figure1.png and the two CSVs; the same data give the same bytes."""
    import matplotlib

    folder.mkdir(parents=True, exist_ok=True)
    curves, points = folder / CURVES_FILE, folder / POINTS_FILE
    data.curves.to_csv(curves, index=False, lineterminator="\n")
    data.points.to_csv(points, index=False, lineterminator="\n")
    drawing, picture = folder / "figure1.svg", folder / "figure1.png"
    with matplotlib.rc_context({"svg.hashsalt": "figure1", "svg.fonttype": "none"}):
        figure = draw_figure(data)
        figure.savefig(drawing, metadata={"Date": None})
        figure.savefig(picture, metadata={"Software": None})
    return [drawing, picture, curves, points]


def read_figure(folder: Path) -> FigureOne | None:
    """Read what `write_figure` wrote; None if it is not there."""
    import pandas as pd

    curves, points = folder / CURVES_FILE, folder / POINTS_FILE
    if not (curves.is_file() and points.is_file()):
        return None
    return FigureOne(pd.read_csv(points), pd.read_csv(curves))
