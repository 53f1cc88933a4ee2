"""Text files of cells between separators: CSV, TSV and their relatives."""

from __future__ import annotations

import csv
import io
import re
from collections.abc import Iterator
from itertools import islice
from pathlib import Path

import pyarrow as pa

from smoothrank.datasets.errors import TableFormatError
from smoothrank.datasets.files.decode import decode_text
from smoothrank.datasets.files.written import Written, texts
from smoothrank.datasets.options import ReadOptions

SEPARATORS = ",;\t|"
_NAMES = {"\t": "tab", " ": "space"}
_EXCEL_HINT = re.compile(r'"?sep=(.)"?[ \t]*(\r\n|\r|\n)', re.IGNORECASE)
_SAMPLE = 64 * 1024
_MOSTLY = 0.9
_ROWS_AT_ONCE = 20_000


def read_delimited(path: Path, ending: str, data: bytes, options: ReadOptions) -> Written:
    """Split a text file into cells.

    Raises
    ------
    TableFormatError
        If a row has another number of cells than the first line, which is named.
    """
    text, encoding = decode_text(path, data, options.encoding)
    hint = _EXCEL_HINT.match(text)
    start = hint.end() if hint else 0
    sep = options.sep or (hint[1] if hint else _separator(text, ending))
    rows = _rows(text[start:], sep)
    try:
        header = next(rows, None)
        if header is None:
            return Written((), ())
        names = tuple(name.strip() for name in header[1])
        columns, lines = _columns(path, rows, len(names), 1 if hint else 0)
    except csv.Error as error:
        raise TableFormatError(f"cannot read {path} as CSV: {_reason(error)}") from None
    facts = [] if sep == "," or ending == ".tsv" else [f"separator {_NAMES.get(sep, repr(sep))}"]
    facts += [] if encoding in ("UTF-8", "ASCII") else [f"encoding {encoding}"]
    return Written(names, columns, lines, sep, tuple(facts))


def _reason(error: csv.Error) -> str:
    """Say what is wrong in words that are not about Python."""
    if "field larger" in str(error):
        return f"a cell has more than {csv.field_size_limit():,} characters; is a quote not closed?"
    return f"{error}; are all quotes closed?"


def _rows(text: str, sep: str) -> Iterator[tuple[int, list[str]]]:
    """Go through the rows that are not blank, each with the line at which it begins."""
    reader = csv.reader(io.StringIO(text, newline=""), delimiter=sep, skipinitialspace=True)
    line = 1
    for row in reader:
        if len(row) > 1 or (row and row[0].strip()):
            yield line, row
        line = reader.line_num + 1


def _columns(
    path: Path, rows: Iterator[tuple[int, list[str]]], width: int, line_shift: int
) -> tuple[tuple[pa.Array, ...], list[int]]:
    """Collect the cells column by column, some thousand rows at a time."""
    parts: list[list[pa.Array]] = [[] for _ in range(width)]
    lines: list[int] = []
    while batch := list(islice(rows, _ROWS_AT_ONCE)):
        for line, row in batch:
            if len(row) != width:
                raise TableFormatError(
                    f"{path}, line {line + line_shift}: {len(row)} values where the first line "
                    f"has {width} columns"
                )
            lines.append(line + line_shift)
        for part, cells in zip(parts, zip(*(row for _, row in batch), strict=True), strict=True):
            part.append(texts(cells))
    return tuple(pa.concat_arrays(part) if part else texts([]) for part in parts), lines


def _separator(text: str, ending: str) -> str:
    """Recognise the separator: the one that cuts most lines into as many cells as the first."""
    if ending == ".tsv":
        return "\t"
    sample = text[:_SAMPLE]
    if len(text) > _SAMPLE:
        sample = sample[: max(sample.rfind("\n"), sample.rfind("\r")) + 1] or sample
    fits = {sep: _fit(sample, sep) for sep in SEPARATORS}
    cutting = [sep for sep, (_, width) in fits.items() if width > 1]
    return max(cutting, key=lambda sep: (*fits[sep], sep != ","), default=",")


def _fit(sample: str, sep: str) -> tuple[float, int]:
    """Return the share of lines as wide as the first (nine in ten suffice), and the width."""
    try:
        widths = [len(row) for _, row in _rows(sample, sep)]
    except csv.Error:
        return 0.0, 0
    if not widths:
        return 0.0, 0
    share = sum(width == widths[0] for width in widths) / len(widths)
    return min(share, _MOSTLY), widths[0]
