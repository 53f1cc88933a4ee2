"""The probability at or above which a row is predicted positive."""

from __future__ import annotations

from smoothrank.errors import SmoothrankError

EQUAL_COSTS = 0.5
"""Where both errors cost the same, a row is positive if that is the more likely class."""


def decision_threshold(
    threshold: float | None = None, cost_fp: float | None = None, cost_fn: float | None = None
) -> float | None:
    """Return the probability at which both errors have equal expected cost; None if not given.

    A row of probability p that is called positive costs (1 − p) · cost_fp on average, and p ·
    cost_fn if it is called negative: the same at p = cost_fp / (cost_fp + cost_fn).

    Parameters
    ----------
    threshold : float, optional
        The probability itself.
    cost_fp, cost_fn : float, optional
        What a false positive and a false negative cost; one that is not given costs 1.

    Raises
    ------
    SmoothrankError
        If both a threshold and costs are given, or an invalid one.
    """
    if threshold is not None:
        if cost_fp is not None or cost_fn is not None:
            raise SmoothrankError(
                "a threshold and costs say the same in two ways; give --threshold, or --cost-fp "
                "and --cost-fn"
            )
        if not 0.0 <= threshold <= 1.0:
            raise SmoothrankError(f"--threshold is a probability from 0 to 1, not {threshold:g}")
        return threshold
    if cost_fp is None and cost_fn is None:
        return None
    costs = {"--cost-fp": 1.0 if cost_fp is None else cost_fp}
    costs |= {"--cost-fn": 1.0 if cost_fn is None else cost_fn}
    for name, cost in costs.items():
        if not 0.0 < cost < float("inf"):
            raise SmoothrankError(f"{name} is above zero and finite, not {cost:g}")
    return costs["--cost-fp"] / (costs["--cost-fp"] + costs["--cost-fn"])
