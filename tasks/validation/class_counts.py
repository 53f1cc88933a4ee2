"""The classes of a table: how many rows each has, and whether the share of positives has moved."""

from __future__ import annotations

import math
from typing import Any

import numpy as np
import numpy.typing as npt
import pandas as pd

CLASS_COUNTS = "class_counts"
CLASS_SHARE = "class_share"

ODDS = 1.5
"""The odds of a positive may be this many times higher or lower than seen."""

SPREADS = 3.0
"""Standard errors by which a share may be off by chance."""


def class_counts(classes: pd.Series[Any], labels: list[str]) -> pd.DataFrame:
    """Return the rows of each class."""
    rows = classes.value_counts()
    return pd.DataFrame({"class": labels, "rows": [int(rows.get(c, 0)) for c in labels]})


def class_share(counts: pd.DataFrame, positive: str | None, seen: float | None) -> pd.DataFrame:
    """Return the share of positives, moved towards the one seen as far as chance may explain."""
    total = int(counts["rows"].sum()) if "rows" in counts else 0
    if not total or positive is None or seen is None:
        return pd.DataFrame({"share": pd.Series(dtype="float64")})
    positives = int(counts.loc[counts["class"] == positive, "rows"].sum())
    low, high = _wilson(positives, total)
    return pd.DataFrame({"share": [min(max(seen, low), high)], "seen": [positives / total]})


def share_bounds(is_positive: npt.NDArray[np.bool_]) -> dict[str, float]:
    """Return the bounds within which the share of positives in later files is plausible."""
    low, high = _wilson(int(is_positive.sum()), len(is_positive))
    return {
        "min_value": round(_times_odds(low, 1.0 / ODDS), 6),
        "max_value": round(_times_odds(high, ODDS), 6),
    }


def _wilson(positives: int, total: int) -> tuple[float, float]:
    """Return Wilson's interval of a share, three standard errors to each side."""
    share, z2 = positives / total, SPREADS**2
    middle = (share + z2 / (2 * total)) / (1 + z2 / total)
    root = math.sqrt(share * (1 - share) / total + z2 / (4 * total**2))
    half = SPREADS * root / (1 + z2 / total)
    return max(middle - half, 0.0), min(middle + half, 1.0)


def _times_odds(share: float, factor: float) -> float:
    return factor * share / (1 - share + factor * share)
