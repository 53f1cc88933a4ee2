"""The KKT residual of a saved model; earlier versions saved none."""

from __future__ import annotations

import math
from typing import Any

from smoothrank.persistence.plain_values import number

Content = dict[str, Any]

_KEY = "kkt_residual"


def certificate_of(model: Any) -> Content:
    """Return what a model file says of the residual: nothing where it is unknown."""
    residual = float(model.kkt_residual_)
    return {_KEY: residual} if math.isfinite(residual) else {}


def kkt_residual(content: Content) -> float:
    """Return the residual that a model file has; NaN if it has none."""
    return number(content, _KEY) if _KEY in content else math.nan
