"""What `dvc metrics` and `dvc plots` show: a few numbers of each method, and curves."""

from __future__ import annotations

import json
import math
from pathlib import Path
from typing import TYPE_CHECKING

from tasks.reporting.paper.tables import NEAR

if TYPE_CHECKING:
    from tasks.reporting.paper.tables import Comparison

METRICS_FILE = "metrics.json"
PLOTS_FOLDER = "plots"


def write_metrics(comparison: Comparison, path: Path) -> Path:
    """Write for each method its data sets, agreement with the paper, mean AUC and mean size."""
    results = comparison.results
    facts = {
        name: {
            "data_sets": int(comparison.auc[name].count()),
            "within_0.005": int((comparison.auc_difference[name].abs() <= NEAR + 1e-9).sum()),
            "mean_test_auc": round(float(results.wide("test_auc")[name].mean()), 6),
            "mean_features_used": round(float(comparison.features[name].mean()), 2),
        }
        for name in results.methods
    }
    path.write_text(json.dumps(facts, indent=2) + "\n", encoding="utf-8")
    return path


def write_plots(comparison: Comparison, folder: Path) -> list[Path]:
    """Write test AUC, the paper's and ours, and the curves of Figure 1, one column per method."""
    import pandas as pd

    folder.mkdir(parents=True, exist_ok=True)
    lines = [
        {"dataset": name, "method": method, "paper": paper, "ours": ours}
        for method in comparison.results.methods
        for name, paper, ours in zip(
            comparison.results.datasets,
            comparison.paper_auc[method],
            comparison.results.wide("test_auc")[method],
            strict=True,
        )
        if not math.isnan(ours)  # a method may lack a data set
    ]
    tables = {"test_auc.csv": pd.DataFrame(lines)}
    drawing = comparison.drawing
    if drawing is not None:
        curves = {method: drawing.test_auc(method) for method in drawing.curves["method"].unique()}
        wide = pd.DataFrame({name: pd.Series(curve) for name, curve in curves.items()})
        wide.insert(0, "iteration", range(1, len(wide) + 1))
        tables["figure1.csv"] = wide
    for name, table in tables.items():
        table.to_csv(folder / name, index=False, lineterminator="\n")
    return [folder / name for name in tables]
