"""Random ranking problems with ties, duplicates, one positive, constant columns, and weights."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import numpy.typing as npt
from hypothesis import strategies as st


@dataclass(frozen=True)
class Problem:
    D: npt.NDArray[np.float64]
    is_positive: npt.NDArray[np.bool_]
    weight: npt.NDArray[np.float64]


@st.composite
def problems(draw: st.DrawFn, max_columns: int = 4) -> Problem:
    n_positive = draw(st.integers(1, 6))
    n_negative = draw(st.integers(1, 9))
    n_columns = draw(st.integers(1, max_columns))
    rng = np.random.default_rng(draw(st.integers(0, 2**32 - 1)))
    n = n_positive + n_negative
    D = rng.standard_normal((n, n_columns))
    if draw(st.booleans()):
        D = np.round(D)
    if draw(st.booleans()):
        D[rng.integers(n)] = D[rng.integers(n)]
    if draw(st.booleans()):
        D[:, rng.integers(n_columns)] = 0.0
    weight = rng.integers(1, 4, n).astype(float) if draw(st.booleans()) else np.ones(n)
    is_positive = rng.permutation(np.arange(n) < n_positive)
    return Problem(D, is_positive, weight)
