"""The text of KEEL files: encoding, lines, and values between commas, with or without quotes."""

from __future__ import annotations

import re

MISSING_MARKS = frozenset({"?", "<null>"})

_LINE_END = re.compile(r"\r\n|\r|\n")
_QUOTED = r"""'(?:[^'\\]|\\.)*'|"(?:[^"\\]|\\.)*\""""
_QUOTED_VALUE = re.compile(_QUOTED, re.DOTALL)
_QUOTED_ITEM = re.compile(rf"\s*({_QUOTED})\s*(,|\Z)", re.DOTALL)
_PLAIN_ITEM = re.compile(r"([^,]*)(,|\Z)", re.DOTALL)
_NEEDS_NO_QUOTES = re.compile(r"""[^\s,{}\[\]'"%@?<>\\]+""")
_ESCAPES = {"\\": "\\\\", "'": "\\'", "\n": "\\n", "\r": "\\r"}
_ESCAPED = {"n": "\n", "r": "\r"}


def decode(data: bytes) -> str:
    """Return the text of a file: UTF-8, with or without a mark at its start, or else Latin-1."""
    try:
        return data.decode("utf-8-sig")
    except UnicodeDecodeError:
        return data.decode("latin-1")


def split_lines(text: str) -> list[str]:
    """Split at LF, CRLF or CR and at nothing else."""
    return _LINE_END.split(text)


def canonical_text(data: bytes) -> str:
    """Return the one form in which files are kept and checksummed.

    LF after every line, no blank lines, no spaces at the end of a line; to be encoded as UTF-8.
    """
    lines = (line.rstrip() for line in split_lines(decode(data)))
    return "".join(f"{line}\n" for line in lines if line)


def split_values(line: str) -> list[str]:
    """Split at the commas outside quotes; quotes stay on, spaces around a value go."""
    if "'" not in line and '"' not in line:
        return [value.strip() for value in line.split(",")]
    values = []
    position = 0
    while True:
        item = _QUOTED_ITEM.match(line, position) or _PLAIN_ITEM.match(line, position)
        if item is None:  # a plain item matches anything
            raise AssertionError(line)
        values.append(item[1].strip())
        position = item.end()
        if not item[2]:
            return values


def unquote(value: str) -> str:
    """Take off the quotes of a value, if it has any."""
    if value[:1] not in ("'", '"') or not _QUOTED_VALUE.fullmatch(value):
        return value
    return re.sub(r"\\(.)", lambda m: _ESCAPED.get(m[1], m[1]), value[1:-1], flags=re.DOTALL)


def quote(value: str, *, marks_are_values: bool = False) -> str:
    """Write a value so that `split_values` and `unquote` give it back.

    With `marks_are_values` a question mark stays plain: nothing is missing in its column.
    """
    if _NEEDS_NO_QUOTES.fullmatch(value) or (marks_are_values and value in MISSING_MARKS):
        return value
    return "'" + "".join(_ESCAPES.get(character, character) for character in value) + "'"
