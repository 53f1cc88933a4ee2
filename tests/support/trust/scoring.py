"""A small model of a table, and what `predict` makes of a file."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pandas as pd

from smoothrank import SmoothRankingPrototype, TabularModel
from smoothrank.tables.encoder import TableEncoder


def buyers(rows: int = 70) -> pd.DataFrame:
    """Two numbers, a level and the class `buys`."""
    rng = np.random.default_rng(0)
    frame = pd.DataFrame(
        {
            "age": rng.integers(20, 80, rows),
            "city": rng.choice(["Bern", "Ghent"], rows),
            "income": rng.lognormal(8, 1, rows).round(2),
        }
    )
    is_buyer = (frame["age"] > 50) ^ (frame["city"] == "Ghent")
    return frame.assign(buys=np.where(is_buyer, "yes", "no"))


def model_of_buyers(classifier=None) -> TabularModel:
    """Fit a model of `buyers`, of the paper's method unless another is given."""
    frame = buyers()
    encoder = TableEncoder().fit(frame.drop(columns="buys"))
    estimator = classifier or SmoothRankingPrototype(
        solver="highs", scale="standard", max_prototypes=3
    )
    y = np.where(frame["buys"] == "yes", 1, -1)
    fitted = estimator.fit(encoder.transform(frame.drop(columns="buys")), y)
    return TabularModel(encoder, fitted, "buys", "no", "yes")


def write_rows(folder: Path, text: str | bytes, name: str = "new.csv") -> Path:
    """Write a file of rows."""
    path = folder / name
    path.write_bytes(text.encode() if isinstance(text, str) else text)
    return path
