"""Which folder imports from which, and the picture of that in docs/architecture.md.

    python -m scripts.import_graph

A folder is a package directly below `smoothrank`, `tasks` or `flows`; files beside those packages
count as the package itself. Imports within functions count as well. A folder may import from the
folders that come before it in `LAYERS`, and from no other.
"""

from __future__ import annotations

import ast
from collections import defaultdict
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
PACKAGES = ("smoothrank", "tasks", "flows")
LAYERS = (
    "smoothrank",
    *(
        f"smoothrank/{name}"
        for name in ("losses", "columns", "penalties", "solvers", "distillation")
    ),
    *(f"smoothrank/{name}" for name in ("estimators", "datasets", "tables", "evaluation")),
    *(f"smoothrank/{name}" for name in ("selection", "persistence", "plots")),
    "tasks",
    *(f"tasks/{name}" for name in ("project", "results", "problem", "validation", "workers")),
    *(f"tasks/{name}" for name in ("tracking", "assessment", "benchmark", "reporting", "steps")),
    "tasks/preflight",
    *("flows/servers", "flows/terminal", "flows", "flows/commands"),
)
"""Every folder, from the bottom to the top."""

PICTURE = ROOT / "docs" / "pictures" / "import_graph.svg"
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


def upward(graph: Graph) -> list[str]:
    """Return the imports of a folder that does not come before the importing one."""
    return [
        f"{folder} imports {other}"
        for folder, others in graph.items()
        for other in sorted(others)
        if LAYERS.index(other) >= LAYERS.index(folder)
    ]


def draw(graph: Graph, path: Path = PICTURE) -> None:
    """Draw the folders as columns, one for each package, and the imports as lines downwards."""
    from matplotlib import rc_context
    from matplotlib.figure import Figure
    from matplotlib.patches import FancyArrowPatch

    with rc_context({"svg.hashsalt": "smoothrank", "svg.fonttype": "none"}):
        figure = Figure(figsize=(9.5, 7.0))
        axes = figure.add_axes((0, 0, 1, 1))
        places = _places(graph)
        for folder, others in sorted(graph.items()):
            for other in sorted(others):
                (x, y), (x_to, y_to) = places[folder], places[other]
                within = folder.split("/")[0] == other.split("/")[0]
                axes.add_patch(
                    FancyArrowPatch(
                        (x - 0.42, y),
                        (x_to - 0.42, y_to) if within else (x_to + 0.42, y_to),
                        connectionstyle="arc3,rad=0.35" if within else "arc3,rad=0.05",
                        arrowstyle="-|>",
                        mutation_scale=7,
                        lw=0.8 if within else 0.4,
                        color="#3a6ea5" if within else "#b8b8b8",
                        zorder=2 if within else 1,
                    )
                )
        for folder, (x, y) in places.items():
            box = {"boxstyle": "round,pad=0.35", "fc": "#f4f6f8", "ec": "#5a6b7b", "lw": 0.8}
            name = folder.split("/")[1] if "/" in folder else f"{folder}/*.py"
            axes.text(x, y, name, ha="center", va="center", fontsize=9, bbox=box, zorder=3)
        for column, package in enumerate(PACKAGES):
            axes.text(2.4 * column, 12.3, package, ha="center", fontsize=12, weight="bold")
        axes.set_xlim(-1.3, 5.7)
        axes.set_ylim(-0.7, 12.9)
        axes.axis("off")
        figure.savefig(path, metadata={"Date": None})


def _places(graph: Graph) -> dict[str, tuple[float, float]]:
    """Return a column for each package, and a height by layer."""
    places = {}
    for column, package in enumerate(PACKAGES):
        folders = [one for one in LAYERS if one.split("/")[0] == package and one in graph]
        for height, folder in enumerate(folders):
            places[folder] = (2.4 * column, 11.4 * height / max(1, len(folders) - 1))
    return places


if __name__ == "__main__":
    draw(folder_graph())
