"""The fast path: columns in which every text is a number in one style, many of them at once."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt
import pandas as pd
import pyarrow as pa
import pyarrow.compute as pc

from smoothrank.datasets.cells.missing import ALWAYS
from smoothrank.datasets.cells.number_style import PLAIN, NumberStyle

_CELLS_AT_ONCE = 2_000_000
_INTEGER = r"^[+-]?[0-9]{1,18}$"
_SURE = 1e18


@dataclass(frozen=True, eq=False)
class Candidate:
    """A text column: its cells, missing ones null, and its numbers if all of them are numbers.

    Where they are numbers the cells have a decimal point. `has_digits` says whether there is any
    digit, without which there are no numbers and no dates.
    """

    cells: pa.Array
    values: pd.Series | None
    has_digits: bool


def find_numbers(columns: Sequence[pa.Array], style: NumberStyle = PLAIN) -> Iterator[Candidate]:
    """Go through text columns in order, with the numbers of those that are written in a style."""
    missing = pa.array(ALWAYS, pa.large_string())
    for block in _blocks(columns):
        lengths = [len(column) for column in block]
        cells = pa.concat_arrays(block)
        absent = pc.or_(pc.is_in(cells, value_set=missing), pc.is_null(cells))
        cells = pc.if_else(absent, pa.scalar(None, pa.large_string()), cells)
        is_number = pc.fill_null(style.matches(cells), fill_value=False)
        is_whole = pc.fill_null(pc.match_substring_regex(cells, _INTEGER), fill_value=False)
        has_digit = pc.fill_null(pc.match_substring_regex(cells, "[0-9]"), fill_value=False)
        normal = style.normal(cells)
        reals, wholes = _numbers(normal, is_number), _integers(normal, is_whole)
        flags = [_bools(array) for array in (absent, is_number, is_whole)]
        digits = _bools(has_digit)
        start = 0
        for length in lengths:
            part = slice(start, start + length)
            none, number, whole = (flag[part] for flag in flags)
            has_digits = bool(digits[part].any())
            beyond = np.abs(reals[part]) >= _SURE  # may be whole all the same, as written
            if (number | none).all() and not beyond.any():
                values = pd.Series(wholes[part] if length and whole.all() else reals[part])
                yield Candidate(normal.slice(start, length), values, has_digits)
            else:
                yield Candidate(cells.slice(start, length), None, has_digits)
            start += length


def _blocks(columns: Sequence[pa.Array]) -> Iterator[list[pa.Array]]:
    block: list[pa.Array] = []
    for column in columns:
        block.append(column)
        if len(column) * len(block) >= _CELLS_AT_ONCE:
            yield block
            block = []
    if block:
        yield block


def _numbers(cells: pa.Array, is_number: pa.Array) -> npt.NDArray[np.float64]:
    texts = pc.if_else(is_number, cells, pa.scalar(None, pa.large_string()))
    reals = pc.fill_null(pc.cast(texts, pa.float64()), float("nan"))
    return np.array(reals.to_numpy(zero_copy_only=False))


def _integers(cells: pa.Array, is_whole: pa.Array) -> npt.NDArray[np.int64]:
    texts = pc.if_else(is_whole, pc.utf8_ltrim(cells, "+"), pa.scalar("0", pa.large_string()))
    return np.array(pc.cast(texts, pa.int64()).to_numpy(zero_copy_only=False))


def _bools(array: pa.Array) -> npt.NDArray[np.bool_]:
    return np.asarray(array.to_numpy(zero_copy_only=False), dtype=bool)
