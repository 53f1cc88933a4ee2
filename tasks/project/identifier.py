"""The name of a data set as folders, MLflow and its registry can take it."""

from __future__ import annotations

import hashlib
from urllib.parse import quote

LONGEST = 120
"""Characters of an identifier, written as in an address."""

_HARMFUL = frozenset("/\\:'\"`%*?<>|")


def identifier(name: str) -> str:
    """Return a name that is safe everywhere; one that had to be changed ends with a checksum.

    Quotes, separators, wildcards and control characters are replaced by `_`, and so is a leading
    dot. Long names are cut.

    Examples
    --------
    >>> from tasks.project.identifier import identifier
    >>> identifier("orders 2024")
    'orders 2024'
    >>> identifier("o'brien"), identifier("..")
    ('o_brien-65b87174', '__-5ec1f7e7')
    """
    safe = "".join("_" if _is_harmful(character) else character for character in name)
    if safe.startswith("."):
        safe = "_" * (len(safe) - len(safe.lstrip("."))) + safe.lstrip(".")
    if name and safe == name and len(quote(safe)) <= LONGEST:
        return name
    ending = f"-{hashlib.sha256(name.encode('utf-8', 'surrogateescape')).hexdigest()[:8]}"
    while len(quote(safe)) + len(ending) > LONGEST:
        safe = safe[:-1]
    return safe + ending


def _is_harmful(character: str) -> bool:
    return character in _HARMFUL or not character.isprintable()
