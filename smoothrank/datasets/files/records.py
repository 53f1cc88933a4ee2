"""Tables of records: JSON lines, a JSON array of objects, and Excel sheets."""

from __future__ import annotations

import io
import json
import zipfile
from collections.abc import Iterable, Sequence
from datetime import date, datetime
from pathlib import Path
from typing import Any

from smoothrank.datasets.errors import TableFormatError
from smoothrank.datasets.files.decode import decode_text
from smoothrank.datasets.files.unpack import check_unpacked_size
from smoothrank.datasets.files.written import Written, texts
from smoothrank.datasets.options import ReadOptions


def read_json(path: Path, data: bytes, options: ReadOptions) -> Written:
    """Read objects, one on each line or all in one array; each key is a column.

    Raises
    ------
    TableFormatError
        If a line is not an object, which is named, or a text is not Unicode.
    """
    text, _ = decode_text(path, data, options.encoding)
    if text.lstrip().startswith("["):
        records, lines = _array(path, text), None
    else:
        records, lines = _lines(path, text)
    names = list(dict.fromkeys(key for record in records for key in record))
    try:
        "".join(names).encode()
        columns = tuple(texts([_cell(record.get(name)) for record in records]) for name in names)
    except UnicodeEncodeError as error:
        found = error.object[error.start : error.end].encode("unicode_escape").decode()
        raise TableFormatError(
            f"{path} has half a character, {found}, which is no text; write the file again"
        ) from None
    return Written(tuple(name.strip() for name in names), columns, lines)


def _lines(path: Path, text: str) -> tuple[list[dict[str, Any]], list[int]]:
    records, lines = [], []
    for number, line in enumerate(text.split("\n"), start=1):
        if not line.strip():
            continue
        try:
            record = json.loads(line)
        except (ValueError, RecursionError) as error:
            reason = f"{path}, line {number}: not JSON ({error}); one object on each line"
            raise TableFormatError(f"{reason} is expected") from None
        if not isinstance(record, dict):
            raise TableFormatError(f"{path}, line {number}: expected an object with a key a column")
        records.append(record)
        lines.append(number)
    return records, lines


def _array(path: Path, text: str) -> list[dict[str, Any]]:
    try:
        records = json.loads(text)
    except (ValueError, RecursionError) as error:
        raise TableFormatError(f"{path} is not JSON: {error}") from None
    for number, record in enumerate(records, start=1):
        if not isinstance(record, dict):
            raise TableFormatError(f"{path}: value {number} of the array is not an object")
    return list(records)


def read_excel(path: Path, data: bytes) -> Written:
    """Read the first sheet that is not empty; its first row that is not empty has the names."""
    import openpyxl

    try:
        with zipfile.ZipFile(io.BytesIO(data)) as archive:
            check_unpacked_size(path, archive, len(data))
        book = openpyxl.load_workbook(io.BytesIO(data), read_only=True, data_only=True)
        sheets = {sheet.title: _sheet_rows(sheet.iter_rows(values_only=True)) for sheet in book}
    except TableFormatError:
        raise
    except Exception as error:  # openpyxl raises whatever a broken file causes
        reason = " ".join(str(error).split()) or type(error).__name__
        raise TableFormatError(f"cannot read {path} as Excel: {reason}") from None
    filled = {title: rows for title, rows in sheets.items() if rows}
    if not filled:
        return Written((), ())
    title, rows = next(iter(filled.items()))
    notes: tuple[str, ...] = ()
    if len(filled) > 1:
        others = [repr(name) for name in list(filled)[1:]]
        were = "was" if len(others) == 1 else "were"
        notes = (f"the sheet {title!r} was read; {', '.join(others)} {were} not",)
    return _sheet(path, rows, notes)


def _sheet_rows(rows: Iterable[Sequence[Any]]) -> list[tuple[int, list[str]]]:
    """Return the rows that are not empty, each with its number, as texts."""
    cells = ((number, [_cell(value) or "" for value in row]) for number, row in enumerate(rows, 1))
    return [(number, row) for number, row in cells if any(text.strip() for text in row)]


def _sheet(path: Path, rows: list[tuple[int, list[str]]], notes: tuple[str, ...]) -> Written:
    (_, header), *body = rows
    width = max(place for place, name in enumerate(header, 1) if name.strip())
    for number, row in body:
        if any(text.strip() for text in row[width:]):
            raise TableFormatError(f"{path}, row {number}: a value beyond the last named column")
    columns = (
        texts([row[place] if place < len(row) else "" for _, row in body]) for place in range(width)
    )
    names = tuple(name.strip() for name in header[:width])
    return Written(names, tuple(columns), [number for number, _ in body], notes=notes)


def _cell(value: Any) -> str | None:
    """Write a value as text; numbers such that reading gives the same value."""
    if value is None or isinstance(value, str):
        return value
    if isinstance(value, (datetime, date)):
        return value.isoformat(" ") if isinstance(value, datetime) else value.isoformat()
    if isinstance(value, (dict, list)):
        return json.dumps(value, ensure_ascii=False)
    return str(value)
