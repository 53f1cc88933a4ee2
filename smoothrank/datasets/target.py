"""Two classes as +1 and -1: which label is the positive one."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from smoothrank.datasets.errors import DatasetError


@dataclass(frozen=True, eq=False)
class Target:
    """The classes of a binary problem.

    `y` in +1/-1, both labels, the positive one, and, where all labels but one are the negative
    class together, which these are.
    """

    y: npt.NDArray[np.int64]
    levels: tuple[str, str]
    positive: str
    rest: tuple[str, ...] = ()


def rest_label(positive: str) -> str:
    """Return the name of the negative class where it is all labels but the positive one."""
    return f"not {positive}"


def encode_target(
    column: str,
    labels: Sequence[str],
    declared: Sequence[str] = (),
    positive: str | None = None,
    negative: str | None = None,
) -> Target:
    """Turn labels into +1 and -1.

    The positive label is the one named; else the one that is called `positive`; else the rarer;
    of two equally frequent ones the last in sorted order (`1` of `0` and `1`).

    Parameters
    ----------
    column : str
        The target's name, for the messages.
    labels : sequence of str
        The label of each row.
    declared : sequence of str
        The labels that the file's header states, in its order.
    positive : str, optional
        The label that counts as positive. If there are more than two, all others are negative,
        and together called as `rest_label` says.
    negative : str, optional
        The name of the negative class, if that is known: where it is `rest_label(positive)`,
        all other labels are negative even if today there is only one.

    Raises
    ------
    DatasetError
        If there are not two classes, or `positive` is none of them.
    """
    counts = Counter(labels)
    if positive is not None and positive in counts:
        rest = tuple(sorted(set(counts) - {positive}))
        if len(rest) > 1 or negative == rest_label(positive):
            levels = (rest_label(positive), positive)
            return Target(_signs(labels, positive), levels, positive, rest)
    levels = _two_levels(column, counts, declared)
    if positive is None:
        positive = "positive" if "positive" in levels else _rarer(levels, counts)
    elif positive not in levels:
        raise DatasetError(
            f"no class {positive!r} in target {column!r}: it has {_listed(levels)}; "
            "name one of these as positive"
        )
    return Target(_signs(labels, positive), levels, positive)


def _signs(labels: Sequence[str], positive: str) -> npt.NDArray[np.int64]:
    return np.where(np.asarray(labels, dtype=object) == positive, 1, -1).astype(np.int64)


def _two_levels(column: str, counts: Counter[str], declared: Sequence[str]) -> tuple[str, str]:
    used = [level for level in declared if level in counts]
    used += sorted(set(counts) - set(declared))
    if len(used) == 1 and len(declared) == 2:
        used = list(declared)
    if len(used) != 2:
        raise DatasetError(
            f"target {column!r} has {len(used)} classes ({_listed(used)}) but a binary problem "
            "has two; name the positive one, and all others are negative, or name another "
            "target column"
        )
    return used[0], used[1]


def _rarer(levels: tuple[str, str], counts: Counter[str]) -> str:
    first, last = sorted(levels)
    return first if counts[first] < counts[last] else last


def _listed(levels: Sequence[str], most: int = 6) -> str:
    shown = ", ".join(repr(level) for level in levels[:most])
    return shown + (", …" if len(levels) > most else "")
