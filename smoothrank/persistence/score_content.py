"""A weighted sum of columns as plain arrays, and back again."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy.typing as npt

from smoothrank.persistence.encoder_content import ModelFileError

if TYPE_CHECKING:
    from smoothrank.columns.weighted import WeightedColumns

Arrays = dict[str, npt.NDArray[Any]]

_SCALER_PREFIX = "scaler."


def score_arrays(score: WeightedColumns, prefix: str = "") -> Arrays:
    """Return the arrays of a score, their names behind a prefix."""
    arrays: Arrays = {
        "scaled_prototypes": score.parameters,
        "means": score.means,
        "spreads": score.spreads,
        "weights": score.weights,
    }
    if score.scaler is not None:
        arrays |= {_SCALER_PREFIX + key: value for key, value in score.scaler.arrays().items()}
    return {prefix + key: value for key, value in arrays.items()}


def rebuild_score(name: str, scale: Any, arrays: Arrays, prefix: str = "") -> WeightedColumns:
    """Return the score that `score_arrays` described.

    Parameters
    ----------
    name : str
        The family of its columns.
    scale : str or None
        Its scaling.
    arrays, prefix
        The arrays, and what their names begin with.
    """
    from smoothrank.columns import family
    from smoothrank.columns.feature_scaling import scaler_from_arrays
    from smoothrank.columns.weighted import WeightedColumns

    start = prefix + _SCALER_PREFIX
    scaler_arrays = {
        key.removeprefix(start): value for key, value in arrays.items() if key.startswith(start)
    }
    parameters = arrays[prefix + "scaled_prototypes"]
    n_features = parameters.shape[1] // family(name).n_parts
    if any(len(array) != n_features for array in scaler_arrays.values()):
        raise ModelFileError("its scaling is of other features than its columns.")
    return WeightedColumns(
        family(name),
        parameters,
        arrays[prefix + "means"],
        arrays[prefix + "spreads"],
        arrays[prefix + "weights"],
        scaler_from_arrays(scale, scaler_arrays) if scaler_arrays else None,
    )
