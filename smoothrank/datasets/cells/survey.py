"""What the distinct texts of one column could be: numbers in some style, or none."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property

import numpy as np
import numpy.typing as npt
import pyarrow as pa
import pyarrow.compute as pc

from smoothrank.arrays import Flags
from smoothrank.datasets.cells.missing import AMONG_NUMBERS, MISSING_WORDS
from smoothrank.datasets.cells.number_style import NumberStyle

NEARLY_ALL = 0.95
ONE_IN = 10
"""One wrong cell is tolerated if there are ten or more."""

FEW_LEVELS = 12
_SAMPLE = 1000
_CODE = re.compile(r"(?=.*\d)(?=.*[A-Za-z])[A-Za-z0-9/_-]+")

Counts = npt.NDArray[np.int64]


@dataclass(frozen=True, eq=False)
class Survey:
    """The distinct texts of a column, how often each occurs, and which mean a missing value.

    Of those some are words that may be levels too.
    """

    cells: pa.Array
    codes: npt.NDArray[np.int64]
    levels: pa.Array
    counts: Counts
    missing: Flags
    words: Flags

    @cached_property
    def texts(self) -> list[str]:
        """The distinct texts."""
        return list(self.levels.to_pylist())

    def numbers(self, style: NumberStyle) -> Flags:
        """Return which of the texts are numbers in a style."""
        return _flags(style.matches(self.levels)) & ~self.missing

    def count(self, which: Flags) -> int:
        """Count the cells that have one of the texts."""
        return int(self.counts[which].sum())

    def fitting(self, styles: Sequence[NumberStyle]) -> list[NumberStyle]:
        """Return the styles in which the column is one of numbers, those that fit best."""
        likely = [style for style in styles if self._begins_with_numbers(style)]
        found = {style: self.numbers(style) for style in likely}
        good = {style: self.count(n) for style, n in found.items() if self._are_numbers(n)}
        most = max(good.values(), default=0)
        return [style for style, count in good.items() if count == most]

    def _begins_with_numbers(self, style: NumberStyle) -> bool:
        """Return whether a style is worth a look at all the texts."""
        first = self.levels.slice(0, _SAMPLE)
        present = len(first) - int(self.missing[:_SAMPLE].sum())
        return 2 * int(_flags(style.matches(first)).sum()) >= present

    def _are_numbers(self, numbers: Flags) -> bool:
        right, wrong = self.count(numbers), self.count(~numbers & ~self.missing)
        if right == 0:
            return False
        odd = ~numbers & (~self.missing | self.words)
        if not odd.any():
            return True
        if len(self.counts) <= FEW_LEVELS and self.counts[odd].min() > 1:
            return False
        enough = right >= NEARLY_ALL * (right + wrong) or (wrong == 1 and right + 1 >= ONE_IN)
        return enough and not self._are_codes(numbers)

    def _are_codes(self, numbers: Flags) -> bool:
        """Return whether whole numbers of one length are codes, such as 85123 next to 85123A."""
        texts = self.texts
        odd = [texts[i] for i in np.flatnonzero(~numbers & ~self.missing)]
        if 2 * sum(bool(_CODE.fullmatch(text)) for text in odd) < len(odd) or not odd:
            return False
        digits = [texts[i] for i in np.flatnonzero(numbers)]
        if not all(text.isdigit() for text in digits):
            return False
        widths = np.array([len(text) for text in digits])
        usual = np.bincount(widths).argmax()
        one_length = usual >= 4 and bool(np.mean(widths == usual) >= 0.9)
        return one_length or any(text[0] == "0" and len(text) > 1 for text in digits)

    def first_row(self, level: int) -> int:
        """Return the first row that has a text."""
        return int(np.flatnonzero(self.codes == level)[0])


def survey(cells: pa.Array) -> Survey:
    """Collect the distinct texts of a column; missing cells are null."""
    encoded = cells.dictionary_encode()
    levels = encoded.dictionary
    codes = np.asarray(pc.fill_null(encoded.indices, -1).to_numpy(zero_copy_only=False), np.int64)
    counts = np.bincount(codes[codes >= 0], minlength=len(levels)).astype(np.int64)
    small = pc.utf8_lower(levels)
    missing, words = (
        _flags(pc.is_in(small, value_set=pa.array(known, pa.large_string())))
        for known in (AMONG_NUMBERS, MISSING_WORDS)
    )
    return Survey(cells, codes, levels, counts, missing, words)


def _flags(array: pa.Array) -> Flags:
    return np.asarray(array.to_numpy(zero_copy_only=False), dtype=bool)
