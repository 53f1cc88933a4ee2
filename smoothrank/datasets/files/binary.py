"""Files that are not text, whatever their ending says."""

from __future__ import annotations

import re
from pathlib import Path

from smoothrank.datasets.errors import TableFormatError

_SAMPLE = 64 * 1024
_CONTROLS = re.compile("[\x01-\x08\x0e-\x19\x1c-\x1f\x7f]")
_MOST_CONTROLS = 0.01
_STARTS = {
    b"PK\x03\x04": "a zip or Excel file",
    b"\x1f\x8b": "a gzip file",
    b"\x28\xb5\x2f\xfd": "a Zstandard file",
    b"PAR1": "a Parquet file",
    b"\xd0\xcf\x11\xe0": "an old Excel or Word file",
    b"%PDF-": "a PDF file",
    b"\x89PNG": "a picture",
    b"\xff\xd8\xff": "a picture",
    b"GIF8": "a picture",
    b"SQLite format 3\x00": "a database",
    b"\x7fELF": "a program",
}


def check_is_text(path: Path, data: bytes, text: str) -> None:
    """Refuse contents that are not text.

    Parameters
    ----------
    path : Path
        The file, for the message.
    data, text : bytes, str
        Its contents, and the same decoded.

    Raises
    ------
    TableFormatError
        If they begin like a known kind of binary file, or have characters that no text has.
    """
    known = next((kind for start, kind in _STARTS.items() if data.startswith(start)), None)
    if known is not None:
        raise TableFormatError(
            f"{path} is not text: it begins like {known}; give it the ending of what it is, or "
            "save the table as CSV"
        )
    place = text.find("\0")
    sample = text[:_SAMPLE]
    if place >= 0 or len(_CONTROLS.findall(sample)) > _MOST_CONTROLS * len(sample):
        at = f", as character {place + 1} shows, which is zero" if place >= 0 else ""
        raise TableFormatError(
            f"{path} is not text{at}; save the table as CSV, or name its encoding (--encoding)"
        )
