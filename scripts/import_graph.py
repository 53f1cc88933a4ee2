"""Which folder imports from which, and the picture of it in docs/architecture.md.

    python -m scripts.import_graph

A folder is a package directly below `smoothrank`, `tasks` or `flows`; what lies beside those
packages counts as the package itself. Imports within functions count as well.
"""

from __future__ import annotations

import ast
from collections import defaultdict
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
PACKAGES = ("smoothrank", "tasks", "flows")
Graph = dict[str, set[str]]


def folder_graph(root: Path = ROOT) -> Graph:
    """Return for each folder the folders that its files import from."""
    graph: Graph = defaultdict(set)
    for package in PACKAGES:
        for path in sorted((root / package).rglob("*.py")):
            here = folder_of(".".join(path.relative_to(root).with_suffix("").parts), root)
            graph[here] |= {folder_of(name, root) for name in imported(path)} - {here}
    return dict(graph)


def module_file(name: str, root: Path = ROOT) -> Path | None:
    """Return the file of a module of ours, or None for anything else."""
    place = root.joinpath(*name.split("."))
    candidates = (place.with_suffix(".py"), place / "__init__.py")
    return next((path for path in candidates if path.is_file()), None)


def imported(path: Path) -> set[str]:
    """Return the modules of ours that a file imports, anywhere in it."""
    names: set[str] = set()
    for node in ast.walk(ast.parse(path.read_text("utf-8"))):
        if isinstance(node, ast.ImportFrom) and node.module and node.level == 0:
            names |= {node.module, *(f"{node.module}.{alias.name}" for alias in node.names)}
        elif isinstance(node, ast.Import):
            names |= {alias.name for alias in node.names}
    return {name for name in names if name.split(".")[0] in PACKAGES and module_file(name)}


def folder_of(module: str, root: Path = ROOT) -> str:
    """Return the folder that a module belongs to, such as `smoothrank/losses`."""
    parts = module.split(".")
    below = len(parts) > 1 and (root / parts[0] / parts[1]).is_dir()
    return "/".join(parts[:2]) if below else parts[0]
