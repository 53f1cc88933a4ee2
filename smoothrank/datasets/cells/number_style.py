"""How numbers are written: decimal mark and the mark between thousands."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property

import pyarrow as pa
import pyarrow.compute as pc

from smoothrank.datasets.options import ReadOptions

PLAIN_PATTERN = r"^[+-]?(?:(?:[0-9]+\.?[0-9]*|\.[0-9]+)(?:[eE][+-]?[0-9]+)?|(?i:inf|infinity))$"
_MARKS = {",": ",", ".": ".", " ": " \u00a0\u2009\u202f", "'": "'\u2019"}
_CLASSES = {mark: f"[{others}]" for mark, others in _MARKS.items()}


@dataclass(frozen=True)
class NumberStyle:
    """A way to write numbers; `thousands` is empty where there is no mark between them."""

    decimal: str
    thousands: str

    @cached_property
    def pattern(self) -> str:
        """The regular expression of a number in this style."""
        if self == PLAIN:
            return PLAIN_PATTERN
        decimal = _CLASSES[self.decimal]
        whole = "[0-9]+"
        if self.thousands:
            whole = f"(?:[0-9]{{1,3}}|[1-9][0-9]{{0,2}}(?:{_CLASSES[self.thousands]}[0-9]{{3}})+)"
        number = f"(?:{whole}(?:{decimal}[0-9]*)?|{decimal}[0-9]+)"
        return f"^[+-]?{number}(?:[eE][+-]?[0-9]+)?$"

    def matches(self, cells: pa.Array) -> pa.Array:
        """Return which texts are numbers in this style."""
        return pc.match_substring_regex(cells, self.pattern)

    def normal(self, cells: pa.Array) -> pa.Array:
        """Rewrite numbers with a decimal point and no other mark; other texts are not kept."""
        if self.thousands:
            cells = pc.replace_substring_regex(cells, _CLASSES[self.thousands], "")
        if self.decimal == ",":
            cells = pc.replace_substring(cells, ",", ".")
        return cells

    def numbers(self, cells: pa.Array) -> list[float | None]:
        """Read texts; None for one that is no number in this style."""
        texts, are_numbers = self.normal(cells).to_pylist(), self.matches(cells).to_pylist()
        read = zip(texts, are_numbers, strict=True)
        return [float(text) if is_number else None for text, is_number in read]

    def marks_in(self, cells: pa.Array) -> tuple[bool, bool]:
        """Return whether numbers among the texts have the decimal mark, and that of thousands."""
        numbers = cells.filter(self.matches(cells))
        decimal = pc.any(pc.match_substring(numbers, self.decimal)).as_py()
        marks = _CLASSES[self.thousands] if self.thousands else "$^x"
        return bool(decimal), bool(pc.any(pc.match_substring_regex(numbers, marks)).as_py())

    def thousands_name(self) -> list[str]:
        """Return the name of the mark between thousands, if there is one."""
        names = {" ": "space", "'": "apostrophe"}
        return [names.get(self.thousands, repr(self.thousands))] if self.thousands else []


PLAIN = NumberStyle(".", "")
COMMA = NumberStyle(",", "")

STYLES = (
    PLAIN,
    COMMA,
    NumberStyle(".", ","),
    NumberStyle(",", "."),
    NumberStyle(".", " "),
    NumberStyle(",", " "),
    NumberStyle(".", "'"),
    NumberStyle(",", "'"),
)
"""All recognised styles, the more usual ones first."""


def styles_allowed(options: ReadOptions) -> tuple[NumberStyle, ...]:
    """Return the styles that a user's options leave; numbers may do without a given mark."""
    styles: tuple[NumberStyle, ...] = STYLES
    if options.decimal is not None:
        styles = tuple(style for style in styles if style.decimal == options.decimal)
    if options.thousands is not None:
        marks = ("", options.thousands)
        styles = tuple(
            style
            for style in styles
            if style.thousands in marks and style.decimal != options.thousands
        )
    return styles
