"""The shell lines that documents show, and what they promise to print.

A block of `sh` is a list of lines for a shell in a clone of the repository. A block of `text`
right after it is what its lines print on the terminal, one after the other; a line of `…` stands
for any lines.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from pathlib import Path

FRACTIONS_AGREE_TO = 0.01
_BLOCK = re.compile(r"^```sh\n(.*?)^```$(?:\n+^```text\n(.*?)^```$)?", re.MULTILINE | re.DOTALL)
# What differs from one run to the next, and how it looks; whole numbers must be the same.
_CHANGING = {
    "time": r"\d+(?:\.\d+)? (?:s|seconds|minutes)\b",
    "day": r"\d{4}-\d\d-\d\d(?:[ T]\d\d:\d\d(?::\d\d)?)?",
    "port": r"127\.0\.0\.1:\d+",
    "id": r"\b(?=[0-9a-f]*\d)[0-9a-f]{12,}\b",
    "fraction": r"-?\d+\.\d+",
}
_PARTS = re.compile("|".join(f"(?P<{name}>{form})" for name, form in _CHANGING.items()))


@dataclass(frozen=True)
class Block:
    """Lines that a document shows together, and what they promise to print, if anything."""

    document: str
    lines: tuple[str, ...]
    promised: str | None


def blocks_of(document: Path) -> list[Block]:
    """Return the blocks of shell lines of a document, in order."""
    found = _BLOCK.finditer(document.read_text("utf-8"))
    return [Block(document.name, _lines(block[1]), block[2]) for block in found]


def _lines(text: str) -> tuple[str, ...]:
    """Split into lines; one that ends with a backslash goes on in the next."""
    whole = re.sub(r"\s*\\\n\s*", " ", text).splitlines()
    return tuple(line.strip() for line in whole if line.strip() and not line.startswith("#"))


def difference(promised: str, printed: str, *, as_shown: bool = True) -> str | None:
    """Say which promised line was not printed, or None if all were, in order and without others.

    Times, days, ports and ids may differ; fractions agree to `FRACTIONS_AGREE_TO`. What a line
    that was made smaller prints may differ in all its numbers.
    """
    left = [line.rstrip() for line in printed.splitlines() if line.strip()]
    anything = False
    for line in filter(str.strip, promised.splitlines()):
        if line.strip() == "…":
            anything = True
            continue
        places = range(len(left)) if anything else range(min(1, len(left)))
        here = next((i for i in places if _agree(line.rstrip(), left[i], as_shown)), None)
        if here is None:
            return f"promised {line!r}, printed {left[:1] if not anything else left}"
        left, anything = left[here + 1 :], False
    return f"printed {left[0]!r}, which was not promised" if left and not anything else None


def _agree(promised: str, printed: str, as_shown: bool) -> bool:
    if not as_shown:
        return _without_numbers(promised) == _without_numbers(printed)
    form, last = "", 0
    fractions: list[float] = []
    for part in _PARTS.finditer(promised):
        kind = str(part.lastgroup)
        looks = f"({_CHANGING[kind]})" if kind == "fraction" else _CHANGING[kind]
        form += re.escape(promised[last : part.start()]) + looks
        last = part.end()
        fractions += [float(part[0])] if kind == "fraction" else []
    found = re.fullmatch(form + re.escape(promised[last:]), printed)
    if found is None:
        return False
    pairs = zip(fractions, found.groups(), strict=True)
    return all(abs(one - float(other)) <= FRACTIONS_AGREE_TO for one, other in pairs)


def _without_numbers(line: str) -> str:
    """Put one word for all that changes, and for all numbers."""
    return re.sub(r"-?\d[\d.,]*(?:e-?\d+)?", "0", _PARTS.sub("0", line))
