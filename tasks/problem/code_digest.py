"""Which of smoothrank's own modules determine the result of a fit, and a checksum of them."""

from __future__ import annotations

import ast
import hashlib
from functools import cache
from pathlib import Path

import smoothrank

ROOTS = ("smoothrank.selection.experiment", "smoothrank.tables.one_hot", "smoothrank.datasets.load")
"""What fits begin from; whatever these import, also within functions, can change a fit."""


@cache
def code_digest() -> str:
    """Return a checksum of the modules that determine the result of a fit."""
    root = package_folder()
    digest = hashlib.sha256()
    for path in deciding_files():
        digest.update(path.relative_to(root).as_posix().encode() + b"\0" + path.read_bytes())
    return digest.hexdigest()


def package_folder() -> Path:
    """Return the folder of the package."""
    return Path(smoothrank.__file__).parent


@cache
def deciding_files() -> tuple[Path, ...]:
    """Return the files of those modules, in order."""
    found: dict[str, Path] = {}
    waiting = list(ROOTS)
    while waiting:
        name = waiting.pop()
        if name in found or (path := _file(name)) is None:
            continue
        found[name] = path
        waiting += _imported(path)
    return tuple(sorted(found.values()))


def _file(name: str) -> Path | None:
    """Return the file of a module; None for a name that a module defines."""
    place = package_folder().joinpath(*name.split(".")[1:])
    candidates = (place.with_suffix(".py"), place / "__init__.py")
    return next((path for path in candidates if path.is_file()), None)


def _imported(path: Path) -> list[str]:
    """Return the names that a file imports from the package, modules and what they define."""
    names = []
    for node in ast.walk(ast.parse(path.read_text("utf-8"))):
        if isinstance(node, ast.ImportFrom) and (node.module or "").split(".")[0] == "smoothrank":
            names += [str(node.module), *(f"{node.module}.{one.name}" for one in node.names)]
        if isinstance(node, ast.Import):
            names += [one.name for one in node.names if one.name.split(".")[0] == "smoothrank"]
    return [name for name in names if name != "smoothrank"]
