"""Names of the array types that all modules share, and bounds of the numbers in them."""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

Vector = npt.NDArray[np.float64]
Matrix = npt.NDArray[np.float64]
Indices = npt.NDArray[np.intp]
Flags = npt.NDArray[np.bool_]
Labels = npt.NDArray[np.int64]

LARGEST_VALUE = 1e100
"""The largest number that distances can be taken of; the squares of larger ones overflow."""

SMALLEST_EXTENT = 1e-100
"""The smallest difference that a distance can have; the squares of smaller ones vanish."""
