"""Make `docs/orders.csv`, the file of README's example: orders of a shop, few of them sent back.

    .venv/bin/python -m scripts.make_orders

The orders are invented. The file is written as many spreadsheets do: semicolons, decimal commas, a
number for each order, dates, and some cells that say `n.a.`.
"""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pandas as pd

ROWS = 600


def orders(rows: int = ROWS, seed: int = 7) -> pd.DataFrame:
    """Return the orders; large ones of new customers that waited long are sent back."""
    rng = np.random.default_rng(seed)
    amount = rng.gamma(2.0, 40.0, rows).round(2)
    waited = rng.poisson(4.0, rows)
    earlier = rng.geometric(0.3, rows) - 1
    country = rng.choice(["DE", "FR", "PL", "AT"], rows, p=[0.5, 0.25, 0.15, 0.1])
    wish = 0.012 * amount + 0.35 * waited - 0.5 * earlier + 0.6 * (country == "FR")
    is_returned = wish + rng.logistic(0.0, 0.6, rows) > 3.9
    table = pd.DataFrame(
        {
            "order": np.arange(10_001, 10_001 + rows),
            "date": pd.date_range("2026-01-05", periods=rows, freq="8h").strftime("%d.%m.%Y"),
            "amount": [f"{value:.2f}".replace(".", ",") for value in amount],
            "days waited": waited.astype(str),
            "earlier orders": earlier,
            "country": country,
            "returned": np.where(is_returned, "yes", "no"),
        }
    )
    table.loc[rng.choice(rows, 12, replace=False), "days waited"] = "n.a."
    return table


if __name__ == "__main__":
    orders().to_csv(Path(__file__).parents[1] / "docs" / "orders.csv", sep=";", index=False)
