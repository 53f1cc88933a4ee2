"""Texts that stand for a missing value."""

from __future__ import annotations

from collections.abc import Iterable

ALWAYS = ("", "?", "<null>", "NA", "N/A", "NaN", "nan", "null", "NULL")
"""Missing in every column; not reported."""

_CLEAR = frozenset(
    {"n.a.", "n.a", "n/a", "na", "n.d.", "nan", "null", "nat", "<na>", "<nan>", "(null)", "\\n"}
    | {"#n/a", "#na", "#null!", "#div/0!", "#value!", "#ref!", "#num!", "#name?"}
    | {"not available", "not applicable", "no data"}
)
"""Missing in every column but the target, and reported; in lower case."""

_SIGNS = frozenset({"-", "--", "---", ".", "..", "...", "–", "—", "_", "*"})
"""Missing among texts, unless they are a level alongside +."""

_WORDS = frozenset({"none", "nil", "missing", "unknown", "undefined", "k.a.", "k. a.", "s/o"})
"""Missing among numbers; among texts they may be a level of their own."""


AMONG_NUMBERS = tuple(sorted(_CLEAR | _SIGNS | _WORDS))
"""What stands for a missing value in a column of numbers or dates, in lower case."""

MISSING_WORDS = tuple(sorted(_WORDS))
"""Those of them that are words and may be levels."""


def missing_among_texts(levels: Iterable[str]) -> set[str]:
    """Return those of a text column's values that clearly stand for a missing one.

    Words such as none stay levels, and so does - alongside +.
    """
    levels = set(levels)
    found = {text for text in levels if text.lower() in _CLEAR}
    signs = {text for text in levels if text in _SIGNS}
    if "+" not in levels and len(levels - found - signs) > 1:
        found |= signs
    return found


def missing_labels(labels: Iterable[str]) -> set[str]:
    """Return those of a target's labels that clearly stand for a missing one."""
    return {text for text in labels if text.lower() in _CLEAR}
