"""Reader of KEEL `.dat` files.

A file is a header of `@relation`, `@attribute`, `@inputs` and `@outputs` lines, then `@data` and
one row a line. The reader takes what the published files hold: keywords in any case or without a
space behind them, any line ends, spaces around values, `?` and `<null>` for a missing value, no
`@inputs` or `@outputs` line (then the last attribute is the target). It does not judge the values:
whether they are within the stated ranges and levels is up to the validation.
"""

from __future__ import annotations

import hashlib
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

import numpy as np
import numpy.typing as npt
import pandas as pd

from smoothrank.datasets.dataset import Attribute, Dataset, Schema
from smoothrank.datasets.errors import DatasetError
from smoothrank.datasets.files.binary import check_is_text
from smoothrank.datasets.files.unpack import read_own_file
from smoothrank.datasets.keel.header import Header, HeaderReader, parse_number
from smoothrank.datasets.keel.text import MISSING_MARKS, decode, split_values, unquote
from smoothrank.datasets.target import Target, encode_target


def read_keel(path: str | Path, *, positive: str | None = None) -> Dataset:
    """Read a KEEL `.dat` file; the data set is named after the file. See `parse_keel`."""
    path = Path(path)
    return parse_keel(read_keel_bytes(path), source=path, name=path.stem, positive=positive)


def read_keel_bytes(path: Path) -> bytes:
    """Return the contents of a KEEL file.

    Raises
    ------
    DatasetError
        If it is not a regular file, cannot be read, or is not text.
    """
    data = read_own_file(path)
    check_is_text(path, data, decode(data))
    return data


def parse_keel(
    data: bytes,
    *,
    source: str | Path = "<bytes>",
    name: str | None = None,
    positive: str | None = None,
) -> Dataset:
    """Read the contents of a KEEL file.

    Parameters
    ----------
    data : bytes
        The contents.
    source : str or Path
        Where they come from, for the messages.
    name : str, optional
        The data set's name; the file's `@relation` unless given.
    positive : str, optional
        The positive class. Unless given it is the one named in a comment `% positive: label`
        above the data; else see `smoothrank.datasets.target.encode_target`.

    Raises
    ------
    KeelFormatError
        If the contents are not a data set with two classes; it names file and line.
    """
    reader = HeaderReader(source, decode(data))
    header = reader.header()
    rows, lines = keel_rows(reader, len(header.attributes))
    values = dict(zip(header.names, zip(*rows, strict=True), strict=True))
    target = _target(reader, header, values[header.target], lines, positive)
    frame = pd.DataFrame(
        {column: _column(reader, header, column, values[column], lines) for column in header.inputs}
    )
    inputs = (
        replace(header.attribute(column), nullable=bool(frame[column].isna().any()))
        for column in header.inputs
    )
    schema = Schema(
        header.relation,
        tuple(inputs),
        Attribute(header.target, "nominal", levels=target.levels),
        target.positive,
    )
    checksum = hashlib.sha256(data).hexdigest()
    return Dataset(header.relation if name is None else name, frame, target.y, schema, checksum)


def keel_rows(reader: HeaderReader, width: int) -> tuple[list[list[str]], list[int]]:
    """Yield the values of each row as written, with quotes and missing marks, and its line."""
    rows, numbers = [], []
    for line in reader.lines():
        if line.startswith("%"):
            continue
        values = split_values(line)
        if len(values) != width:
            raise reader.error(f"{len(values)} values where the header has {width} attributes")
        rows.append(values)
        numbers.append(reader.line)
    if not rows:
        raise reader.error("no rows after @data")
    return rows, numbers


def _column(
    reader: HeaderReader, header: Header, name: str, values: Sequence[str], lines: list[int]
) -> pd.Series:
    attribute = header.attribute(name)
    if attribute.kind == "nominal":
        missing = MISSING_MARKS - header.marks[name]
        return pd.Series([None if v in missing else unquote(v) for v in values], dtype="str")
    numbers = np.full(len(values), np.nan)
    for i, value in enumerate(values):
        if value in MISSING_MARKS:
            continue
        try:
            numbers[i] = parse_number(value)
        except ValueError:
            reason = f"{value[:40]!r} in {attribute.kind} column {name!r} is not a number"
            raise reader.error(reason, lines[i]) from None
    whole = _whole_numbers(values, numbers) if attribute.kind == "integer" else None
    return pd.Series(numbers if whole is None else whole)


def _whole_numbers(
    values: Sequence[str], numbers: npt.NDArray[np.float64]
) -> npt.NDArray[np.int64] | None:
    """Return the values as int64, or None where one is missing, too large or has a fraction."""
    try:
        return np.array([int(value) for value in values], dtype=np.int64)
    except (ValueError, OverflowError):
        if (np.abs(numbers) < 2**53).all() and (numbers == np.floor(numbers)).all():
            return numbers.astype(np.int64)
        return None


def _target(
    reader: HeaderReader,
    header: Header,
    values: Sequence[str],
    lines: list[int],
    positive: str | None,
) -> Target:
    declared = header.attribute(header.target)
    missing = MISSING_MARKS - header.marks[declared.name]
    labels = [unquote(value) for value in values]
    for value, label, line in zip(values, labels, lines, strict=True):
        if value in missing:
            raise reader.error(f"the target {declared.name!r} is missing", line)
        if declared.levels and label not in declared.levels:
            known = ", ".join(map(repr, declared.levels[:6]))
            reason = f"{label[:40]!r} is no class of target {declared.name!r}; it has {known}"
            raise reader.error(reason, line)
    positive = header.positive if positive is None else positive
    try:
        return encode_target(declared.name, labels, declared.levels, positive)
    except DatasetError as error:
        raise reader.error(str(error), header.lines[declared.name]) from None
