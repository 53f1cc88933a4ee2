"""Draw docs/pictures/prototypes.png: the README's picture of a fitted model on two features."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import numpy.typing as npt
from matplotlib.axes import Axes
from matplotlib.figure import Figure
from sklearn.metrics import roc_auc_score

from smoothrank.estimators.prototypes import SmoothRankingPrototype

PICTURE = Path(__file__).parents[1] / "docs" / "pictures" / "prototypes.png"
RARE, COMMON = "#1d4ed8", "#64748b"

Array = npt.NDArray[np.float64]


def two_islands(seed: int) -> tuple[Array, npt.NDArray[np.int64]]:
    """Return 600 rows, of which 36 are positive: two islands in a sea of negatives."""
    rng = np.random.default_rng(seed)
    sea = rng.uniform(-3.0, 3.0, size=(564, 2)) * [1.0, 0.7]
    left = rng.normal([-1.5, 0.5], 0.3, size=(18, 2))
    right = rng.normal([1.5, -0.5], 0.3, size=(18, 2))
    return np.vstack([sea, left, right]), np.repeat([-1, 1], [564, 36])


def draw(axes: Axes, model: SmoothRankingPrototype, X: Array, y: npt.NDArray[np.int64]) -> None:
    """Draw the score as a field, the rows as dots and the prototypes as stars."""
    across, up = np.meshgrid(np.linspace(-3.2, 3.2, 220), np.linspace(-2.3, 2.3, 160))
    score = model.decision_function(np.column_stack([across.ravel(), up.ravel()]))
    rank = np.argsort(np.argsort(score)) / score.size
    axes.contourf(across, up, rank.reshape(across.shape), levels=12, cmap="YlOrBr", alpha=0.75)
    axes.scatter(X[y < 0, 0], X[y < 0, 1], s=7, color=COMMON, linewidths=0, label="negative (564)")
    axes.scatter(
        X[y > 0, 0],
        X[y > 0, 1],
        s=20,
        color=RARE,
        edgecolors="white",
        lw=0.5,
        label="positive (36)",
    )
    size = 60.0 + 240.0 * np.abs(model.weights_) / np.abs(model.weights_).max()
    for draws, face, label in [
        (model.weights_ < 0, "black", "prototype that attracts"),
        (model.weights_ >= 0, "white", "that repels"),
    ]:
        across, up = model.prototypes_[draws].T
        edge = "white" if face == "black" else "black"
        axes.scatter(
            across, up, s=size[draws], marker="*", color=face, edgecolors=edge, label=label
        )
    axes.set(xlim=(-3.2, 3.2), ylim=(-2.3, 2.3), xticks=[], yticks=[], aspect="equal")


def main() -> None:
    """Fit, and write the picture."""
    X, y = two_islands(seed=1)
    X_new, y_new = two_islands(seed=2)
    model = SmoothRankingPrototype(C=1e-3, scale="standard").fit(X, y)
    auc = roc_auc_score(y_new, model.decision_function(X_new))
    figure = Figure(figsize=(6.4, 4.9), dpi=110, layout="constrained")
    axes = figure.subplots()
    draw(axes, model, X, y)
    axes.set_title(f"{len(model.weights_)} prototypes, AUC {auc:.2f} on new rows", fontsize=11)
    axes.legend(loc="upper center", bbox_to_anchor=(0.5, 0.0), ncols=4, frameon=False, fontsize=9)
    figure.savefig(PICTURE)


if __name__ == "__main__":
    main()
