"""The archive that skops writes, made equal for equal models.

skops names the parts of a model by their addresses in memory, and the archive has the time of day:
both differ from run to run. Here parts are numbered in the order in which they are described.
"""

from __future__ import annotations

import io
import re
from zipfile import ZipFile, ZipInfo

_DESCRIPTION = "schema.json"
_NAMED = re.compile(r'(?<="__id__": )\d+|(?<=": ")\d+(?=\.\w+")')
_LONG_AGO = (1980, 1, 1, 0, 0, 0)


def canonical(archive: bytes) -> bytes:
    """Return the same archive with numbered parts, in order, without times."""
    with ZipFile(io.BytesIO(archive)) as opened:
        parts = {name: opened.read(name) for name in opened.namelist()}
    description = parts.pop(_DESCRIPTION).decode()
    numbers: dict[str, str] = {}

    def numbered(found: re.Match[str]) -> str:
        return numbers.setdefault(found[0], str(len(numbers) + 1))

    written = {_DESCRIPTION: _NAMED.sub(numbered, description).encode()}
    renamed = {_renamed(name, numbers): content for name, content in parts.items()}
    written |= dict(sorted(renamed.items()))
    return _archive(written)


def _renamed(name: str, numbers: dict[str, str]) -> str:
    stem, dot, ending = name.partition(".")
    return numbers.get(stem, stem) + dot + ending


def _archive(parts: dict[str, bytes]) -> bytes:
    buffer = io.BytesIO()
    with ZipFile(buffer, "w") as made:
        for name, content in parts.items():
            made.writestr(ZipInfo(name, _LONG_AGO), content)
    return buffer.getvalue()
