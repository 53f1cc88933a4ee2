"""A time as people write it."""

from __future__ import annotations

import math

_UNITS = {"s": 1.0, "m": 60.0, "h": 3600.0}


def seconds_of(text: str) -> float:
    """Read a time such as 60s, 5m or 1h; a number alone is seconds.

    Raises
    ------
    ValueError
        If it is no such time.
    """
    number, unit = (text[:-1], text[-1:]) if text[-1:] in _UNITS else (text, "s")
    try:
        seconds = float(number) * _UNITS[unit]
    except ValueError:
        seconds = 0.0
    if not 0.0 < seconds < math.inf:
        raise ValueError(f"not a time such as 60s, 5m or 1h: {text!r}")
    return seconds
