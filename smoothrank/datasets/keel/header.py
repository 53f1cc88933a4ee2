"""The header of a KEEL file: attributes, target, and the line of any error."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path

import numpy as np

from smoothrank.datasets.dataset import Attribute, Kind
from smoothrank.datasets.errors import KeelFormatError
from smoothrank.datasets.keel.text import MISSING_MARKS, split_lines, split_values, unquote

_KEYWORD = re.compile(r"@(relation|attribute|inputs?|outputs?|data)\s*(.*)", re.IGNORECASE)
_POSITIVE = re.compile(r"%\s*positive:\s*(.+)", re.IGNORECASE)
_ATTRIBUTE = re.compile(
    r"""(?P<name>'(?:[^'\\]|\\.)*'|"(?:[^"\\]|\\.)*"|[^\s{'"][^\s{]*)
    (?:\s*\{(?P<levels>.*)\}
      |\s+(?P<kind>real|integer|numeric|nominal|string)\s*(?:\[(?P<range>[^\[\]]*)\])?)""",
    re.IGNORECASE | re.VERBOSE,
)
_KINDS: dict[str, Kind] = {
    "real": "real",
    "numeric": "real",
    "integer": "integer",
    "nominal": "nominal",
    "string": "nominal",
}


@dataclass
class Header:
    """The part of the file above the rows.

    `marks` are the missing-value marks that are levels of an attribute, `lines` the line of each.
    """

    relation: str = ""
    positive: str | None = None
    attributes: list[Attribute] = field(default_factory=list)
    marks: dict[str, frozenset[str]] = field(default_factory=dict)
    lines: dict[str, int] = field(default_factory=dict)
    inputs: list[str] = field(default_factory=list)
    outputs: list[str] = field(default_factory=list)

    @property
    def names(self) -> list[str]:
        """The attributes' names in the order of the columns."""
        return [attribute.name for attribute in self.attributes]

    @property
    def target(self) -> str:
        """The target's name."""
        return self.outputs[0]

    def attribute(self, name: str) -> Attribute:
        """Return the attribute of that name."""
        return next(attribute for attribute in self.attributes if attribute.name == name)


class HeaderReader:
    """One pass over the lines of one file; every complaint names the line."""

    def __init__(self, source: str | Path, text: str) -> None:
        self.source = source
        self.line = 0
        self._lines = split_lines(text)

    def error(self, reason: str, line: int | None = None) -> KeelFormatError:
        """Say what is wrong on a line, the current one unless given."""
        return KeelFormatError(self.source, line or max(self.line, 1), reason)

    def lines(self) -> Iterator[str]:
        """Yield the lines that are not blank, continuing where the last call stopped."""
        while self.line < len(self._lines):
            self.line += 1
            if line := self._lines[self.line - 1].strip():
                yield line

    def header(self) -> Header:
        """Read up to and with the `@data` line."""
        header = Header()
        for line in self.lines():
            if line.startswith(("%", "#")):
                if found := _POSITIVE.match(line):
                    header.positive = unquote(found[1].strip())
                continue
            found = _KEYWORD.match(line)
            if found is None:
                raise self.error(f"expected a line of the header or @data, found {line[:40]!r}")
            keyword, rest = found[1].lower(), found[2].strip()
            if keyword == "data":
                return self._checked(header)
            self._take(header, keyword, rest)
        raise self.error("the file ends before @data")

    def _take(self, header: Header, keyword: str, rest: str) -> None:
        if keyword == "relation":
            header.relation = unquote(rest)
        elif keyword == "attribute":
            attribute, marks = self._attribute(rest)
            if attribute.name in header.names:
                raise self.error(f"there are two attributes {attribute.name!r}")
            header.attributes.append(attribute)
            header.marks[attribute.name] = marks
            header.lines[attribute.name] = self.line
        elif keyword.startswith("input"):
            header.inputs = [unquote(name) for name in split_values(rest)]
        else:
            header.outputs = [unquote(name) for name in split_values(rest)]

    def _attribute(self, text: str) -> tuple[Attribute, frozenset[str]]:
        found = _ATTRIBUTE.fullmatch(text)
        if found is None:
            raise self.error(
                f"cannot read the attribute {text[:60]!r}; "
                "expected a name and real, integer or {level, …}"
            )
        name = unquote(found["name"])
        if found["levels"] is not None:
            written = split_values(found["levels"]) if found["levels"].strip() else []
            levels = tuple(unquote(level) for level in written)
            return Attribute(name, "nominal", levels=levels), MISSING_MARKS & set(written)
        kind = _KINDS[found["kind"].lower()]
        low, high = self._range(name, found["range"]) if found["range"] else (None, None)
        return Attribute(name, kind, low, high), frozenset()

    def _range(self, name: str, text: str) -> tuple[float, float]:
        try:
            low, high = (parse_number(bound.strip()) for bound in text.split(","))
        except ValueError:
            raise self.error(f"the range [{text}] of {name!r} is not two numbers") from None
        return low, high

    def _checked(self, header: Header) -> Header:
        names = header.names
        if len(names) < 2:
            raise self.error("a data set needs at least one input and a target attribute")
        header.outputs = header.outputs or names[-1:]
        header.inputs = header.inputs or [name for name in names if name not in header.outputs]
        for name in header.inputs + header.outputs:
            if name not in names:
                raise self.error(f"@inputs or @outputs name {name!r}, which is no attribute")
        if len(header.outputs) != 1:
            raise self.error(f"{len(header.outputs)} outputs are named; a data set has one target")
        if header.outputs[0] in header.inputs or len(set(header.inputs)) < len(header.inputs):
            raise self.error("an attribute is named twice in @inputs and @outputs")
        return header


def parse_number(text: str) -> float:
    """Read a finite number, or raise ValueError."""
    number = float(text)
    if "_" in text or not np.isfinite(number):
        raise ValueError(text)
    return number
