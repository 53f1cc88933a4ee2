"""From bytes to text: which encoding a file is written in."""

from __future__ import annotations

import codecs
from pathlib import Path

from smoothrank.datasets.errors import TableFormatError
from smoothrank.datasets.files.binary import check_is_text

_MARKS = (
    (codecs.BOM_UTF8, "utf-8-sig"),
    (codecs.BOM_UTF32_LE, "utf-32"),
    (codecs.BOM_UTF32_BE, "utf-32"),
    (codecs.BOM_UTF16_LE, "utf-16"),
    (codecs.BOM_UTF16_BE, "utf-16"),
)
_SAMPLE = 8192
_NAMES = {"utf-16-le": "UTF-16", "utf-16-be": "UTF-16", "cp1252": "Windows-1252 (Latin-1)"}


def decode_text(path: Path, data: bytes, encoding: str | None = None) -> tuple[str, str]:
    """Return a file's text and the name of its encoding; recognise it unless it is given.

    A mark at the file's start decides; else UTF-16 is known by its zero bytes; else it is UTF-8
    if that can be, or Windows-1252, which holds Latin-1.

    Raises
    ------
    TableFormatError
        If the file is not in the given encoding, or not in that of its byte order mark, or is
        not text at all.
    """
    chosen = encoding or _recognised(data)
    try:
        text = data.decode(chosen)
    except UnicodeError as error:
        at = f", byte {error.start + 1}" if isinstance(error, UnicodeDecodeError) else ""
        how = f"--encoding {encoding} is not" if encoding else f"{_name(chosen)} is not"
        raise TableFormatError(f"cannot read {path}{at}: {how} its encoding") from None
    check_is_text(path, data, text)
    return text.removeprefix("\ufeff"), _name(chosen)


def _recognised(data: bytes) -> str:
    for mark, encoding in _MARKS:
        if data.startswith(mark):
            return encoding
    if wide := _utf_16_without_mark(data):
        return wide
    for encoding in ("utf-8", "cp1252"):
        try:
            data.decode(encoding)
        except UnicodeDecodeError:
            continue
        return encoding
    return "latin-1"


def _utf_16_without_mark(data: bytes) -> str | None:
    """Recognise UTF-16 by digits and separators, every second byte of which is zero."""
    sample = data[:_SAMPLE]
    if len(data) % 2 or len(sample) < 4:
        return None
    first, second = sample[0::2].count(0), sample[1::2].count(0)
    enough = len(sample) // 20 + 1
    if second >= enough and first == 0:
        return "utf-16-le"
    if first >= enough and second == 0:
        return "utf-16-be"
    return None


def _name(encoding: str) -> str:
    plain = codecs.lookup(encoding).name
    return _NAMES.get(plain, plain.upper().removesuffix("-SIG"))
